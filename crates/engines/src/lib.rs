//! The only room where a game meets an algorithm: evaluations and crafts, one folder per game, and the
//! registry that turns an engine spec such as `alphabeta:depth=8,eval=classic` into a player.

mod background;
mod build;
mod duel;
mod engines;
mod limited;
mod nearest;
pub mod ostle;
pub mod othello;
mod random;
mod roster;
mod shogi;
mod spec;
mod table;
mod times;
pub mod training;
pub mod trax;

pub use background::{SearchEvent, spawn, spawn_search};
pub use duel::{Duel, Score};
pub use engines::{EngineFactory, Maker};
pub use random::RandomMover;
pub use roster::{HasEngines, KINDS, Kind, Setting, TABLE};
pub use spec::{Spec, SpecError};
pub use table::{Perfect, from_table};
pub use times::{clock, duration};
pub use training::Trainable;
