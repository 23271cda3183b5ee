//! Why a run came to no end.

use std::io;
use std::path::PathBuf;

use tesuji_store::StoreError;
use thiserror::Error;

use crate::retrograde::RetrogradeError;
use crate::table::TableError;

/// What went wrong. What was done before stays.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum WholeError {
    /// While solving or reaching.
    #[error(transparent)]
    Solve(#[from] RetrogradeError),
    /// While writing or reading the table.
    #[error(transparent)]
    Table(#[from] TableError),
    /// While writing another file.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The folder of unfinished work could not be removed.
    #[error("cannot remove {}: {source}; everything is done, remove it yourself", path.display())]
    Remove {
        /// The folder.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
}
