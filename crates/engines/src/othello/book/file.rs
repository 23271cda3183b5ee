//! The book as a file, which is the same, byte by byte, for the same book.
//!
//! ```text
//! magic, 8 bytes | format, 4 | positions, 4
//! for each position, in the order of the boards:
//!     the mover's discs, 8 | the opponent's, 8 | square of the leaf or 255, 1 | value, 1 | depth, 1 | sureness, 1
//! checksum of all that, 4
//! ```
//!
//! Numbers are little-endian, the checksum is CRC-32.

use std::path::Path;

use thiserror::Error;

use super::{Book, Key, Leaf};
use crate::othello::Selectivity;

const MAGIC: &[u8; 8] = b"tesujiO\n";
/// The version of this layout.
const FORMAT: u32 = 1;
/// Bytes before the positions.
const BEFORE: usize = 16;
/// Bytes of a position.
const ENTRY: usize = 20;
/// The square of a leaf that is not known.
const NONE: u8 = 255;

/// Why bytes are no book.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum BookError {
    /// Something else.
    #[error("this is no opening book: a file made by `tesuji book othello build` or `import` is needed")]
    Foreign,
    /// The layout of another version of this program.
    #[error(
        "a book of format {found}; this program reads format {FORMAT}: build it anew, or take a newer program"
    )]
    Format {
        /// What it says.
        found: u32,
    },
    /// Not what was written.
    #[error("the book is damaged ({what}): bring it from a copy, or build it anew")]
    Damaged {
        /// What is wrong.
        what: &'static str,
    },
}

impl Book {
    /// The bytes of a file.
    pub fn bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(BEFORE + ENTRY * self.len() + 4);
        bytes.extend_from_slice(MAGIC);
        bytes.extend_from_slice(&FORMAT.to_le_bytes());
        // Far fewer positions fit into memory.
        bytes.extend_from_slice(&(self.len() as u32).to_le_bytes());
        for key in self.keys() {
            let (own, other) = key.boards();
            bytes.extend_from_slice(&own.to_le_bytes());
            bytes.extend_from_slice(&other.to_le_bytes());
            let leaf = self.pages.get(&key).and_then(|page| page.leaf);
            bytes.extend(leaf.map_or([NONE, 0, 0, 0], |leaf| {
                let level = Selectivity::ALL.iter().position(|&level| level == leaf.level).unwrap_or(0);
                [leaf.square, leaf.value as u8, leaf.depth, level as u8]
            }));
        }
        bytes.extend_from_slice(&crc32fast::hash(&bytes).to_le_bytes());
        bytes
    }

    /// Whether bytes begin as a book does, however they go on.
    pub fn claimed(bytes: &[u8]) -> bool {
        bytes.starts_with(MAGIC)
    }

    /// The book of the bytes of a file.
    pub fn parse(bytes: &[u8]) -> Result<Book, BookError> {
        let damaged = |what| BookError::Damaged { what };
        let rest = bytes.strip_prefix(MAGIC).ok_or(BookError::Foreign)?;
        let word = |at: usize| rest.as_chunks::<4>().0.get(at).map(|&word| u32::from_le_bytes(word));
        let cut = || damaged("the file is cut short");
        let found = word(0).ok_or_else(cut)?;
        if found != FORMAT {
            return Err(BookError::Format { found });
        }
        let (all, sum) =
            bytes.split_last_chunk::<4>().filter(|(all, _)| all.len() >= BEFORE).ok_or_else(cut)?;
        if crc32fast::hash(all) != u32::from_le_bytes(*sum) {
            return Err(damaged("the checksum does not fit"));
        }
        let (entries, left) = all[BEFORE..].as_chunks::<ENTRY>();
        if !left.is_empty() || word(1).map(|count| count as usize) != Some(entries.len()) {
            return Err(damaged("it does not hold as many positions as it says"));
        }
        let mut book = Book::default();
        let mut last = None;
        for entry in entries {
            let (key, leaf) = read(entry).ok_or_else(|| damaged("a position is impossible"))?;
            if last.replace(key).is_some_and(|last| last >= key) {
                return Err(damaged("the positions are not in order"));
            }
            book.add(key, leaf);
        }
        let leaves = book.leaves();
        book.settle();
        if book.leaves() != leaves {
            return Err(damaged("a leaf does not lead out of the book"));
        }
        Ok(book)
    }

    /// The book of a file, or why there is none.
    pub fn load(path: impl AsRef<Path>) -> Result<Book, String> {
        let bytes = std::fs::read(path).map_err(|error| format!("the file cannot be read: {error}"))?;
        Book::parse(&bytes).map_err(|error| error.to_string())
    }

    /// How many positions have a leaf.
    pub(super) fn leaves(&self) -> usize {
        self.pages.values().filter(|page| page.leaf.is_some()).count()
    }
}

/// A position and its leaf, if both are possible.
fn read(entry: &[u8; ENTRY]) -> Option<(Key, Option<Leaf>)> {
    let (boards, leaf) = entry.split_first_chunk::<16>()?;
    let (&own, other) = boards.split_first_chunk::<8>()?;
    let key = Key::new(u64::from_le_bytes(own), u64::from_le_bytes(other.try_into().ok()?))?;
    match *leaf {
        [NONE, 0, 0, 0] => Some((key, None)),
        [square, value, depth, level] => {
            let level = *Selectivity::ALL.get(usize::from(level))?;
            let leaf = Leaf::new(square, (value as i8).into(), depth.into(), level, key.empties())?;
            (key.moves() >> square & 1 != 0).then_some((key, Some(leaf)))
        }
        _ => None,
    }
}
