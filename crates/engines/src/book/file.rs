//! Books as files. Equal books have equal files.
//!
//! ```text
//! number of positions, 4 bytes
//! for each position, in the order of stored positions: what the game writes
//! ```
//!
//! This is the payload of a [`FileFrame`](tesuji_store::frame::FileFrame) of the game.

use std::path::Path;

use tesuji_store::frame::{Fields, FrameError};
use thiserror::Error;

use super::game::is_legal;
use super::{Book, BookGame, Canonical};

/// Why bytes are not a book.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum BookError {
    /// Another kind of file.
    #[error("not an opening book of this game: give a file made by `tesuji book build` or `import`")]
    Foreign,
    /// The layout of another version of this program.
    #[error("a book of format {found}, which this program does not read: build it again, or use a newer program")]
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

impl<G: BookGame> Book<G> {
    /// The bytes of a file.
    pub fn bytes(&self) -> Vec<u8> {
        G::BOOK_FRAME.write(|out| {
            // Far fewer positions fit into memory.
            out.extend((self.len() as u32).to_le_bytes());
            for (_, entry) in self.sorted() {
                G::write_entry(&entry.position, entry.leaf.as_ref(), out);
            }
        })
    }

    /// Whether bytes start with the magic number of a book.
    pub fn has_magic(bytes: &[u8]) -> bool {
        G::BOOK_FRAME.matches(bytes)
    }

    /// Reads the bytes of a file.
    ///
    /// # Errors
    /// They are no book of this game, or are damaged.
    pub fn parse(bytes: &[u8]) -> Result<Book<G>, BookError> {
        let damaged = |what| BookError::Damaged { what };
        let mut fields = Fields::new(G::BOOK_FRAME.read(bytes)?);
        let count = fields.u32()?;
        let mut book = Book::default();
        let (mut last, mut leaves) = (None, 0);
        for number in 0..count {
            let (position, leaf) = G::read_entry(&mut fields).ok_or_else(|| damaged("an impossible position"))?;
            let game = G::restore(&position);
            let has_choice = Canonical::of(&game).is_some_and(|canonical| !canonical.passed);
            let is_possible =
                leaf.is_none_or(|leaf| game.check_leaf(leaf.score, leaf.depth).is_ok() && is_legal(&game, leaf.mv));
            if !has_choice || !is_possible {
                return Err(damaged("an impossible position"));
            }
            if last.as_ref().is_some_and(|last| *last >= position) {
                return Err(damaged("the positions are not in order"));
            }
            leaves += usize::from(leaf.is_some());
            book.add(&position, leaf);
            last = Some(position);
            if book.len() != number as usize + 1 {
                return Err(damaged("a position twice"));
            }
        }
        if !fields.is_empty() {
            return Err(damaged("wrong number of positions"));
        }
        book.propagate();
        if book.leaves() != leaves {
            return Err(damaged("a leaf does not lead out of the book"));
        }
        Ok(book)
    }

    /// Reads a file. The error is a message.
    ///
    /// # Errors
    /// It cannot be read, or is no book of this game.
    pub fn load(path: impl AsRef<Path>) -> Result<Book<G>, String> {
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
