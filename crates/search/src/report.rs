//! What a search tells on its way.

use std::time::Duration;

use crate::Value;

/// News from a search, published when an iteration is complete.
#[derive(Clone, PartialEq, Debug)]
pub struct Report<M> {
    /// Plies looked ahead, completed.
    pub depth: u32,
    /// The deepest line looked at.
    pub deepest: u32,
    /// Positions visited.
    pub nodes: u64,
    /// Time since the search began.
    pub time: Duration,
    /// How full the table is, in thousandths.
    pub full: Option<u32>,
    /// The best moves, best first.
    pub lines: Vec<Line<M>>,
}

/// A move, what it is worth, and what is expected to follow.
#[derive(Clone, PartialEq, Debug)]
pub struct Line<M> {
    /// The worth, seen by the mover.
    pub value: Value,
    /// Whether it is exact or only a bound.
    pub bound: Bound,
    /// The moves expected, the first one included.
    pub moves: Vec<M>,
    /// The share of play-outs won, for searches that count those.
    pub rate: Option<f64>,
}

/// How a value bounds the truth.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Bound {
    /// It is the truth.
    Exact,
    /// The truth is at least this.
    Lower,
    /// The truth is at most this.
    Upper,
}
