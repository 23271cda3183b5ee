//! The book that ships with this program, and the book of an engine.

use std::sync::{Arc, LazyLock};

use tesuji_othello::Othello;

use super::{Book, BookMoves};

/// Made by the command in `docs/book.md`.
static BYTES: &[u8] = include_bytes!("../../../weights/othello.book");

// A test parses these bytes, so they cannot be damaged.
static SHIPPED: LazyLock<Book> = LazyLock::new(|| {
    let book = Book::parse(BYTES).unwrap_or_default();
    tracing::info!(positions = book.len(), "shipped opening book loaded");
    book
});

/// The book of an engine.
#[derive(Clone, Debug, Default)]
pub enum BookSource {
    /// No book: the engine always searches.
    None,
    /// The one that ships.
    #[default]
    Shipped,
    /// A book from a file.
    Own(Arc<Book>),
}

impl BookSource {
    /// The book, if there is one.
    pub fn book(&self) -> Option<&Book> {
        match self {
            BookSource::None => None,
            BookSource::Shipped => Some(Book::shipped()),
            BookSource::Own(book) => Some(book),
        }
    }

    /// The book and its moves at a position, if they are complete.
    pub(in crate::othello) fn probe(&self, game: &Othello) -> Option<(&Book, BookMoves)> {
        let book = self.book()?;
        book.probe(game).filter(|known| known.complete).map(|known| (book, known))
    }
}

impl Book {
    /// The book that ships.
    pub fn shipped() -> &'static Book {
        &SHIPPED
    }
}

#[cfg(test)]
mod tests {
    use tesuji_game::Game;

    use super::*;

    #[test]
    fn the_shipped_book_is_searched_and_reachable() {
        let book = Book::parse(BYTES).unwrap();
        assert_eq!(book.unsearched(), 0);
        assert!(book.contains(&Othello::start()));
        assert_eq!(book.reachable(&Othello::start()), book.len(), "every position is reachable");
    }
}
