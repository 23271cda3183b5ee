//! Shogi: board, moves, notation and record formats. No search, no files.

mod attacks;
#[cfg(target_arch = "x86_64")]
mod avx2;
mod bits;
mod board;
mod class;
mod colour;
mod count;
mod formats;
mod generate;
mod key;
mod leaves;
mod moves;
mod objection;
mod pawn_drop;
mod piece;
mod portable;
mod position;
mod reach;
mod replies;
mod setup;
mod sfen;
mod sliders;
mod square;
mod tables;
mod usi;
mod verdict;
mod view;

pub use moves::{Move, Moves};
pub use objection::Objection;
pub use piece::{Kind, Piece};
pub use position::{Shogi, Undo};
pub use setup::{Setup, SetupError};
pub use square::Square;
pub use verdict::{Declaration, Rules};
