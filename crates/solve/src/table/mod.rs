//! The table of a solved game: small enough to keep, quick enough to ask at every move, and never believed without
//! its checksums.
//!
//! Each class of boards is one file of blocks ([`tesuji_store::blocks`]). A block holds some thousand boards next to
//! each other in the numbering, coded by how often each value follows the values before it; these frequencies are
//! counted over the class and stand in the head of the file. Boards that win at once, and numbers that no board has,
//! are known without a table and take no room. What a block says is the two values of a board and the move that
//! decides between them, named by its place among the moves that can be taken back.
//!
//! All this serves whatever is to be told of boards in two numbers and a move; distances from the start are
//! [kept](crate::reach::Distances) in the same way.
//!
//! A [`Kind::Outcomes`] table leaves the plies out and keeps only who wins.

mod block;
pub(crate) mod cache;
pub(crate) mod cell;
mod check;
mod context;
mod counts;
mod error;
mod facts;
pub(crate) mod file;
pub(crate) mod head;
pub(crate) mod make;
mod model;
mod rans;
mod read;
mod solved;
mod verdict;
mod write;

pub use check::{Checked, verify_files};
pub use error::TableError;
pub use facts::{Facts, Kind};
pub use head::Title;
pub use make::Progress;
pub use read::{DEFAULT_CACHE, Table};
pub use verdict::{Verdict, Worth};
pub use write::Writer;
