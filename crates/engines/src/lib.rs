//! The only room where a game meets an algorithm: evaluations and crafts, one folder per game, and the
//! registry that turns an engine spec such as `alphabeta:depth=8,eval=classic` into a player.

mod build;
mod ostle;
mod othello;
mod random;
mod roster;
mod shogi;
mod spec;
mod trax;

pub use random::RandomMover;
pub use roster::{Roster, Setting};
pub use spec::{Spec, SpecError};
