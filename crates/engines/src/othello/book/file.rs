//! The file format of a book. Equal books have equal files.
//!
//! ```text
//! number of positions, 4 bytes
//! for each position, sorted by board:
//!     the mover's discs, 8 | the opponent's, 8 | square of the leaf or 255, 1 | score, 1 | depth, 1 | selectivity, 1
//! ```
//!
//! This is the payload of a [`FileFrame`].

use std::path::Path;

use tesuji_store::frame::{Fields, FileFrame, FrameError};
use thiserror::Error;

use super::{Book, BookKey, BookLeaf};
use crate::othello::Selectivity;

const FRAME: FileFrame = FileFrame { magic: b"tesujiO\n", version: 1 };
/// Bytes of a position.
const ENTRY: usize = 20;
/// The square of a leaf that is unknown.
const NO_LEAF: u8 = 255;

/// Why bytes are not a book.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum BookError {
    /// Another kind of file.
    #[error("not an opening book: give a file made by `tesuji book build othello` or `import`")]
    Foreign,
    /// The layout of another version of this program.
    #[error(
        "a book of format {found}; this program reads format {}: build it again, or use a newer program",
        FRAME.version
    )]
    Format {
        /// The version in the file.
        found: u32,
    },
    /// The file is damaged.
    #[error("the book is damaged ({what}): restore it from a copy, or build it again")]
    Damaged {
        /// What is wrong.
        what: &'static str,
    },
}

impl From<FrameError> for BookError {
    fn from(error: FrameError) -> BookError {
        match error {
            FrameError::Foreign => BookError::Foreign,
            FrameError::Version { found } => BookError::Format { found },
            FrameError::Checksum => BookError::Damaged { what: "wrong checksum" },
            _ => BookError::Damaged { what: "the file is cut short" },
        }
    }
}

impl Book {
    /// The bytes of a file.
    pub fn bytes(&self) -> Vec<u8> {
        FRAME.write(|out| {
            out.reserve(ENTRY * self.len());
            // Far fewer positions fit into memory.
            out.extend((self.len() as u32).to_le_bytes());
            for key in self.sorted_keys() {
                let (own, other) = key.boards();
                out.extend(own.to_le_bytes());
                out.extend(other.to_le_bytes());
                let leaf = self.entries.get(&key).and_then(|entry| entry.leaf);
                out.extend(leaf.map_or([NO_LEAF, 0, 0, 0], |leaf| {
                    let selectivity =
                        Selectivity::ALL.iter().position(|&selectivity| selectivity == leaf.selectivity).unwrap_or(0);
                    [leaf.square, leaf.score as u8, leaf.depth, selectivity as u8]
                }));
            }
        })
    }

    /// Whether bytes start with the magic number of a book.
    pub fn has_magic(bytes: &[u8]) -> bool {
        FRAME.matches(bytes)
    }

    /// Reads the bytes of a file.
    pub fn parse(bytes: &[u8]) -> Result<Book, BookError> {
        let damaged = |what| BookError::Damaged { what };
        let mut fields = Fields::new(FRAME.read(bytes)?);
        let count = fields.u32()? as usize;
        let (entries, rest) = fields.rest().as_chunks::<ENTRY>();
        if !rest.is_empty() || count != entries.len() {
            return Err(damaged("wrong number of positions"));
        }
        let mut book = Book::default();
        let mut last = None;
        for entry in entries {
            let (key, leaf) = read(entry).ok_or_else(|| damaged("an impossible position"))?;
            if last.replace(key).is_some_and(|last| last >= key) {
                return Err(damaged("the positions are not in order"));
            }
            book.add(key, leaf);
        }
        let leaves = book.leaves();
        book.propagate();
        if book.leaves() != leaves {
            return Err(damaged("a leaf does not lead out of the book"));
        }
        Ok(book)
    }

    /// Reads a file. The error is a message.
    pub fn load(path: impl AsRef<Path>) -> Result<Book, String> {
        let path = path.as_ref();
        let bytes = std::fs::read(path).map_err(|error| format!("the file cannot be read: {error}"))?;
        let book = Book::parse(&bytes).map_err(|error| error.to_string())?;
        tracing::info!(file = %path.display(), positions = book.len(), "opening book loaded");
        Ok(book)
    }

    /// Number of positions with a leaf.
    fn leaves(&self) -> usize {
        self.entries.values().filter(|entry| entry.leaf.is_some()).count()
    }
}

/// A position and its leaf; `None` if they are impossible.
fn read(entry: &[u8; ENTRY]) -> Option<(BookKey, Option<BookLeaf>)> {
    let (boards, leaf) = entry.split_first_chunk::<16>()?;
    let (&own, other) = boards.split_first_chunk::<8>()?;
    let key = BookKey::new(u64::from_le_bytes(own), u64::from_le_bytes(other.try_into().ok()?))?;
    match *leaf {
        [NO_LEAF, 0, 0, 0] => Some((key, None)),
        [square, score, depth, selectivity] => {
            let selectivity = *Selectivity::ALL.get(usize::from(selectivity))?;
            let leaf = BookLeaf::new(square, (score as i8).into(), depth.into(), selectivity, key.empties())?;
            (key.moves() >> square & 1 != 0).then_some((key, Some(leaf)))
        }
        _ => None,
    }
}
