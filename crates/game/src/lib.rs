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
mod outcome;
mod path;
mod perfect_index;
pub mod perft;
mod position;
mod record;
mod side;
mod view;

pub use capability::{Claims, Margin, Symmetric};
pub use format::{Format, Formats, LINES, lines};
pub use moves::{Move, MoveList};
pub use notation::{Notation, TextError};
pub use outcome::{Ending, Outcome};
pub use path::{Path, Repetition};
pub use perfect_index::{
    BoardRank, HasPerfectIndex, NO_MOVE, PerfectIndex, Predecessor, PublishedResults, Successor,
};
pub use position::Game;
pub use record::{ParsedRecord, Ply, PushError, Record, RecordError, tags};
pub use side::Side;
pub use view::{BoardView, Ground, HandPiece, View, ViewCell};
