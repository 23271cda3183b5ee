//! Engines: per game the evaluations, search heuristics and specialised searches, and the factory that turns an engine
//! spec such as `alphabeta:depth=8,eval=classic` into an engine.

mod background;
pub mod book;
pub mod corpus;
mod factory;
mod kind;
pub mod levels;
mod limited;
pub mod network;
pub mod ostle;
pub mod othello;
pub mod puzzles;
mod random;
pub mod record_list;
mod shipped;
pub mod shogi;
mod spec;
mod tablebase;
mod times;
pub mod training;
pub mod trax;

pub use background::{SearchEvent, spawn, spawn_search};
pub use factory::{EngineConstructor, EngineFactory, HasEngines};
pub use kind::{EngineKind, EngineSetting, KINDS, TABLE};
pub use levels::{LEVEL, Level, LevelInfo};
pub use random::RandomMover;
pub use shipped::shipped_checksum;
pub use spec::{Spec, SpecError};
pub use tablebase::{TablebasePlayer, from_table};
pub use times::{clock, duration};
pub use training::Trainable;
