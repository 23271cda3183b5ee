//! Opening books of Othello. A key is the smallest of the eight images of a position, from the point of view of the mover.
//!
//! ```text
//! an entry of a file: the mover's discs, 8 bytes | the opponent's, 8 | square of the leaf or 255, 1 | score, 1 | depth, 1 |
//! selectivity, 1
//! ```

use std::path::Path;
use std::sync::LazyLock;

use tesuji_game::{Game, Side};
use tesuji_learn::JobError;
use tesuji_othello::{Move, Othello, Square};
use tesuji_search::{CancelToken, Value};
use tesuji_store::frame::{Fields, FileFrame};

use super::{PatternEval, Selectivity, Solver, Strength, load_evaluation};
use crate::book::{self, BookDepth, BookGame, BookLeaf, BookSearcher};

/// An opening book of Othello.
pub type Book = book::Book<Othello>;

/// The square of a leaf that is unknown.
const NO_LEAF: u8 = 255;
/// The largest score.
const MAX_SCORE: i32 = 64;

/// Made by the command in `docs/book.md`.
pub(crate) static SHIPPED_BYTES: &[u8] = include_bytes!("../../weights/othello.book");

// A test parses these bytes, so they cannot be damaged.
static SHIPPED: LazyLock<Book> = LazyLock::new(|| {
    let book = Book::parse(SHIPPED_BYTES).unwrap_or_default();
    tracing::info!(positions = book.len(), "shipped opening book loaded");
    book
});

/// A position of a book. The side to move has a legal move: a position with a forced pass is replaced by the one after
/// the pass, and finished games are not stored.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct BookKey {
    own: u64,
    other: u64,
}

impl BookGame for Othello {
    type Key = BookKey;
    type Stored = BookKey;
    type Evaluation = PatternEval;
    type Searcher = Solver;

    const BOOK_FRAME: FileFrame = FileFrame { magic: b"tesujiO\n", version: 1 };
    const TOLERANCE: i32 = 2;
    const POSITION_TEXT: &'static str = "64 squares and a side";
    const LEAF_TEXT: &'static str = "f5:+2@12 or f5:+2@21/73";

    fn forced_pass(&self) -> Option<Move> {
        self.must_pass().then_some(Move::PASS)
    }

    fn book_key(&self) -> BookKey {
        let image = self.canonical();
        BookKey { own: image.own(), other: image.other() }
    }

    fn stored(&self) -> BookKey {
        self.book_key()
    }

    fn restore(key: &BookKey) -> Othello {
        // The sets come from a position, so this does not fail.
        Othello::new(key.own, key.other, Side::First).unwrap_or_else(Othello::start)
    }

    fn pieces(&self) -> u32 {
        64 - self.empties().count_ones()
    }

    fn turns(&self) -> u32 {
        self.pieces().saturating_sub(4)
    }

    fn check_leaf(&self, score: i32, depth: BookDepth) -> Result<(), String> {
        if selectivity(depth).is_none() {
            return Err("the selectivity of a search is 73, 87, 95, 98, 99 or 100 percent".to_owned());
        }
        let empties = self.empties().count_ones();
        if score.abs() > MAX_SCORE || !(1..=empties).contains(&depth.plies.into()) {
            return Err(format!(
                "expected a score from -64 to +64 and a depth from 1 to {empties}, the number of empty squares"
            ));
        }
        Ok(())
    }

    fn write_entry(key: &BookKey, leaf: Option<&BookLeaf<Move>>, out: &mut Vec<u8>) {
        out.extend(key.own.to_le_bytes());
        out.extend(key.other.to_le_bytes());
        out.extend(leaf.map_or([NO_LEAF, 0, 0, 0], |leaf| {
            let square = leaf.mv.square().map_or(NO_LEAF, |square| square.index() as u8);
            [square, leaf.score as i8 as u8, leaf.depth.plies, selectivity(leaf.depth).unwrap_or(0) as u8]
        }));
    }

    fn read_entry(fields: &mut Fields<'_>) -> Option<(BookKey, Option<BookLeaf<Move>>)> {
        let (own, other) = (fields.u64().ok()?, fields.u64().ok()?);
        let key = BookKey { own, other };
        if Othello::new(own, other, Side::First)?.book_key() != key {
            return None;
        }
        match fields.array().ok()? {
            [NO_LEAF, 0, 0, 0] => Some((key, None)),
            [square, score, plies, selectivity] => {
                let percent = Selectivity::ALL.get(usize::from(selectivity))?.percent() as u8;
                let depth = BookDepth { plies, percent };
                Some((key, Some(BookLeaf { mv: Square::new(square)?.into(), score: (score as i8).into(), depth })))
            }
        }
    }

    fn score_value(score: i32) -> Value {
        Value::estimate(100 * score)
    }

    fn book_evaluation(weights: Option<&Path>) -> Result<PatternEval, JobError> {
        load_evaluation(weights)
    }

    fn searcher(eval: &PatternEval, hash_mib: usize) -> Solver {
        Solver::new(hash_mib, eval.clone())
    }

    fn level_depth(&self, level: u32) -> BookDepth {
        let (plies, selectivity) = Strength::new(level).depth_and_selectivity(self.empties().count_ones());
        BookDepth { plies: plies as u8, percent: selectivity.percent() as u8 }
    }

    fn shipped_book() -> Option<&'static Book> {
        Some(&SHIPPED)
    }
}

impl BookSearcher<Othello> for Solver {
    fn best_excluding(
        &mut self,
        game: &Othello,
        level: u32,
        excluded: &[Move],
        cancel: &CancelToken,
    ) -> Option<(Move, i32)> {
        let excluded = excluded.iter().filter_map(|mv| mv.square()).fold(0, |set, square| set | square.bit());
        let found = Solver::best_excluding(self, game, Strength::new(level), excluded, cancel)?;
        Some((found.best()?, found.score))
    }
}

/// The number of the level of selectivity; `None` if there is no such level.
fn selectivity(depth: BookDepth) -> Option<usize> {
    Selectivity::ALL.iter().position(|selectivity| selectivity.percent() == u32::from(depth.percent))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_position_is_its_own_image() {
        let key = Othello::start().book_key();
        let game = Othello::restore(&key);
        assert_eq!(game.book_key(), key);
        assert_eq!((game.turns(), game.pieces()), (0, 4));
    }

    #[test]
    fn the_shipped_book_is_searched_and_reachable() {
        let book = Book::parse(SHIPPED_BYTES).unwrap();
        assert_eq!(book.unsearched(), 0);
        assert!(book.contains(&Othello::start()));
        assert_eq!(book.reachable(&Othello::start()), book.len(), "every position is reachable");
        assert_eq!(book.bytes(), SHIPPED_BYTES);
    }
}
