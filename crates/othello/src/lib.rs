//! Othello: board, moves, notation, symmetry and record formats. No search, no files.
//!
//! Boards are 64-bit sets of squares: a1 is bit 0, b1 bit 1, h8 bit 63. What a solver or a search builds on
//! is [`flips`] and [`mobility`]; code that is itself compiled for an instruction set may call the twins in
//! [`kernel`] directly and have them inlined.

mod board;
mod formats;
mod ggf;
pub mod kernel;
mod moves;
mod names;
mod notation;
mod obf;
mod square;
mod symmetry;
mod transcript;
mod view;
mod wthor;

pub use board::Othello;
pub use formats::{GGF, OBF, TRANSCRIPT, WTHOR};
pub use kernel::{flips, mobility};
pub use moves::Moves;
pub use names::{Kind, Names};
pub use obf::Problem;
pub use square::{Move, Square};
