//! Why a table has no answer, and what to do about it.

use std::io;
use std::path::PathBuf;

use tesuji_store::StoreError;
use tesuji_store::blocks::BlockError;
use thiserror::Error;

/// What is wrong with a table. An answer is never given in its place.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum TablebaseError {
    /// A file could not be written.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// A file or a block is not to be had.
    #[error(transparent)]
    Block(#[from] BlockError),
    /// A directory could not be read.
    #[error("cannot read {}: {source}", path.display())]
    Read {
        /// The directory.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// No file of this game.
    #[error("there is no table of {game} in {}: solve the game into that directory first, or name another", dir.display())]
    Nothing {
        /// Where was looked.
        dir: PathBuf,
        /// The game.
        game: String,
    },
    /// One of several files that are of use only together.
    #[error("{} is missing, though files beside it are there: write them all anew, or bring it from a copy", path.display())]
    Missing {
        /// The file.
        path: PathBuf,
    },
    /// The table does not hold this class of boards.
    #[error("the table in {} does not hold the boards of class {class}: solve that class too", dir.display())]
    Class {
        /// The directory.
        dir: PathBuf,
        /// The name of the class.
        class: String,
    },
    /// A board that is not numbered.
    #[error("this board has no place in class {class} of the table: it is not in play")]
    Board {
        /// The name of the class it seemed to be of.
        class: String,
    },
    /// The head of a file says something else than is needed.
    #[error("{}: {what} is {found:?}; {expected:?} is needed here", path.display())]
    Other {
        /// The file.
        path: PathBuf,
        /// What differs.
        what: &'static str,
        /// What the file says.
        found: String,
        /// What was asked for.
        expected: String,
    },
    /// Checksums that fit, around something that makes no sense.
    #[error("{}: its head cannot be understood: write it anew with this version of the program", path.display())]
    Head {
        /// The file.
        path: PathBuf,
    },
    /// The same, in a block.
    #[error("{}, block {block}: it does not hold the values of so many boards: write the file anew or bring it from a copy", path.display())]
    Senseless {
        /// The file.
        path: PathBuf,
        /// Which block, from 0.
        block: usize,
    },
    /// Values that are not those of the class.
    #[error("class {class} has {expected} numbers; values for {found} were given")]
    Size {
        /// The name of the class.
        class: String,
        /// How many there are.
        found: usize,
        /// How many there should be.
        expected: usize,
    },
    /// A value that no solution has.
    #[error("number {index} of class {class} cannot be written: {what}")]
    Value {
        /// The name of the class.
        class: String,
        /// The number.
        index: u32,
        /// What is wrong with it.
        what: &'static str,
    },
    /// No memory for a whole class.
    #[error("the system gives no memory for a class: {0}")]
    Allocation(io::Error),
    /// Whoever watched said to stop.
    #[error("stopped before the file was whole; nothing was written")]
    Stopped,
}
