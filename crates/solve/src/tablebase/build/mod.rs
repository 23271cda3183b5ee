//! Builds the tablebase of a game: solves all boards, writes the files, collects statistics, and finds the distances from
//! the start. An interrupted build resumes in the same directory.
//!
//! Unfinished work is in the subdirectory `work`, which is removed at the end. Classes that are already in the tablebase are
//! not solved again: a later build with more stages takes them from there.

mod counting;
mod steps;

use std::io;
use std::path::{Path, PathBuf};

use tesuji_store::StoreError;
use tesuji_task::CancelToken;
use thiserror::Error;

pub use steps::build;

use super::{ClassInfo, ClassSummary, Metric, TablebaseError, TablebaseId, TablebaseSummary, WriteProgress};
use crate::reachability::DistanceStatistics;
use crate::retrograde::{Control, RetrogradeError, SolveProgress};

/// What to build.
#[derive(Clone, Debug)]
pub struct BuildJob {
    /// The directory of the tablebase.
    pub dir: PathBuf,
    /// The identity of the tablebase.
    pub id: TablebaseId,
    /// What to store.
    pub metric: Metric,
    /// Stages to solve; 0 when only distances are wanted.
    pub stages: usize,
    /// Whether to find the distances from the start.
    pub distances: bool,
    /// Threads; no file depends on it.
    pub threads: usize,
    /// Memory limit in bytes.
    pub memory: u64,
    /// Stops the build at once: what is under way is dropped, and saved only as far as that takes less than a second.
    pub cancel: CancelToken,
}

/// An event of a build.
#[derive(Debug)]
pub enum BuildEvent<'n> {
    /// A warning, such as a damaged checkpoint that was bypassed.
    Warning(String),
    /// Progress of retrograde analysis. A checkpoint is possible.
    Solving(&'n SolveProgress),
    /// A stage is solved, or was already.
    Solved {
        /// The stage, from 0.
        stage: usize,
    },
    /// Progress of the statistics of a class. A checkpoint is possible.
    Counting {
        /// The name of the class.
        class: &'n str,
        /// Indices done.
        done: u64,
        /// Indices in all.
        total: u64,
    },
    /// The statistics of a class are complete.
    Counted(&'n ClassSummary),
    /// Progress of writing a class or distances.
    Writing {
        /// The name of the class.
        class: &'n str,
        /// The progress.
        progress: WriteProgress,
    },
    /// A file is written.
    Written(&'n ClassInfo),
    /// Progress of the distance search. A checkpoint is possible.
    Searching {
        /// Plies from the start.
        depth: u8,
        /// Moves followed so far.
        moves: u64,
    },
    /// All distances are known.
    Searched(&'n DistanceStatistics),
}

/// The result of a build.
#[derive(Debug)]
pub enum BuildResult {
    /// Everything is built.
    Done(TablebaseSummary),
    /// Stopped on request; the same job resumes here.
    Stopped,
    /// Cancelled, and there was no time to save a checkpoint; the same job resumes at the one before.
    Unsaved,
}

/// Receives events and returns what to do. [`Control::Checkpoint`] has an effect only where a checkpoint is
/// possible.
pub type BuildObserver<'w> = dyn FnMut(BuildEvent<'_>) -> Control + Send + 'w;

/// The subdirectory of unfinished work.
pub fn work_dir(dir: &Path) -> PathBuf {
    dir.join("work")
}

/// Why a build failed. Completed work is kept.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum BuildError {
    /// Retrograde analysis or the distance search failed.
    #[error(transparent)]
    Solve(#[from] RetrogradeError),
    /// A tablebase file could not be written or read.
    #[error(transparent)]
    Tablebase(#[from] TablebaseError),
    /// Another file could not be written.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The unfinished work of several processes is in the way.
    #[error(
        "{} holds the unfinished work of several processes: go on with it by the same commands, or remove it to begin \
         anew", path.display()
    )]
    Divided {
        /// The directory of unfinished work.
        path: PathBuf,
    },
    /// The work directory could not be removed.
    #[error("cannot remove {}: {source}; everything is done, remove it yourself", path.display())]
    Remove {
        /// The directory.
        path: PathBuf,
        /// The system's error.
        source: io::Error,
    },
}
