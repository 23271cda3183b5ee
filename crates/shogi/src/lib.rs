//! Shogi: board, moves, notation and record formats. No search, no files.

mod attacks;
mod bits;
mod board;
mod formats;
mod key;
mod moves;
mod piece;
mod position;
mod setup;
mod sfen;
mod simple;
mod sliders;
mod square;
mod tables;
mod usi;
mod verdict;

pub use moves::{Move, Moves};
pub use piece::{Kind, Piece};
pub use position::{Shogi, Undo};
pub use setup::{Setup, SetupError};
pub use square::Square;
pub use verdict::{Declaration, Rules};
