//! From a game to its table: solves all boards, writes the table, counts what there is to count, and finds the distances
//! from the start, in one directory where all of it goes on after any interruption.
//!
//! What is unfinished lies in the folder `work` of that directory, which goes when all is done. Solved classes that are
//! in the table already are not solved again: a later run with more stages takes them from there.

mod error;
mod reaching;
mod run;

use std::path::{Path, PathBuf};

pub use error::WholeError;
pub use run::run;

use crate::findings::{Findings, Found};
use crate::reach::ReachCensus;
use crate::retrograde::{Control, Report};
use crate::table::{Facts, Kind, Progress, Title};

/// What to make of a game.
#[derive(Clone, Debug)]
pub struct Task {
    /// Where the table goes.
    pub dir: PathBuf,
    /// What the table calls itself.
    pub title: Title,
    /// How much it tells.
    pub kind: Kind,
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
pub enum News<'n> {
    /// Something to know that stops nothing, as a state that was damaged and is done again.
    Note(String),
    /// Boards are being decided. Saving is possible.
    Solving(&'n Report),
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
    Counted(&'n Found),
    /// A class is being written, or distances of one.
    Writing {
        /// The name of the class.
        class: &'n str,
        /// How far.
        progress: Progress,
    },
    /// A file of the table is there.
    Wrote(&'n Facts),
    /// Boards are being reached. Saving is possible.
    Reaching {
        /// Plies from the start.
        depth: u8,
        /// Moves followed so far.
        moves: u64,
    },
    /// All distances are known.
    Reached(&'n ReachCensus),
}

/// How a run ended.
#[derive(Debug)]
pub enum Made {
    /// Everything asked for is there.
    Done(Findings),
    /// Stopped by order; the same run goes on from here.
    Stopped,
}

/// Whom a run tells, and who says what to do. [`Control::Checkpoint`] counts where saving is possible.
pub type Watch<'w> = dyn FnMut(News<'_>) -> Control + Send + 'w;

/// The folder of unfinished work.
pub fn work(dir: &Path) -> PathBuf {
    dir.join("work")
}
