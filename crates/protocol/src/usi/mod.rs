//! USI, the protocol between shogi board programs and engines: both directions, read and printed.
//!
//! Moves and positions stay text here; the game they belong to is not this room's business. Whatever a line
//! holds, reading it gives a command, an answer or nothing, never a panic.

mod answer;
mod command;
mod go;
mod news;
mod option;
mod words;

pub use answer::{Answer, BestMove, Checkmate};
pub use command::{Command, Placement, Verdict};
pub use go::{Clock, Go, Mate};
pub use news::{Bound, News, Score, Worth};
pub use option::{Kind, Offer};
