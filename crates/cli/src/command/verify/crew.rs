//! Threads that share work out, and the bar that tells how far they are.

use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};

use crate::out::{Out, Progress};
use crate::think::interrupted;

/// Does the tasks from 0 to `count`, each once, until one says to stop.
pub(super) fn share(threads: usize, count: usize, work: &(dyn Fn(usize) -> bool + Sync)) {
    let next = AtomicUsize::new(0);
    let hand = || {
        loop {
            let task = next.fetch_add(1, Ordering::Relaxed);
            if task >= count {
                return;
            }
            if !work(task) {
                next.store(count, Ordering::Relaxed);
            }
        }
    };
    std::thread::scope(|scope| {
        for _ in 1..threads {
            scope.spawn(hand);
        }
        hand();
    });
}

/// How far some work is, as a bar with the time left.
pub(super) struct Gauge {
    progress: Progress,
    total: u64,
    done: AtomicU64,
    shown: AtomicU64,
}

/// Steps of a bar.
const STEPS: u64 = 1000;

impl Gauge {
    pub(super) fn new(out: &Out, total: u64) -> Gauge {
        let (done, shown) = (AtomicU64::new(0), AtomicU64::new(0));
        Gauge { progress: out.progress(STEPS), total: total.max(1), done, shown }
    }

    /// So much is done in all.
    pub(super) fn done(&self) -> u64 {
        self.done.load(Ordering::Relaxed)
    }

    /// So much more is done; whether to go on.
    pub(super) fn add(&self, more: u64) -> bool {
        self.show(self.done.fetch_add(more, Ordering::Relaxed) + more)
    }

    /// So much is done, unless more is already; whether to go on.
    pub(super) fn reach(&self, done: u64) -> bool {
        self.done.fetch_max(done, Ordering::Relaxed);
        self.show(done)
    }

    fn show(&self, done: u64) -> bool {
        let step = (u128::from(done) * u128::from(STEPS) / u128::from(self.total)).min(STEPS.into()) as u64;
        (self.shown.fetch_max(step, Ordering::Relaxed)..step).for_each(|_| self.progress.step());
        !interrupted()
    }
}

impl Drop for Gauge {
    fn drop(&mut self) {
        self.progress.done();
    }
}
