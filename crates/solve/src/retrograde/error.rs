//! Why a game could not be solved, and what to do about it.

use std::io;
use std::path::PathBuf;

use tesuji_store::StoreError;
use thiserror::Error;

/// What stopped a solution.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum RetrogradeError {
    /// Found out before anything was begun.
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
    /// The system has less memory than it was thought to have.
    #[error("the system gives no memory for a stage: {0}")]
    Allocation(io::Error),
    /// A game this solver cannot hold.
    #[error(
        "number {index} of class {class} has more moves than can be counted, or moves with numbers from 127 on"
    )]
    Misfit {
        /// The name of the class.
        class: String,
        /// The number of the board.
        index: u32,
    },
    /// Values are needed that the solution does not hold.
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
        /// What the system said.
        source: io::Error,
    },
    /// A file does not hold what was once written there.
    #[error("{}: {what}", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What is wrong with it, and what would be right.
        what: String,
    },
    /// Whole, but of something else.
    #[error("{} is about {found}; {expected} is needed here: choose another directory", path.display())]
    Other {
        /// The file.
        path: PathBuf,
        /// What it says.
        found: String,
        /// What was asked for.
        expected: String,
    },
}
