//! Builds the tablebase of a game: solves all boards, writes the files, collects statistics, and finds the distances from
//! the start. An interrupted build resumes in the same directory.
//!
//! Unfinished work is in the subdirectory `work`, which is removed at the end. Classes that are already in the tablebase are
//! not solved again: a later build with more stages takes them from there.

mod steps;

use std::io;
use std::path::{Path, PathBuf};

use tesuji_store::StoreError;
use thiserror::Error;

pub use steps::build;

use super::{ClassInfo, ClassSummary, Metric, TablebaseError, TablebaseId, TablebaseSummary, WriteProgress};
use crate::reachability::DistanceStatistics;
use crate::retrograde::{Control, RetrogradeError, SolveProgress};

/// What to make of a game.
#[derive(Clone, Debug)]
pub struct BuildJob {
    /// Where the table goes.
    pub dir: PathBuf,
    /// What the table calls itself.
    pub title: TablebaseId,
    /// How much it tells.
    pub kind: Metric,
    /// How many stages to solve; none when only distances are wanted.
    pub stages: usize,
    /// Whether to find the distances from the start, too.
    pub reach: bool,
    /// How many threads work; no file depends on it.
    pub threads: usize,
    /// The most memory to use, in bytes.
    pub memory: u64,
}

/// Where a run stands.
#[derive(Debug)]
pub enum BuildEvent<'n> {
    /// Something to know that stops nothing, as a state that was damaged and is done again.
    Note(String),
    /// Boards are being decided. Saving is possible.
    Solving(&'n SolveProgress),
    /// A stage is solved, or was before.
    Solved {
        /// The stage, from 0.
        stage: usize,
    },
    /// A class is being counted.
    Counting {
        /// The name of the class.
        class: &'n str,
        /// Numbers done.
        done: u64,
        /// Numbers there are.
        total: u64,
    },
    /// A class was counted.
    Counted(&'n ClassSummary),
    /// A class is being written, or distances of one.
    Writing {
        /// The name of the class.
        class: &'n str,
        /// How far.
        progress: WriteProgress,
    },
    /// A file of the table is there.
    Wrote(&'n ClassInfo),
    /// Boards are being reached. Saving is possible.
    Reaching {
        /// Plies from the start.
        depth: u8,
        /// Moves followed so far.
        moves: u64,
    },
    /// All distances are known.
    Reached(&'n DistanceStatistics),
}

/// How a run ended.
#[derive(Debug)]
pub enum BuildResult {
    /// Everything asked for is there.
    Done(TablebaseSummary),
    /// Stopped by order; the same run goes on from here.
    Stopped,
}

/// Whom a run tells, and who says what to do. [`Control::Checkpoint`] counts where saving is possible.
pub type BuildObserver<'w> = dyn FnMut(BuildEvent<'_>) -> Control + Send + 'w;

/// The folder of unfinished work.
pub fn work_dir(dir: &Path) -> PathBuf {
    dir.join("work")
}

/// What went wrong. What was done before stays.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum BuildError {
    /// While solving or reaching.
    #[error(transparent)]
    Solve(#[from] RetrogradeError),
    /// While writing or reading the table.
    #[error(transparent)]
    Tablebase(#[from] TablebaseError),
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
