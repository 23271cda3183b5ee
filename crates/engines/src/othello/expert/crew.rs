//! Several threads in one search: where the first move of a position did not settle it, the others can be shared out
//! (young brothers wait). They are when somebody is idle, and from the top: the highest position is the largest piece
//! of work.
//!
//! Whoever shares a position out goes on with the move under way, then with the others, and leaves it only when all are
//! answered for. Meanwhile it takes part in what its helpers share out below, and in nothing else.

use std::ops::Range;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

use super::kernel::Kernel;
use super::level::Level;
use super::spot::Spot;
use super::tree::Step;
use super::walk::Walk;

/// With so many plies to go or more, a position may be shared out, and whoever comes to one looks for somebody idle.
/// Below fourteen this concerns only searches that do not go to the end; 8 is as good as 10, 14 waits longer.
pub(super) const SHARED: u32 = 10;

/// How often to look for work before going to sleep, which is some tenths of a millisecond: being woken takes about
/// as long as a small piece of work.
const LOOKS: u32 = 4000;

/// A position whose moves are shared out.
#[derive(Debug)]
pub(super) struct Share {
    spot: Spot,
    depth: u32,
    alpha: i32,
    level: Level,
    /// The position above, on the way of whoever shared this one out.
    above: Option<Arc<Share>>,
    /// Whether no more answer is needed: here, or somewhere above.
    cut: AtomicBool,
    work: Mutex<Work>,
}

#[derive(Debug)]
struct Work {
    /// The moves that nobody has taken, the best last.
    left: Vec<Step>,
    /// Those who are still at one.
    busy: usize,
    best: i32,
    chosen: u8,
    nodes: u64,
}

/// What threads share besides the table.
#[derive(Debug, Default)]
pub(super) struct SplitPool {
    /// The positions shared out, the latest last.
    shares: Mutex<Vec<Arc<Share>>>,
    news: Condvar,
    /// How often there was something new.
    announced: AtomicUsize,
    /// Threads that have nothing to do.
    idle: AtomicUsize,
    /// Whether the search is over.
    over: AtomicBool,
}

type Shares<'a> = MutexGuard<'a, Vec<Arc<Share>>>;

/// A lock is never held where something can panic, so what a poisoned one guards is whole.
fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Share {
    fn is_below(&self, share: &Share) -> bool {
        std::ptr::eq(self, share) || self.above.as_ref().is_some_and(|above| above.is_below(share))
    }

    pub(super) fn is_cut(&self) -> bool {
        self.cut.load(Relaxed)
    }
}

impl SplitPool {
    /// Whether somebody waits for work.
    #[inline(always)]
    pub(super) fn is_idle(&self) -> bool {
        self.idle.load(Relaxed) > 0
    }

    /// The search is over: everybody goes home.
    pub(super) fn dismiss(&self) {
        self.over.store(true, Relaxed);
        self.announce();
    }

    /// Tells everybody that something is new. Whoever is about to sleep holds the lock, so nobody misses it.
    fn announce(&self) {
        let _shares = locked(&self.shares);
        self.announced.fetch_add(1, Relaxed);
        self.news.notify_all();
    }

    /// Waits until something is new: for a short while awake, then asleep.
    fn wait<'a>(&'a self, shares: Shares<'a>) -> Shares<'a> {
        let seen = self.announced.load(Relaxed);
        drop(shares);
        let is_old = || self.announced.load(Relaxed) == seen;
        for _ in 0..LOOKS {
            if !is_old() {
                break;
            }
            std::hint::spin_loop();
        }
        let shares = locked(&self.shares);
        if is_old() { self.news.wait(shares).unwrap_or_else(PoisonError::into_inner) } else { shares }
    }

    /// A move to try, of a position below this one; waits until there is one, or until `done`.
    fn next(&self, below: Option<&Share>, done: impl Fn() -> bool) -> Option<(Arc<Share>, Step)> {
        let mut shares = locked(&self.shares);
        let mut waiting = false;
        let found = loop {
            if self.over.load(Relaxed) || done() {
                break None;
            }
            // The oldest work is the largest.
            let found = shares.iter().find_map(|share| {
                if below.is_some_and(|below| !share.is_below(below)) || share.is_cut() {
                    return None;
                }
                let mut work = locked(&share.work);
                let step = work.left.pop()?;
                work.busy += 1;
                Some((Arc::clone(share), step))
            });
            if found.is_some() {
                break found;
            }
            if !waiting {
                waiting = true;
                self.idle.fetch_add(1, Relaxed);
            }
            shares = self.wait(shares);
        };
        if waiting {
            self.idle.fetch_sub(1, Relaxed);
        }
        found
    }

    /// Nobody below needs to go on.
    fn cut(&self, share: &Share) {
        for other in locked(&self.shares).iter().filter(|other| other.is_below(share)) {
            other.cut.store(true, Relaxed);
        }
    }
}

/// A position on the way of a thread whose first move did not settle it. The moves behind the one under way can be
/// shared out at any time.
#[derive(Debug)]
pub(super) struct Open {
    pub(super) spot: Spot,
    pub(super) depth: u32,
    pub(super) alpha: i32,
    /// Where these moves stand in the list of the thread.
    pub(super) left: Range<usize>,
    pub(super) best: i32,
    pub(super) chosen: u8,
    /// The same when it has been shared out.
    pub(super) share: Option<Arc<Share>>,
}

impl<'a, K: Kernel> Walk<'a, K> {
    /// From here on the moves left at this position may be shared out.
    pub(super) fn open(&mut self, open: Open) {
        self.opened.push(open);
        if let Some(crew) = self.crew
            && crew.is_idle()
            && !self.stopped
        {
            self.share_out(crew);
        }
    }

    /// Shares out what is left at the highest position on the way, which is the largest piece of work there is. So those
    /// above it are shared already, and the last of them is the nearest.
    fn share_out(&mut self, crew: &SplitPool) {
        let Some(open) = self.opened.iter_mut().find(|open| open.share.is_none()) else {
            return;
        };
        let Open { spot, depth, alpha, best, chosen, .. } = *open;
        let mut left = self.steps[open.left.clone()].to_vec();
        left.sort_by_key(|step| step.rank);
        let above = self.share.take();
        let mut shares = locked(&crew.shares);
        let cut = AtomicBool::new(above.as_ref().is_some_and(|above| above.is_cut()));
        // Whoever shares it out is at one of its moves.
        let work = Mutex::new(Work { left, busy: 1, best, chosen, nodes: 0 });
        let share = Arc::new(Share { spot, depth, alpha, level: self.level, above, cut, work });
        shares.push(Arc::clone(&share));
        drop(shares);
        open.share = Some(Arc::clone(&share));
        self.share = Some(share);
        crew.announce();
    }

    /// The move under way at the position opened last led to this score. If the others have been shared out, whoever did
    /// so tries them too until all are answered for: the best score of all, and its move.
    pub(super) fn close(&mut self, score: i32, square: u8) -> Option<(i32, u8)> {
        let (share, crew) = (self.opened.pop()?.share?, self.crew?);
        self.answer(crew, &share, score, square);
        let done = || {
            let work = locked(&share.work);
            work.busy == 0 && (work.left.is_empty() || share.is_cut())
        };
        while let Some((taken, step)) = crew.next(Some(&share), done) {
            self.take_part(crew, &taken, &step);
        }
        locked(&crew.shares).retain(|other| !Arc::ptr_eq(other, &share));
        self.share.clone_from(&share.above);
        self.stopped = self.is_told_to_stop();
        let work = locked(&share.work);
        self.nodes += work.nodes;
        Some((work.best, work.chosen))
    }

    /// Answers for one move of a position that was shared out.
    fn answer(&self, crew: &SplitPool, share: &Share, score: i32, square: u8) {
        let mut work = locked(&share.work);
        work.busy -= 1;
        if self.stopped {
            return;
        }
        if score > work.best {
            (work.best, work.chosen) = (score, square);
        }
        drop(work);
        if score > share.alpha {
            crew.cut(share);
        }
    }

    /// Tries one move of a position that was shared out, perhaps by another thread.
    fn take_part(&mut self, crew: &SplitPool, share: &Arc<Share>, step: &Step) {
        let (level, before) = (self.level, self.nodes);
        let outer = self.share.replace(Arc::clone(share));
        self.level = share.level;
        self.stopped = self.is_told_to_stop();
        let score = if self.stopped {
            share.alpha
        } else {
            -self.ahead(&share.spot.after(step), share.depth - 1, -share.alpha - 1)
        };
        locked(&share.work).nodes += self.nodes - before;
        self.nodes = before;
        self.answer(crew, share, score, step.square);
        // Somebody may wait for the last answer.
        crew.announce();
        (self.level, self.share) = (level, outer);
        self.stopped = self.is_told_to_stop();
    }

    /// Helps wherever there is work until the search is over.
    pub(super) fn help(&mut self, crew: &'a SplitPool) {
        self.crew = Some(crew);
        while let Some((share, step)) = crew.next(None, || false) {
            self.take_part(crew, &share, &step);
        }
    }
}
