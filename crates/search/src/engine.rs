//! The interface of every engine: a record and limits in, reports during the search, a choice at the end.

use std::time::{Duration, Instant};

use tesuji_game::{Game, Record};

use crate::clock::TimeBudget;
use crate::{CancelToken, Value};

/// An engine of one game.
pub trait Engine<G: Game>: Send {
    /// Chooses a move at the end of `record` within `limits`. Calls `watch` after every completed iteration. After
    /// `stop` is cancelled it soon returns the best choice so far.
    fn think(
        &mut self,
        record: &Record<G>,
        limits: &Limits,
        stop: &CancelToken,
        watch: &mut dyn FnMut(&SearchReport<G::Move>),
    ) -> Choice<G::Move>;

    /// Starts a new game: clears the transposition table, the tree and everything learned.
    fn forget(&mut self) {}

    /// The visit counts of the moves in the last search, as the target of a policy: none for engines that count no
    /// visits. A proven win has them all, and a proven loss has none beside better moves.
    fn root_visits(&self) -> Vec<(G::Move, u32)> {
        Vec::new()
    }
}

impl<G: Game, E: Engine<G> + ?Sized> Engine<G> for Box<E> {
    fn think(
        &mut self,
        record: &Record<G>,
        limits: &Limits,
        stop: &CancelToken,
        watch: &mut dyn FnMut(&SearchReport<G::Move>),
    ) -> Choice<G::Move> {
        (**self).think(record, limits, stop, watch)
    }

    fn forget(&mut self) {
        (**self).forget();
    }

    fn root_visits(&self) -> Vec<(G::Move, u32)> {
        (**self).root_visits()
    }
}

/// What an engine decides.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Choice<M> {
    /// Plays a move.
    Move {
        /// The move.
        mv: M,
        /// The expected reply (the ponder move).
        reply: Option<M>,
    },
    /// Claims a win.
    Claim,
    /// Resigns.
    Resign,
    /// The game is over.
    Over,
}

/// Limits of a search. Without any it runs until it is cancelled or the position is solved.
#[derive(Clone, Debug, Default)]
pub struct Limits {
    /// Depth in plies.
    pub depth: Option<u32>,
    /// Nodes (playouts, for MCTS).
    pub nodes: Option<u64>,
    /// Time control.
    pub time: Option<Time>,
    /// Number of lines to report (multi-PV), at least one.
    pub lines: usize,
    /// Whether to search even where the opening book has a move.
    pub ignore_book: bool,
    /// When the clock started, if earlier than the call: when the command was read.
    pub started: Option<Instant>,
}

/// A time control, as the side to move sees it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Time {
    /// A fixed time for this move.
    Move(Duration),
    /// A game clock.
    Clock {
        /// Remaining time.
        left: Duration,
        /// Increment per move.
        increment: Duration,
        /// Byoyomi: time per move once nothing is left.
        byoyomi: Duration,
    },
    /// Limits that the caller planned by itself.
    Planned(TimeBudget),
}

/// A report of a search, sent after every completed iteration.
#[derive(Clone, PartialEq, Debug)]
pub struct SearchReport<M> {
    /// The completed depth.
    pub depth: u32,
    /// The selective depth: the longest line searched.
    pub seldepth: u32,
    /// Nodes searched.
    pub nodes: u64,
    /// Time since the search started.
    pub time: Duration,
    /// The used share of the transposition table or tree in thousandths.
    pub hashfull: Option<u32>,
    /// The principal variations, best first.
    pub lines: Vec<PvLine<M>>,
    /// Where they come from.
    pub source: ReportSource,
}

/// Where the lines of a report come from.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum ReportSource {
    /// A search.
    #[default]
    Search,
    /// An opening book.
    Book,
    /// A tablebase.
    Tablebase,
    /// The policy of a network, without a search.
    Policy,
}

impl ReportSource {
    /// `search`, `book`, `tablebase` or `policy`.
    pub fn name(self) -> &'static str {
        match self {
            ReportSource::Search => "search",
            ReportSource::Book => "book",
            ReportSource::Tablebase => "tablebase",
            ReportSource::Policy => "policy",
        }
    }
}

/// A principal variation and its value.
#[derive(Clone, PartialEq, Debug)]
pub struct PvLine<M> {
    /// The value for the side to move.
    pub value: Value,
    /// Whether the value is exact or a bound.
    pub bound: Bound,
    /// The moves of the line.
    pub moves: Vec<M>,
    /// The win rate, for MCTS.
    pub rate: Option<f64>,
    /// The probability that a policy gives the first move.
    pub prior: Option<f64>,
    /// Whether no evaluation went into the value: it is that of perfect play.
    pub solved: bool,
}

/// How a value bounds the true value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Bound {
    /// It is the true value.
    Exact,
    /// The true value is at least this.
    Lower,
    /// The true value is at most this.
    Upper,
}
