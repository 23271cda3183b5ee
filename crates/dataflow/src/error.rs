//! Errors of a run.

use std::io;
use std::path::PathBuf;

use tesuji_solve::retrograde::RetrogradeError;
use tesuji_solve::tablebase::TablebaseError;
use tesuji_store::StoreError;
use thiserror::Error;

/// Why a run ended before its end. What the last common checkpoint holds is kept.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum DataflowError {
    /// A process ended, or cannot be reached any more.
    #[error("process {process} at {address} is lost: it ended or cannot be reached")]
    Lost {
        /// The process.
        process: usize,
        /// Its address.
        address: String,
    },
    /// A process could not be reached at the beginning.
    #[error("process {process} at {address} did not come within {seconds} s: {why}")]
    Absent {
        /// The process.
        process: usize,
        /// Its address.
        address: String,
        /// How long it was waited for.
        seconds: u64,
        /// The last attempt.
        why: String,
    },
    /// A process was started for something else.
    #[error("process {process} at {address} runs `{found}`, this one `{expected}`: start all with the same options")]
    Other {
        /// The process.
        process: usize,
        /// Its address.
        address: String,
        /// What it runs.
        found: String,
        /// What this process runs.
        expected: String,
    },
    /// The address of this process cannot be listened on.
    #[error("cannot listen on {address}, the address of process {process}: {source}")]
    Listen {
        /// This process.
        process: usize,
        /// Its address.
        address: String,
        /// The system's error.
        source: io::Error,
    },
    /// A connection failed at the beginning.
    #[error("cannot connect the processes: {0}")]
    Connection(io::Error),
    /// Unfinished work that was divided in another way.
    #[error("{} holds {what}; {remedy}, or remove it to begin anew", path.display())]
    Division {
        /// The directory.
        path: PathBuf,
        /// What it holds.
        what: String,
        /// How to go on with it.
        remedy: String,
    },
    /// The memory of this process is too small; detected before the work begins.
    #[error(
        "this process needs {} MiB of memory and may use {} MiB: use more processes, or allow more",
        needed.div_ceil(1 << 20), allowed >> 20
    )]
    Memory {
        /// Bytes.
        needed: u64,
        /// Bytes.
        allowed: u64,
    },
    /// Cancelled.
    #[error("cancelled")]
    Cancelled,
    /// Another worker of this process failed.
    #[error("another worker of this process failed")]
    Elsewhere,
    /// A worker ended by a panic: a bug.
    #[error("a worker ended unexpectedly: {0}")]
    Panicked(String),
    /// A message that no worker sends.
    #[error("a message of process {process} cannot be read: run the same version of the program everywhere")]
    Message {
        /// The process.
        process: usize,
    },
    /// Retrograde analysis failed.
    #[error(transparent)]
    Solve(RetrogradeError),
    /// A file of the tablebase could not be written or read.
    #[error(transparent)]
    Tablebase(#[from] TablebaseError),
    /// Another file could not be written.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// A directory could not be read or removed.
    #[error("cannot use {}: {source}", path.display())]
    Directory {
        /// The directory.
        path: PathBuf,
        /// The system's error.
        source: io::Error,
    },
}

impl From<RetrogradeError> for DataflowError {
    fn from(error: RetrogradeError) -> DataflowError {
        match error {
            RetrogradeError::Cancelled => DataflowError::Cancelled,
            error => DataflowError::Solve(error),
        }
    }
}

impl DataflowError {
    /// How much the error says about the cause: of several, the highest is reported.
    pub(crate) fn weight(&self) -> u8 {
        match self {
            DataflowError::Elsewhere => 0,
            DataflowError::Panicked(_) => 1,
            DataflowError::Lost { .. } => 2,
            DataflowError::Cancelled => 4,
            _ => 3,
        }
    }
}
