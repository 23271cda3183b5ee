//! The book of an engine.

use std::fmt::Debug;
use std::path::Path;
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
    /// A book of another program.
    Foreign(Arc<dyn ForeignBook<G>>),
}

/// A book in the format of another program.
pub trait ForeignBook<G: BookGame>: Debug + Send + Sync {
    /// The lines that may be played, the best first; none if the position is not in the book.
    fn lines(&self, game: &G) -> Vec<BookLine<G::Move>>;
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
                let wrong = |error: String| SpecError::value("book", file, error);
                match G::foreign_book(Path::new(file)) {
                    Some(book) => BookSource::Foreign(book.map_err(wrong)?),
                    None => BookSource::Own(Arc::new(Book::load(file).map_err(wrong)?)),
                }
            }
        })
    }

    /// The book, if there is one of ours.
    pub fn book(&self) -> Option<&Book<G>> {
        match self {
            BookSource::None | BookSource::Foreign(_) => None,
            BookSource::Shipped => G::shipped_book(),
            BookSource::Own(book) => Some(book),
        }
    }

    /// The line to play, if the best move is known. A move that leaves the book is left to the search, unless the book's
    /// search is deep enough.
    pub fn line(&self, game: &G, is_enough: impl FnOnce(BookDepth) -> bool) -> Option<BookLine<G::Move>> {
        if let BookSource::Foreign(book) = self {
            return book.lines(game).into_iter().next();
        }
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

    /// All lines within the book that lose at most `variety` against the best one, which is the first. Empty where
    /// [`BookSource::line`] has none.
    pub fn lines(&self, game: &G, variety: i32, is_enough: impl FnOnce(BookDepth) -> bool) -> Vec<BookLine<G::Move>> {
        let lines = match self {
            BookSource::Foreign(book) => book.lines(game),
            _ => self.line(game, is_enough).map_or_else(Vec::new, |best| self.with_others(game, best)),
        };
        let least = lines.first().map_or(0, |best| best.score - variety);
        lines.into_iter().filter(|line| line.score >= least).collect()
    }

    /// The best line of a book of ours and those of its other moves that stay within the book.
    fn with_others(&self, game: &G, best: BookLine<G::Move>) -> Vec<BookLine<G::Move>> {
        let first = best.moves.first().copied();
        let known = self.book().and_then(|book| Some((book, book.probe(game)?)));
        let others = known.into_iter().flat_map(|(book, known)| {
            let inside = known.moves.into_iter().filter(|mv| mv.source == MoveSource::Book && Some(mv.mv) != first);
            inside.map(move |mv| {
                let mut after = game.clone();
                after.play(mv.mv);
                let (moves, depth) = book.principal_variation(&after);
                BookLine { moves: [vec![mv.mv], moves].concat(), score: mv.score, depth: depth + 1 }
            })
        });
        [best].into_iter().chain(others).collect()
    }
}
