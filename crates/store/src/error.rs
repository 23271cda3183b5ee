//! Errors of the store.

use std::io;
use std::path::{Path, PathBuf};

use thiserror::Error;

/// A file that could not be written or read. Every variant names the file.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum StoreError {
    /// The file system failed.
    #[error("cannot {doing} {}: {source}", path.display())]
    Io {
        /// The requested file, even when the failure concerns its temporary file.
        path: PathBuf,
        /// The failed operation, as a verb.
        doing: &'static str,
        /// The error of the system.
        source: io::Error,
    },
    /// A new journal would replace an existing file.
    #[error("{} exists already: resume it, or choose another name", path.display())]
    Exists {
        /// The existing file.
        path: PathBuf,
    },
    /// Another process has locked the journal.
    #[error("{} is being written by another run: wait until it ends, or stop it first", path.display())]
    Locked {
        /// The journal.
        path: PathBuf,
    },
    /// A line is damaged.
    #[error("{}, line {line}: {what}", path.display())]
    Damaged {
        /// The journal.
        path: PathBuf,
        /// The line number from 1; the header is line 1.
        line: usize,
        /// The error, and what is expected.
        what: String,
    },
    /// A valid journal of another kind.
    #[error("{} is a journal of kind {found:?}; a journal of kind {expected:?} is needed here", path.display())]
    Kind {
        /// The journal.
        path: PathBuf,
        /// The value in the header.
        found: String,
        /// The expected kind.
        expected: String,
    },
    /// A valid journal of another format version.
    #[error("{} is a journal of format {found}; this program reads format {expected}", path.display())]
    Version {
        /// The journal.
        path: PathBuf,
        /// The value in the header.
        found: String,
        /// The version that this program reads.
        expected: u32,
    },
    /// A text that a journal line cannot hold.
    #[error("{}: {what}", path.display())]
    Text {
        /// The journal.
        path: PathBuf,
        /// The error, and what is expected.
        what: String,
    },
    /// An earlier append failed, and the end of the file is unknown.
    #[error("{}: an earlier write failed and may have left a partial line: open the journal again to continue", path.display())]
    Broken {
        /// The journal.
        path: PathBuf,
    },
}

impl StoreError {
    /// Converts an I/O error into one that names the file.
    pub(crate) fn io(path: &Path, doing: &'static str) -> impl FnOnce(io::Error) -> StoreError {
        move |source| StoreError::Io { path: path.to_owned(), doing, source }
    }

    /// The file.
    pub fn path(&self) -> &Path {
        match self {
            StoreError::Io { path, .. }
            | StoreError::Exists { path }
            | StoreError::Locked { path }
            | StoreError::Damaged { path, .. }
            | StoreError::Kind { path, .. }
            | StoreError::Version { path, .. }
            | StoreError::Text { path, .. }
            | StoreError::Broken { path } => path,
        }
    }

    /// The line number from 1, if the error concerns a line.
    pub fn line(&self) -> Option<usize> {
        match self {
            StoreError::Damaged { line, .. } => Some(*line),
            StoreError::Kind { .. } | StoreError::Version { .. } => Some(1),
            _ => None,
        }
    }
}
