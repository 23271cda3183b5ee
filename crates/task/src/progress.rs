//! Progress of an operation, and the context it runs in.

use std::sync::atomic::{AtomicU64, Ordering};

use crate::CancelToken;

/// How far an operation is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Progress<'a> {
    /// Steps done.
    pub done: u64,
    /// Steps in all; 0 when unknown.
    pub total: u64,
    /// What is under way, in a few words; empty when there is nothing to add.
    pub note: &'a str,
}

/// What an operation gets from its front end: how it is cancelled, and whom it tells how far it is.
#[derive(Clone, Copy)]
pub struct Context<'a> {
    /// Cancels the operation.
    pub cancel: &'a CancelToken,
    /// Is told how far the operation is, from any thread.
    pub progress: &'a (dyn Fn(Progress<'_>) + Sync),
}

impl<'a> Context<'a> {
    /// A context whose progress nobody watches.
    pub fn silent(cancel: &'a CancelToken) -> Context<'a> {
        Context { cancel, progress: &|_| {} }
    }

    /// Whether the operation is to end.
    pub fn is_cancelled(&self) -> bool {
        self.cancel.is_cancelled()
    }

    /// Tells that `done` of `total` steps are done.
    pub fn report(&self, done: u64, total: u64) {
        (self.progress)(Progress { done, total, note: "" });
    }

    /// Counts steps that several threads do.
    pub fn counter(&self, total: u64) -> Counter<'a> {
        Counter { context: *self, total, done: AtomicU64::new(0) }
    }
}

/// Steps done by several threads, told to the watcher of a [`Context`].
pub struct Counter<'a> {
    context: Context<'a>,
    total: u64,
    done: AtomicU64,
}

impl Counter<'_> {
    /// Steps done.
    pub fn done(&self) -> u64 {
        self.done.load(Ordering::Relaxed)
    }

    /// So many more steps are done; whether to go on.
    pub fn add(&self, more: u64) -> bool {
        let done = self.done.fetch_add(more, Ordering::Relaxed) + more;
        self.context.report(done, self.total);
        !self.context.is_cancelled()
    }

    /// So many steps are done, unless more are already; whether to go on.
    pub fn raise_to(&self, done: u64) -> bool {
        let before = self.done.fetch_max(done, Ordering::Relaxed);
        self.context.report(done.max(before), self.total);
        !self.context.is_cancelled()
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;

    use super::*;

    #[test]
    fn a_counter_tells_every_step_and_stops_when_cancelled() {
        let (cancel, told) = (CancelToken::new(), Mutex::new(Vec::new()));
        let watch = |progress: Progress<'_>| told.lock().unwrap().push((progress.done, progress.total));
        let counter = Context { cancel: &cancel, progress: &watch }.counter(10);
        assert!(counter.add(3) && counter.raise_to(2) && counter.raise_to(7));
        cancel.cancel();
        assert!(!counter.add(1));
        assert_eq!(*told.lock().unwrap(), [(3, 10), (3, 10), (7, 10), (8, 10)]);
        assert_eq!(counter.done(), 8);
    }
}
