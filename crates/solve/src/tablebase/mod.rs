//! Tablebases: the values of all boards of a solved game, compressed, checksummed and quick to probe.
//!
//! Each class of boards is one file of blocks ([`tesuji_store::blocks`]). A block holds some thousand boards with
//! consecutive indices, entropy-coded: the frequency of each value given the values before it is counted over the class
//! and stored in the header of the file. Boards that win at once, and indices without a board, need no entry. An entry
//! is the two values of a board and the move that decides between them, encoded by its position among the reversible
//! moves.
//!
//! The same coding serves any entry of two numbers and a move; distances from the start
//! ([`DistanceTable`](crate::reachability::DistanceTable)) use it too.
//!
//! A [`Metric::Wdl`] tablebase omits the distance to win.

mod block;
pub mod build;
pub(crate) mod coding;
mod command;
mod error;
pub(crate) mod file;
pub(crate) mod header;
mod model;
mod probe;
pub mod query;
mod rans;
mod shares;
mod summary;
mod value_coding;
pub mod verify;
pub(crate) mod write;

pub use command::ShellCommand;
pub use error::TablebaseError;
pub use header::{ClassInfo, Metric, TablebaseId};
pub use probe::{DEFAULT_CACHE, PositionValue, ProbeResult, Tablebase};
pub use shares::{ClassJoiner, ClassModel, ShareCoder, ShareCounts};
pub use summary::{ClassSummary, TablebaseSummary};
pub use write::{TablebaseWriter, WriteProgress};
