//! The vocabulary that every game and every algorithm of tesuji shares.
//!
//! A game implements [`Game`] and whichever of the small capability traits it truly has; searching, solving
//! and learning live elsewhere and know no game. Nothing here does I/O, starts threads, reads a clock or
//! rolls dice.

mod capability;
mod format;
pub mod isa;
mod moves;
mod notation;
mod numbered;
mod outcome;
mod path;
pub mod perft;
mod position;
mod ranked;
mod record;
mod side;
mod view;

pub use capability::{Claims, Margin, Symmetric};
pub use format::{Format, Formats, LINES, lines};
pub use moves::{Move, MoveList};
pub use notation::{Notation, TextError};
pub use numbered::{Known, Numbered};
pub use outcome::{Ending, Outcome};
pub use path::{Path, Recurrence};
pub use position::Game;
pub use ranked::{Back, NO_MOVE, Place, Ranked, Step};
pub use record::{Fault, Ply, Reading, Record, Refusal, tags};
pub use side::Side;
pub use view::{BoardView, Cell, Ground, HandPiece, View};
