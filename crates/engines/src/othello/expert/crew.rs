//! Several threads in one search: where the first move of a position did not settle it, the others are shared out
//! (young brothers wait).
//!
//! Whoever shares a position out works on it too, and leaves it only when all its moves are answered for. Meanwhile
//! it takes part in what its helpers share out below, and in nothing else.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

use super::kernel::Kernel;
use super::level::Level;
use super::spot::Spot;
use super::tree::Step;
use super::walk::Walk;

/// With so many plies to go or more, a position may be shared out.
pub(super) const SHARED: u32 = 14;

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
pub(super) struct Crew {
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

impl Crew {
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

impl<'a, K: Kernel> Walk<'a, K> {
    /// Tries the moves listed from `base` on together with whoever is idle: the best score of them and of `best`, and
    /// its move.
    pub(super) fn shared(
        &mut self,
        crew: &'a Crew,
        spot: &Spot,
        depth: u32,
        alpha: i32,
        base: usize,
        (best, chosen): (i32, u8),
    ) -> (i32, u8) {
        let mut left = self.steps.split_off(base);
        left.sort_by_key(|step| step.rank);
        let work = Mutex::new(Work { left, busy: 0, best, chosen, nodes: 0 });
        let above = self.share.clone();
        let cut = AtomicBool::new(false);
        let share = Arc::new(Share { spot: *spot, depth, alpha, level: self.level, above, cut, work });
        locked(&crew.shares).push(Arc::clone(&share));
        crew.announce();
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
        (work.best, work.chosen)
    }

    /// Tries one move of a position that was shared out, perhaps by another thread.
    fn take_part(&mut self, crew: &Crew, share: &Arc<Share>, step: &Step) {
        let (level, before) = (self.level, self.nodes);
        let outer = self.share.replace(Arc::clone(share));
        self.level = share.level;
        self.stopped = self.is_told_to_stop();
        let score = if self.stopped {
            share.alpha
        } else {
            -self.ahead(&share.spot.after(step), share.depth - 1, -share.alpha - 1)
        };
        let nodes = self.nodes - before;
        self.nodes = before;
        let cut = {
            let mut work = locked(&share.work);
            work.busy -= 1;
            work.nodes += nodes;
            if !self.stopped && score > work.best {
                (work.best, work.chosen) = (score, step.square);
            }
            !self.stopped && score > share.alpha
        };
        if cut {
            crew.cut(share);
        }
        // Somebody may wait for the last answer.
        crew.announce();
        (self.level, self.share) = (level, outer);
        self.stopped = self.is_told_to_stop();
    }

    /// Helps wherever there is work until the search is over.
    pub(super) fn help(&mut self, crew: &'a Crew) {
        self.crew = Some(crew);
        while let Some((share, step)) = crew.next(None, || false) {
            self.take_part(crew, &share, &step);
        }
    }
}
