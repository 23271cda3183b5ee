//! Retrograde analysis: solves a whole game backwards, from the boards that win at once to every board.
//!
//! The boards have a perfect index ([`PerfectIndex`]), and a few bytes per board hold what is known of it. The solver
//! proceeds layer by layer, a layer being the boards with one distance to win (DTW). A board of the layer propagates its
//! value to its predecessors: a move to a lost board wins, a move to a won board is refuted, and a board without other
//! moves is lost. Each move is followed once.
//!
//! Where the rules forbid the move that takes the last one back (ko), a board would need one value per forbidden move.
//! But a forbidden move changes the value only if it is better than all others, so two values and one move
//! ([`BoardValue`]) are enough.
//!
//! Stages are solved in order: the values of moves to an earlier stage are known when a stage begins, and fit in one
//! byte. The result depends neither on the number of threads nor on interruptions.

pub(crate) mod checkpoint;
mod error;
mod evaluate;
mod initialize;
pub(crate) mod memory;
pub(crate) mod messages;
mod propagate;
mod share;
mod solve;
mod stage;
mod state;
mod statistics;
mod values;
mod verify;

pub use checkpoint::CheckpointDir;
pub use error::RetrogradeError;
pub use memory::{MemoryBudget, Plane};
pub use share::{
    FinishedShare, MOST_SHARES, Outbox, Packet, Partition, ShareCounters, SharePhase, ShareStage, ShareValues,
};
pub use solve::{SolveProgress, SolveResult, SolveSettings, solve};
pub(crate) use statistics::span_statistics;
pub use statistics::{ClassStatistics, LONGEST, LongestEntry, ORPHANS, class_statistics};
pub use tesuji_task::Control;
pub use values::{BoardSource, BoardValue, ClassValues, Solution};
pub(crate) use verify::verify_span;
pub use verify::{ValueMismatch, verify};

#[allow(unused_imports)] // For the links above.
use tesuji_game::PerfectIndex;
