//! Othello: rules, notation, symmetries and record formats. No search, no I/O.
//!
//! Bitboards are `u64`: a1 is bit 0, b1 bit 1, h8 bit 63.
//!
//! ```text
//!     a  b  c  d  e  f  g  h
//! 1   0  1  2  3  4  5  6  7
//! 2   8  9 10 11 12 13 14 15
//! …                        …
//! 8  56 57 58 59 60 61 62 63
//! ```
//!
//! Solvers and searches build on [`flips`] and [`mobility`]. Code that is compiled for an instruction set may call the
//! versions in [`kernel`] directly, so that they are inlined.

mod board;
mod formats;
mod ggf;
pub mod kernel;
mod moves;
mod names;
mod notation;
mod obf;
mod openings;
mod packed;
mod planes;
mod square;
mod stability;
mod symmetry;
mod transcript;
mod view;
mod wthor;

pub use board::Othello;
pub use formats::{GGF, OBF, TRANSCRIPT, WTHOR};
pub use kernel::{flips, mobility};
pub use moves::Moves;
pub use names::{Names, NamesKind};
pub use obf::{ObfProblem, position_at_empties};
pub use square::{Move, Square};
pub use stability::{EdgeStability, stable_discs};
