//! What can go wrong with a file, and what to do about it.

use std::io;
use std::path::{Path, PathBuf};

use thiserror::Error;

/// A file that could not be written, read or believed. Every kind names the file.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum StoreError {
    /// The file system said no.
    #[error("cannot {doing} {}: {source}", path.display())]
    Io {
        /// The file that was asked for, even when a temporary beside it failed.
        path: PathBuf,
        /// What was being done, as a verb.
        doing: &'static str,
        /// What the system said.
        source: io::Error,
    },
    /// A new journal would have replaced a file.
    #[error("{} exists already: resume it, or choose another name", path.display())]
    Exists {
        /// The file in the way.
        path: PathBuf,
    },
    /// Another run holds the journal.
    #[error("{} is being written by another run: wait until it ends, or stop it first", path.display())]
    Locked {
        /// The journal.
        path: PathBuf,
    },
    /// A line does not hold what was once written there.
    #[error("{}, line {line}: {what}", path.display())]
    Damaged {
        /// The journal.
        path: PathBuf,
        /// Counted from 1; the header is line 1.
        line: usize,
        /// What is wrong with it and what would be right.
        what: String,
    },
    /// A whole journal, but about something else.
    #[error("{} is a journal of kind {found:?}; a journal of kind {expected:?} is needed here", path.display())]
    Kind {
        /// The journal.
        path: PathBuf,
        /// What its header says.
        found: String,
        /// What was asked for.
        expected: String,
    },
    /// A whole journal in a format of another version of this program.
    #[error("{} is a journal of format {found}; this program reads format {expected}", path.display())]
    Version {
        /// The journal.
        path: PathBuf,
        /// What its header says.
        found: String,
        /// What this program reads.
        expected: u32,
    },
    /// Something that does not fit on one line.
    #[error("{}: {what}", path.display())]
    Text {
        /// The journal it was meant for.
        path: PathBuf,
        /// What is wrong with it and what would be right.
        what: String,
    },
    /// An earlier append failed in a way that leaves the end of the file unknown.
    #[error("{}: an earlier write failed and its trace may be on the disk: open the journal again to go on", path.display())]
    Broken {
        /// The journal.
        path: PathBuf,
    },
}

impl StoreError {
    /// Turns what the system said about `path` into an error that names it.
    pub(crate) fn io(path: &Path, doing: &'static str) -> impl FnOnce(io::Error) -> StoreError {
        move |source| StoreError::Io { path: path.to_owned(), doing, source }
    }

    /// The file this is about.
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

    /// The line this is about, counted from 1, where it is about one.
    pub fn line(&self) -> Option<usize> {
        match self {
            StoreError::Damaged { line, .. } => Some(*line),
            StoreError::Kind { .. } | StoreError::Version { .. } => Some(1),
            _ => None,
        }
    }
}
