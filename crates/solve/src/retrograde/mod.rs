//! Solving a whole game backwards: from the boards that win at once to every board there is.
//!
//! The boards are numbered ([`PerfectIndex`]), and what is known of each lies in a few bytes. Layer by layer, a board
//! worth so many plies tells the boards before it: a move to a board that is lost wins, a move to one that is won is
//! refuted, and a board without other moves is lost. Each move is followed once.
//!
//! Where the rules forbid the move that takes the last one back, a board would have a value for each move that may
//! be forbidden. But forbidding a move changes the value only if that move is better than all others: so two
//! values and one move ([`Value`]) say it all.
//!
//! Stages are solved one after the other: what a move to an earlier stage is worth is known when its stage
//! begins, and fits in one byte. The result does not depend on the number of threads, nor on how often the work
//! was interrupted.

mod begin;
pub(crate) mod boxes;
mod cell;
mod census;
mod error;
mod forward;
mod memory;
mod push;
mod settle;
pub(crate) mod shelf;
mod solve;
pub(crate) mod spans;
mod stage;
mod values;
mod verify;

pub use census::{Census, Far, LONGEST, ORPHANS, census};
pub use error::RetrogradeError;
pub use memory::{Budget, Plane};
pub use shelf::CheckpointDir;
pub use solve::{Ended, Plan, Report, solve};
pub use tesuji_task::Control;
pub use values::{Solution, Value, Values};
pub use verify::{Wrong, verify};

#[allow(unused_imports)] // For the links above.
use tesuji_game::PerfectIndex;
