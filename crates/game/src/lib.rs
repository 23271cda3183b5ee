//! The traits and types that all games and all algorithms of tesuji share.
//!
//! A game implements [`Game`] and the capability traits it supports. Search, solvers and learning live in other
//! crates and are generic over these traits. This crate has no I/O, no threads, no clock and no random numbers.

mod format;
mod game;
pub mod isa;
mod moves;
mod notation;
mod opening;
mod outcome;
mod packed;
mod path;
mod perfect_index;
pub mod perft;
mod planes;
pub mod reason;
mod record;
mod side;
pub mod tagged;
mod text;
mod time_control;
mod variation;
mod view;

pub use format::{Format, Formats, LINES, TAGGED, lines};
pub use game::{Claims, Game, Margin, Symmetric};
pub use moves::{Move, MoveList};
pub use notation::{Notation, TextError};
pub use opening::{NamedOpenings, OpeningKind, OpeningName};
pub use outcome::{Ending, Outcome, result_text};
pub use packed::Packed;
pub use path::{Path, Repetition};
pub use perfect_index::{BoardRank, HasPerfectIndex, NO_MOVE, PerfectIndex, Predecessor, PublishedResults, Successor};
pub use planes::{DensePlanes, Encoding, PlaneInput, Planes, SparsePlanes};
pub use record::{ParsedRecord, Ply, PushError, Record, RecordError, tags};
pub use side::Side;
pub use text::{counted, grouped};
pub use time_control::ClockTag;
pub use variation::Variation;
pub use view::{BoardView, Ground, HandPiece, Highlight, HighlightKind, NativeWords, PieceCounts, View, ViewCell};
