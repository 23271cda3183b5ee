//! When a search ends before its time: somebody raises a flag, the clock runs out, or enough positions were visited.

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::{Duration, Instant};

use tesuji_search::CancelToken;

/// Questions between two looks at the clock.
const OFTEN: u64 = 1 << 7;

/// What ends a search, for all its threads.
#[derive(Debug)]
pub(super) struct Watch<'a> {
    stop: &'a CancelToken,
    begun: Instant,
    /// Not a moment longer.
    time: Option<Duration>,
    /// Not a position more, as the first thread counts them.
    nodes: Option<u64>,
    over: AtomicBool,
}

impl<'a> Watch<'a> {
    /// Only the flag ends the search.
    pub(super) fn new(stop: &'a CancelToken) -> Watch<'a> {
        Watch { stop, begun: Instant::now(), time: None, nodes: None, over: AtomicBool::new(false) }
    }

    /// The same with limits.
    pub(super) fn limited(self, begun: Instant, time: Option<Duration>, nodes: Option<u64>) -> Watch<'a> {
        Watch { begun, time, nodes, ..self }
    }

    /// Whether the search is over.
    #[inline(always)]
    pub(super) fn is_over(&self) -> bool {
        self.stop.is_cancelled() || self.over.load(Relaxed)
    }

    /// Looks at the clock once in a while: whenever a thread, which has visited so many positions, has asked often enough.
    #[inline(always)]
    pub(super) fn look(&self, asked: u64, nodes: u64) {
        if asked.is_multiple_of(OFTEN) {
            self.look_closely(nodes);
        }
    }

    #[cold]
    fn look_closely(&self, nodes: u64) {
        let late = self.time.is_some_and(|time| self.begun.elapsed() >= time);
        if late || self.nodes.is_some_and(|most| nodes >= most) {
            self.over.store(true, Relaxed);
        }
    }
}
