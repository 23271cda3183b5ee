//! Parallel search: young brothers wait (YBWC) with split points.
//!
//! Where the first move of a node did not cause a cut-off, the node may become a split point: helper threads search its
//! other moves. A thread splits only when another is idle, and at the highest node of its path, which is the largest
//! piece of work. The owner of a split point searches its moves like a helper, and leaves it when all moves are done;
//! meanwhile it helps only at split points below its own (the helpful master concept).

use std::ops::Range;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

use super::iterate::Selectivity;
use super::kernel::Kernel;
use super::node::{PatternNode, ScoredMove};
use super::thread::SearchThread;

/// The least remaining depth of a split point. Below 14 this concerns only searches that do not go to the end. A value
/// of 8 is as fast as 10; 14 leaves threads idle for longer.
pub(super) const MIN_SPLIT_DEPTH: u32 = 10;

/// How often an idle thread spins before it sleeps, some tenths of a millisecond: a wake-up takes about as long as a
/// small piece of work.
const SPINS: u32 = 4000;

/// A node whose moves are searched by several threads.
#[derive(Debug)]
pub(super) struct SplitPoint {
    position: PatternNode,
    depth: u32,
    alpha: i32,
    selectivity: Selectivity,
    /// The split point above it on the path of its owner.
    parent: Option<Arc<SplitPoint>>,
    /// A cut-off happened here or at a split point above.
    cut_off: AtomicBool,
    work: Mutex<SplitWork>,
}

#[derive(Debug)]
struct SplitWork {
    /// The moves that no thread has taken, the best last.
    left: Vec<ScoredMove>,
    /// Moves under way.
    active: usize,
    best: i32,
    best_move: u8,
    nodes: u64,
}

/// The split points of a search and its idle threads.
#[derive(Debug, Default)]
pub(super) struct SplitPool {
    /// The oldest first.
    splits: Mutex<Vec<Arc<SplitPoint>>>,
    changed: Condvar,
    /// Counts the changes that idle threads wait for.
    changes: AtomicUsize,
    idle: AtomicUsize,
    finished: AtomicBool,
}

type SplitsGuard<'a> = MutexGuard<'a, Vec<Arc<SplitPoint>>>;

/// No code can panic while it holds a lock, so the data of a poisoned mutex is consistent.
fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl SplitPoint {
    fn is_below(&self, ancestor: &SplitPoint) -> bool {
        std::ptr::eq(self, ancestor) || self.parent.as_ref().is_some_and(|parent| parent.is_below(ancestor))
    }

    pub(super) fn is_cut_off(&self) -> bool {
        self.cut_off.load(Relaxed)
    }
}

impl SplitPool {
    #[inline(always)]
    pub(super) fn has_idle_thread(&self) -> bool {
        self.idle.load(Relaxed) > 0
    }

    /// Ends all helper threads.
    pub(super) fn finish(&self) {
        self.finished.store(true, Relaxed);
        self.notify();
    }

    /// Wakes all waiting threads. A thread holds the lock until it sleeps, so none misses this.
    fn notify(&self) {
        let _splits = locked(&self.splits);
        self.changes.fetch_add(1, Relaxed);
        self.changed.notify_all();
    }

    /// Waits for a change: spins first, then sleeps.
    fn wait<'a>(&'a self, splits: SplitsGuard<'a>) -> SplitsGuard<'a> {
        let seen = self.changes.load(Relaxed);
        drop(splits);
        let is_unchanged = || self.changes.load(Relaxed) == seen;
        for _ in 0..SPINS {
            if !is_unchanged() {
                break;
            }
            std::hint::spin_loop();
        }
        let splits = locked(&self.splits);
        if is_unchanged() { self.changed.wait(splits).unwrap_or_else(PoisonError::into_inner) } else { splits }
    }

    /// Takes a move of a split point, below `ancestor` if that is given. Waits for one until `done`.
    fn take_move(
        &self,
        ancestor: Option<&SplitPoint>,
        done: impl Fn() -> bool,
    ) -> Option<(Arc<SplitPoint>, ScoredMove)> {
        let mut splits = locked(&self.splits);
        let mut waiting = false;
        let found = loop {
            if self.finished.load(Relaxed) || done() {
                break None;
            }
            // The oldest split point is the largest piece of work.
            let found = splits.iter().find_map(|split| {
                if ancestor.is_some_and(|ancestor| !split.is_below(ancestor)) || split.is_cut_off() {
                    return None;
                }
                let mut work = locked(&split.work);
                let mv = work.left.pop()?;
                work.active += 1;
                Some((Arc::clone(split), mv))
            });
            if found.is_some() {
                break found;
            }
            if !waiting {
                waiting = true;
                self.idle.fetch_add(1, Relaxed);
            }
            splits = self.wait(splits);
        };
        if waiting {
            self.idle.fetch_sub(1, Relaxed);
        }
        found
    }

    /// Cancels a split point and all below it.
    fn cut_off(&self, split: &SplitPoint) {
        for other in locked(&self.splits).iter().filter(|other| other.is_below(split)) {
            other.cut_off.store(true, Relaxed);
        }
    }
}

/// A node on the path of a thread, past its first move, that may become a split point at any time.
#[derive(Debug)]
pub(super) struct SplitCandidate {
    pub(super) position: PatternNode,
    pub(super) depth: u32,
    pub(super) alpha: i32,
    /// The moves after the current one, on the move stack.
    pub(super) left: Range<usize>,
    pub(super) best: i32,
    pub(super) best_move: u8,
    /// The split point that it has become.
    pub(super) split: Option<Arc<SplitPoint>>,
}

impl<'a, K: Kernel> SearchThread<'a, K> {
    /// Registers a node; splits if another thread is idle.
    pub(super) fn push_split_candidate(&mut self, candidate: SplitCandidate) {
        self.split_candidates.push(candidate);
        if let Some(pool) = self.split_pool
            && pool.has_idle_thread()
            && !self.stopped
        {
            self.split_highest(pool);
        }
    }

    /// Makes a split point of the highest candidate of the path. All split points of this thread are above it.
    fn split_highest(&mut self, pool: &SplitPool) {
        let Some(candidate) = self.split_candidates.iter_mut().find(|candidate| candidate.split.is_none()) else {
            return;
        };
        let SplitCandidate { position, depth, alpha, best, best_move, .. } = *candidate;
        let mut left = self.moves[candidate.left.clone()].to_vec();
        left.sort_by_key(|mv| mv.score);
        let parent = self.split.take();
        let mut splits = locked(&pool.splits);
        let cut_off = AtomicBool::new(parent.as_ref().is_some_and(|parent| parent.is_cut_off()));
        // The owner is searching one of the moves.
        let work = Mutex::new(SplitWork { left, active: 1, best, best_move, nodes: 0 });
        let selectivity = self.selectivity;
        let split = Arc::new(SplitPoint { position, depth, alpha, selectivity, parent, cut_off, work });
        splits.push(Arc::clone(&split));
        drop(splits);
        candidate.split = Some(Arc::clone(&split));
        self.split = Some(split);
        pool.notify();
    }

    /// Ends the current move of the last candidate with its score. If the node has become a split point, helps until all
    /// its moves are done, and returns the best score and move.
    pub(super) fn pop_split_candidate(&mut self, score: i32, square: u8) -> Option<(i32, u8)> {
        let (split, pool) = (self.split_candidates.pop()?.split?, self.split_pool?);
        self.finish_move(pool, &split, score, square);
        let done = || {
            let work = locked(&split.work);
            work.active == 0 && (work.left.is_empty() || split.is_cut_off())
        };
        while let Some((taken, mv)) = pool.take_move(Some(&split), done) {
            self.search_split_move(pool, &taken, &mv);
        }
        locked(&pool.splits).retain(|other| !Arc::ptr_eq(other, &split));
        self.split.clone_from(&split.parent);
        self.stopped = self.is_cancelled();
        let work = locked(&split.work);
        self.nodes += work.nodes;
        Some((work.best, work.best_move))
    }

    /// Records the score of one move of a split point.
    fn finish_move(&self, pool: &SplitPool, split: &SplitPoint, score: i32, square: u8) {
        let mut work = locked(&split.work);
        work.active -= 1;
        if self.stopped {
            return;
        }
        if score > work.best {
            (work.best, work.best_move) = (score, square);
        }
        drop(work);
        if score > split.alpha {
            pool.cut_off(split);
        }
    }

    /// Searches one move of a split point.
    fn search_split_move(&mut self, pool: &SplitPool, split: &Arc<SplitPoint>, mv: &ScoredMove) {
        let (selectivity, nodes_before) = (self.selectivity, self.nodes);
        let outer = self.split.replace(Arc::clone(split));
        self.selectivity = split.selectivity;
        self.stopped = self.is_cancelled();
        let score = if self.stopped {
            split.alpha
        } else {
            -self.nws(&split.position.after(mv), split.depth - 1, -split.alpha - 1)
        };
        locked(&split.work).nodes += self.nodes - nodes_before;
        self.nodes = nodes_before;
        self.finish_move(pool, split, score, mv.square);
        // The owner may wait for the last move.
        pool.notify();
        (self.selectivity, self.split) = (selectivity, outer);
        self.stopped = self.is_cancelled();
    }

    /// The loop of a helper thread until the search is finished.
    pub(super) fn help(&mut self, pool: &'a SplitPool) {
        self.split_pool = Some(pool);
        while let Some((split, mv)) = pool.take_move(None, || false) {
            self.search_split_move(pool, &split, &mv);
        }
    }
}
