//! Errors of tablebases.

use std::io;
use std::path::PathBuf;

use tesuji_store::StoreError;
use tesuji_store::blocks::BlockError;
use thiserror::Error;

/// Why a tablebase cannot answer. No value is ever guessed.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum TablebaseError {
    /// A file could not be written.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// A file or a block cannot be read.
    #[error(transparent)]
    Block(#[from] BlockError),
    /// A directory could not be read.
    #[error("cannot read {}: {source}", path.display())]
    Read {
        /// The directory.
        path: PathBuf,
        /// The system's error.
        source: io::Error,
    },
    /// There is no file of this game.
    #[error("there is no table of {game} in {}: solve the game into that directory first, or name another", dir.display())]
    NotFound {
        /// The directory searched.
        dir: PathBuf,
        /// The game.
        game: String,
    },
    /// One of several files that belong together is missing.
    #[error("{} is missing, though files beside it exist: write them all again, or restore it from a copy", path.display())]
    MissingFile {
        /// The file.
        path: PathBuf,
    },
    /// The tablebase lacks this class.
    #[error("the table in {} lacks the boards of class {class}: solve that class too", dir.display())]
    MissingClass {
        /// The directory.
        dir: PathBuf,
        /// The name of the class.
        class: String,
    },
    /// A board without a rank.
    #[error("this board has no index in class {class} of the table: it is not in play")]
    NotInPlay {
        /// The class it appeared to belong to.
        class: String,
    },
    /// The header differs from what is expected.
    #[error("{}: {what} is {found:?}; {expected:?} is needed here", path.display())]
    Mismatch {
        /// The file.
        path: PathBuf,
        /// What differs.
        what: &'static str,
        /// What the file says.
        found: String,
        /// What was expected.
        expected: String,
    },
    /// The checksum is correct but the header cannot be parsed.
    #[error("{}: its header cannot be parsed: write the file again with this version of the program", path.display())]
    InvalidHeader {
        /// The file.
        path: PathBuf,
    },
    /// The checksum is correct but the block cannot be decoded.
    #[error("{}, block {block}: it does not decode: write the file again or restore it from a copy", path.display())]
    InvalidBlock {
        /// The file.
        path: PathBuf,
        /// The block, from 0.
        block: usize,
    },
    /// Values of the wrong size.
    #[error("class {class} has {expected} indices; values for {found} were given")]
    WrongSize {
        /// The name of the class.
        class: String,
        /// The given size.
        found: usize,
        /// The expected size.
        expected: usize,
    },
    /// A value that no solution has.
    #[error("board {index} of class {class} cannot be written: {what}")]
    InvalidValue {
        /// The name of the class.
        class: String,
        /// The index.
        index: u32,
        /// What is wrong with it.
        what: &'static str,
    },
    /// The system refused an allocation.
    #[error("cannot allocate memory for a class: {0}")]
    Allocation(io::Error),
    /// Stopped on request.
    #[error("stopped before the end; nothing was written")]
    Stopped,
}
