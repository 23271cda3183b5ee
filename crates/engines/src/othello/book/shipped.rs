//! Where books come from: the one that ships with this program, or a file; read when it is first asked.

use std::sync::{Arc, LazyLock};

use super::{Book, Opinion};
use tesuji_othello::Othello;

/// The book that ships: made by the command that `docs/book.md` tells.
static BYTES: &[u8] = include_bytes!("../../../weights/othello.book");

// A test reads these bytes; without it a program with spoilt ones could not have been made.
static SHIPPED: LazyLock<Book> = LazyLock::new(|| Book::parse(BYTES).unwrap_or_default());

/// The book that an engine has at hand.
#[derive(Clone, Debug, Default)]
pub enum Shelved {
    /// None: it always thinks for itself.
    None,
    /// The one that ships.
    #[default]
    Shipped,
    /// Another one.
    Own(Arc<Book>),
}

impl Shelved {
    /// The book, if there is one.
    pub fn book(&self) -> Option<&Book> {
        match self {
            Shelved::None => None,
            Shelved::Shipped => Some(Book::shipped()),
            Shelved::Own(book) => Some(book),
        }
    }

    /// What it says of a position when it knows all that matters there.
    pub(in crate::othello) fn advice(&self, game: &Othello) -> Option<(&Book, Opinion)> {
        let book = self.book()?;
        book.probe(game).filter(|opinion| opinion.whole).map(|opinion| (book, opinion))
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
    fn the_book_that_ships_is_whole_and_begins_at_the_start() {
        let book = Book::parse(BYTES).unwrap();
        assert_eq!(book.unsearched(), 0);
        assert!(book.has(&Othello::start()));
        assert_eq!(book.below(&Othello::start()), book.len(), "every position can come about");
    }
}
