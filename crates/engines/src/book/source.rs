//! The book of an engine.

use std::sync::Arc;

use super::{Book, BookDepth, BookGame, MoveSource};
use crate::{Spec, SpecError};

/// The book of an engine.
#[derive(Clone, Debug, Default)]
pub enum BookSource<G: BookGame> {
    /// No book: the engine always searches.
    None,
    /// The one that ships.
    #[default]
    Shipped,
    /// A book from a file.
    Own(Arc<Book<G>>),
}

/// A line that an engine plays from its book.
#[derive(Clone, PartialEq, Debug)]
pub struct BookLine<M> {
    /// The principal variation.
    pub moves: Vec<M>,
    /// The score for the side to move.
    pub score: i32,
    /// Its depth, with the search behind the last move.
    pub depth: u32,
}

impl<G: BookGame> BookSource<G> {
    /// The book of the setting `book`: a file, `none`, or the one that ships.
    pub(crate) fn of_spec(spec: &Spec) -> Result<BookSource<G>, SpecError> {
        Ok(match spec.get("book") {
            None => BookSource::Shipped,
            Some("none") => BookSource::None,
            Some(file) => {
                let book = Book::load(file).map_err(|error| SpecError::value("book", file, error))?;
                BookSource::Own(Arc::new(book))
            }
        })
    }

    /// The book, if there is one.
    pub fn book(&self) -> Option<&Book<G>> {
        match self {
            BookSource::None => None,
            BookSource::Shipped => G::shipped_book(),
            BookSource::Own(book) => Some(book),
        }
    }

    /// The line to play, if the best move is known. A move that leaves the book is left to the search, unless the book's
    /// search is deep enough.
    pub fn line(&self, game: &G, is_enough: impl FnOnce(BookDepth) -> bool) -> Option<BookLine<G::Move>> {
        let book = self.book()?;
        let known = book.probe(game).filter(|known| known.complete)?;
        let best = known.moves.first()?;
        let enough = match best.source {
            MoveSource::Book => true,
            MoveSource::Leaf(depth) => is_enough(depth),
        };
        let (moves, depth) = book.principal_variation(game);
        enough.then_some(BookLine { moves, score: best.score, depth })
    }
}
