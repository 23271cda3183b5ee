//! Opening books of shogi. A position is stored with its move number, so that lines cannot turn in circles; positions
//! that several orders of moves reach are shared.
//!
//! ```text
//! an entry of a file: move number, 2 bytes | packed position, 32 | depth of the leaf or 0, 1; unless 0: its move, 2 |
//! score, 2
//! ```

use std::path::Path;
use std::sync::Arc;

use tesuji_game::{Game, Move as _, MoveList, Packed, Record};
use tesuji_learn::JobError;
use tesuji_search::{CancelToken, Engine, Limits, Proven, Value};
use tesuji_shogi::{Move, Shogi};
use tesuji_store::frame::{Fields, FileFrame};

use super::yaneuraou_book::YaneuraOuBook;
use crate::book::{Book, BookDepth, BookGame, BookLeaf, BookSearcher, ForeignBook};
use crate::{HasEngines, Spec};

/// The score of a proven win, beyond all estimates.
const WIN: i32 = Value::LIMIT as i32 + 1;
/// The score of a proven loss.
const LOSS: i32 = -WIN;
/// The deepest search of a leaf.
const MAX_DEPTH: u8 = 60;

/// A position of a book.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct BookPosition {
    /// In front, so that files are sorted by it.
    number: u16,
    packed: [u8; 32],
}

impl BookPosition {
    fn position(&self) -> Option<Shogi> {
        Shogi::unpack(&self.packed).map(|position| position.with_number(self.number.into()))
    }
}

impl BookGame for Shogi {
    type Key = (u32, u64);
    type Stored = BookPosition;
    type Evaluation = Option<String>;
    type Searcher = LeafSearch;

    const BOOK_FRAME: FileFrame = FileFrame { magic: b"tesujiK\n", version: 1 };
    const TOLERANCE: i32 = 40;
    const POSITION_TEXT: &'static str = "an SFEN with its move number";
    const LEAF_TEXT: &'static str = "7g7f:+40@12";

    fn book_key(&self) -> (u32, u64) {
        (self.number(), self.key())
    }

    fn stored(&self) -> BookPosition {
        let mut packed = [0; 32];
        // Every position with both kings fits, and a game from the start has them.
        let fits = self.pack(&mut packed);
        debug_assert!(fits, "{self:?} does not fit");
        BookPosition { number: u16::try_from(self.number()).unwrap_or(u16::MAX), packed }
    }

    fn restore(stored: &BookPosition) -> Shogi {
        stored.position().unwrap_or_else(Shogi::start)
    }

    fn pieces(&self) -> u32 {
        self.number()
    }

    fn turns(&self) -> u32 {
        self.number().saturating_sub(1)
    }

    fn check_leaf(&self, score: i32, depth: BookDepth) -> Result<(), String> {
        if score.abs() > WIN || !(1..=MAX_DEPTH).contains(&depth.plies) || depth.percent != 100 {
            return Err(format!("expected a score from -{WIN} to +{WIN} and a depth from 1 to {MAX_DEPTH}"));
        }
        Ok(())
    }

    fn write_entry(position: &BookPosition, leaf: Option<&BookLeaf<Move>>, out: &mut Vec<u8>) {
        out.extend(position.number.to_le_bytes());
        out.extend(position.packed);
        match leaf {
            None => out.push(0),
            Some(leaf) => {
                out.push(leaf.depth.plies);
                out.extend((leaf.mv.to_bits() as u16).to_le_bytes());
                out.extend((leaf.score as i16).to_le_bytes());
            }
        }
    }

    fn read_entry(fields: &mut Fields<'_>) -> Option<(BookPosition, Option<BookLeaf<Move>>)> {
        let number = u16::from_le_bytes(fields.array().ok()?);
        let stored = BookPosition { number, packed: fields.array().ok()? };
        let mut position = stored.position()?;
        // One spelling for each position.
        if position.stored() != stored {
            return None;
        }
        let [plies] = fields.array().ok()?;
        if plies == 0 {
            return Some((stored, None));
        }
        let bits = u16::from_le_bytes(fields.array().ok()?);
        let score = i16::from_le_bytes(fields.array().ok()?).into();
        let mut moves = <Shogi as Game>::Moves::default();
        position.moves(&mut moves);
        let mv = moves.each().find(|mv| mv.to_bits() == u32::from(bits))?;
        Some((stored, Some(BookLeaf { mv, score, depth: BookDepth::full(plies) })))
    }

    fn score_value(score: i32) -> Value {
        match score {
            WIN.. => Value::win(Value::FARTHEST),
            ..=LOSS => Value::loss(Value::FARTHEST),
            _ => Value::estimate(score),
        }
    }

    fn score_text(score: i32) -> String {
        match score {
            WIN.. => "won".to_owned(),
            ..=LOSS => "lost".to_owned(),
            _ => format!("{score:+}"),
        }
    }

    fn book_evaluation(weights: Option<&Path>) -> Result<Option<String>, JobError> {
        let Some(path) = weights else { return Ok(None) };
        let name = path.display().to_string();
        Shogi::static_eval(&name, &Shogi::start()).map_err(|error| JobError::field("weights", error))?;
        Ok(Some(name))
    }

    fn searcher(evaluation: &Option<String>, hash_mib: usize) -> LeafSearch {
        LeafSearch { evaluation: evaluation.clone(), hash_mib }
    }

    fn level_depth(&self, level: u32) -> BookDepth {
        BookDepth::full(level.clamp(1, MAX_DEPTH.into()) as u8)
    }

    /// None ships: a book must be deeper than the search that it saves.
    fn shipped_book() -> Option<&'static Book<Shogi>> {
        None
    }

    fn foreign_book(path: &Path) -> Option<Result<Arc<dyn ForeignBook<Shogi>>, String>> {
        let book = YaneuraOuBook::open(path)?;
        Some(book.map(|book| Arc::new(book) as Arc<dyn ForeignBook<Shogi>>).map_err(|error| error.to_string()))
    }
}

/// Searches for the best move out of a book: alpha-beta with a fixed depth and as many lines as it takes.
#[derive(Debug)]
pub struct LeafSearch {
    /// The evaluation of an engine spec.
    evaluation: Option<String>,
    hash_mib: usize,
}

impl BookSearcher<Shogi> for LeafSearch {
    fn best_excluding(
        &mut self,
        game: &Shogi,
        level: u32,
        excluded: &[Move],
        cancel: &CancelToken,
    ) -> Option<(Move, i32)> {
        let mut moves = <Shogi as Game>::Moves::default();
        game.clone().moves(&mut moves);
        let first = moves.each().find(|mv| !excluded.contains(mv))?;
        let mut engine = self.engine()?;
        let limits = Limits {
            depth: Some(level),
            lines: (excluded.len() + 1).min(moves.len()),
            ignore_book: true,
            ..Limits::default()
        };
        let mut found = None;
        engine.think(&Record::new(game.clone()), &limits, cancel, &mut |report| {
            let exits = |mv: &Move| !excluded.contains(mv);
            let line = report.lines.iter().find(|line| line.moves.first().is_some_and(exits));
            found = line.and_then(|line| Some((*line.moves.first()?, score(line.value))));
        });
        if cancel.is_cancelled() {
            return None;
        }
        // Every other move was proven to lose, or the search saw a mate and looked no further.
        Some(found.unwrap_or((first, LOSS)))
    }
}

impl LeafSearch {
    /// A new engine, whose transposition table is empty.
    fn engine(&self) -> Option<Box<dyn Engine<Shogi>>> {
        let mut spec = Spec::parse("alphabeta:book=none,threads=1").ok()?;
        spec.settings.push(("hash".to_owned(), self.hash_mib.to_string()));
        spec.settings.extend(self.evaluation.iter().map(|name| ("eval".to_owned(), name.clone())));
        Shogi::engine(&spec).ok()
    }
}

fn score(value: Value) -> i32 {
    match value.proven() {
        Some(Proven::Win(_)) => WIN,
        Some(Proven::Loss(_)) => LOSS,
        None => value.get().into(),
    }
}

#[cfg(test)]
mod tests {
    use crate::book::{BookEngine, BookSource};

    use super::*;

    #[test]
    fn a_text_keeps_the_move_number() {
        let text = "lnsgkgsnl/1r5b1/ppppppppp/9/9/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL w - 2; 3c3d:-30@9";
        let book = Book::<Shogi>::parse_text(text).unwrap();
        let mut game = Shogi::start();
        assert!(book.probe(&game).is_none());
        let mv = tesuji_game::Notation::parse_move(&mut game, "7g7f").unwrap();
        game.play(mv);
        assert_eq!(book.probe(&game).map(|known| known.moves[0].score), Some(-30));
        assert_eq!(Book::parse(&book.bytes()).unwrap(), book);
        assert_eq!(Book::parse_text(&book.text()).unwrap(), book);
        // The same board one move later is another position.
        assert!(book.probe(&game.with_number(4)).is_none());
    }

    #[test]
    fn a_variety_draws_among_nearly_best_moves() {
        let text = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1; 9g9f:-50@9\n\
            lnsgkgsnl/1r5b1/ppppppppp/9/9/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL w - 2; 3c3d:-30@9\n\
            lnsgkgsnl/1r5b1/ppppppppp/9/9/7P1/PPPPPPP1P/1B5R1/LNSGKGSNL w - 2; 3c3d:-20@9";
        let book = Arc::new(Book::<Shogi>::parse_text(text).unwrap());
        let source = BookSource::Own(book);
        let lines = |variety| -> Vec<(String, i32)> {
            let lines = source.lines(&Shogi::start(), variety, |_| true);
            lines.iter().map(|line| (line.moves[0].to_string(), line.score)).collect()
        };
        let (best, second) = (("7g7f".to_owned(), 30), ("2g2f".to_owned(), 20));
        assert_eq!(lines(9), std::slice::from_ref(&best));
        // A move out of the book is never drawn.
        assert_eq!((lines(10), lines(1000)), (vec![best.clone(), second.clone()], vec![best, second]));
        let played = |seed: u64| {
            let inside = Shogi::engine(&Spec::parse("random").unwrap()).unwrap();
            let mut engine = BookEngine::new(inside, source.clone()).varied(10, seed);
            let limits = Limits { lines: 1, ..Limits::default() };
            engine.think(&Record::new(Shogi::start()), &limits, &CancelToken::new(), &mut |_| {})
        };
        let choices: Vec<_> = (0..20).map(played).collect();
        assert!(choices.iter().any(|choice| *choice != choices[0]), "{choices:?}");
        assert_eq!(choices, (0..20).map(played).collect::<Vec<_>>());
    }

    #[test]
    fn the_best_move_out_of_the_book_is_searched() {
        let game: Shogi = tesuji_game::Notation::parse("4k4/9/4P4/9/9/9/9/9/4K4 b 2G 1").unwrap();
        let mut searcher = Shogi::searcher(&Some("material".to_owned()), 1);
        let cancel = CancelToken::new();
        let (best, value) = searcher.best_excluding(&game, 3, &[], &cancel).unwrap();
        assert_eq!((best.to_string().as_str(), value), ("G*5b", WIN));
        let (other, value) = searcher.best_excluding(&game, 2, &[best], &cancel).unwrap();
        assert!(other != best && value.abs() <= WIN, "{other} {value}");
        let mut moves = <Shogi as Game>::Moves::default();
        game.clone().moves(&mut moves);
        let all: Vec<Move> = moves.each().collect();
        assert_eq!(searcher.best_excluding(&game, 1, &all, &cancel), None);
    }
}
