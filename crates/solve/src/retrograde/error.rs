//! Errors of retrograde analysis.

use std::io;
use std::path::PathBuf;

use tesuji_store::StoreError;
use thiserror::Error;

/// Why a game could not be solved.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum RetrogradeError {
    /// More memory is needed than allowed; detected before the work begins.
    #[error(
        "solving this takes {} MiB of memory at its peak, and {} MiB are allowed: allow more, or solve fewer stages",
        needed.div_ceil(1 << 20), allowed >> 20
    )]
    Memory {
        /// Bytes.
        needed: u64,
        /// Bytes.
        allowed: u64,
    },
    /// Cancelled. What the last complete checkpoint holds is kept.
    #[error("cancelled")]
    Cancelled,
    /// The system refused an allocation.
    #[error("cannot allocate memory for a stage: {0}")]
    Allocation(io::Error),
    /// A board that does not fit the packed state.
    #[error("board {index} of class {class} has more moves than the solver can count, or a move number above 126")]
    TooManyMoves {
        /// The name of the class.
        class: String,
        /// The number of the board.
        index: u32,
    },
    /// Values of a class that the computation depends on are not loaded.
    #[error("the values of class {class} are needed and not loaded: load its whole stage and those before")]
    Missing {
        /// The name of the class.
        class: String,
    },
    /// A file could not be written.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// A file could not be read.
    #[error("cannot read {}: {source}", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// The system's error.
        source: io::Error,
    },
    /// A damaged file.
    #[error("{}: {what}", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What is wrong, and the remedy.
        what: String,
    },
    /// An intact file of another game or version.
    #[error("{} belongs to {found}, not to {expected}: choose another directory", path.display())]
    Other {
        /// The file.
        path: PathBuf,
        /// What the file says.
        found: String,
        /// What was expected.
        expected: String,
    },
}
