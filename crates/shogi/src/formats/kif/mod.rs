//! The record formats of Kifu for Windows and the programs after it: KIF, with origins and times, and KI2,
//! which reads as books print it.

mod clock;
mod line;
mod moves;
mod read;
mod relative;
mod result;
mod start;
mod words;
mod write;

pub(super) use moves::ki2 as book_move;
pub(super) use read::KifReader;
pub(super) use write::{ki2, kif};
