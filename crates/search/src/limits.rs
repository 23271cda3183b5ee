//! How long to think: depth, nodes, time.

use std::time::{Duration, Instant};

/// What a search may spend. Without any limit it thinks until it is stopped or done.
#[derive(Clone, Debug, Default)]
pub struct Limits {
    /// Plies to look ahead.
    pub depth: Option<u32>,
    /// Positions to visit (play-outs, for a tree grown by them).
    pub nodes: Option<u64>,
    /// Time to use.
    pub time: Option<Time>,
    /// How many best moves to report, at least one.
    pub lines: usize,
    /// Whether values are wanted that were searched for now: an answer out of a book will not do.
    pub afresh: bool,
    /// When the thinking began, if earlier than the call: when the command was read.
    pub begun: Option<Instant>,
}

/// A clock, as the mover sees it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Time {
    /// So much for this move.
    Move(Duration),
    /// A game clock.
    Clock {
        /// What is left.
        left: Duration,
        /// What each move adds.
        increment: Duration,
        /// What each move has besides, once nothing is left.
        byoyomi: Duration,
    },
}
