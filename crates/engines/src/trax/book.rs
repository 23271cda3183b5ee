//! Opening books of Trax. All positions that differ by translation, rotation, reflection or an exchange of the colours are
//! one; the turns that led to the first of them are stored.
//!
//! ```text
//! an entry of a file: number of the symmetry, 1 byte | number of turns, 1 | each turn: column, 1 | row and glyph, 1 |
//! depth of the leaf or 0, 1; unless 0: its turn, 2 | score, 2
//! ```

use std::any::Any;
use std::path::Path;
use std::sync::LazyLock;

use tesuji_game::{Game, Record, Symmetric};
use tesuji_learn::JobError;
use tesuji_search::alphabeta::{AlphaBeta, AlphaBetaOptions};
use tesuji_search::{CancelToken, Choice, Engine, Eval, Heuristics, Limits, NodeContext, Proven, Value};
use tesuji_store::frame::{Fields, FileFrame};
use tesuji_trax::{Coordinate, Glyph, Move, Trax, Unlimited, Variant};

use super::{Lines, TraxHeuristics};
use crate::HasEngines;
use crate::book::{Book, BookDepth, BookGame, BookLeaf, BookSearcher};

/// The score of a proven win, beyond all estimates.
const WIN: i32 = Value::LIMIT as i32 + 1;
/// The score of a proven loss.
const LOSS: i32 = -WIN;
/// The deepest search of a leaf.
const MAX_DEPTH: u8 = 60;

/// Made by the command in `docs/trax.md`.
pub(crate) static SHIPPED_BYTES: &[u8] = include_bytes!("../../weights/trax.book");

// A test parses these bytes, so they cannot be damaged.
static SHIPPED: LazyLock<Book<Trax<Unlimited>>> = LazyLock::new(|| {
    let book = Book::parse(SHIPPED_BYTES).unwrap_or_default();
    tracing::info!(positions = book.len(), "shipped opening book loaded");
    book
});

/// A position of a book: the turns that lead to it, and the symmetry of the view.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct BookTurns {
    /// In front, so that files are sorted by the number of turns.
    count: usize,
    symmetry: u8,
    turns: Vec<Move>,
}

impl BookTurns {
    fn new(symmetry: u8, turns: Vec<Move>) -> BookTurns {
        BookTurns { count: turns.len(), symmetry, turns }
    }

    /// The position; `None` if a turn is illegal.
    fn checked<V: Variant>(&self) -> Option<Trax<V>> {
        let (mut game, mut moves) = (Trax::<V>::start(), Vec::new());
        for &mv in &self.turns {
            game.moves(&mut moves);
            moves.contains(&mv).then(|| game.play(mv))?;
        }
        (usize::from(self.symmetry) < Trax::<V>::SYMMETRIES).then(|| self.viewed(game))
    }

    /// The position as it is seen.
    fn viewed<V: Variant>(&self, game: Trax<V>) -> Trax<V> {
        if self.symmetry == 0 { game } else { game.image(self.symmetry.into()) }
    }
}

impl<V: Variant> BookGame for Trax<V> {
    type Key = u64;
    type Stored = BookTurns;
    type Evaluation = Lines;
    type Searcher = LeafSearch;

    const BOOK_FRAME: FileFrame = FileFrame { magic: magic::<V>(), version: 1 };
    const TOLERANCE: i32 = 40;
    const POSITION_TEXT: &'static str = "the moves that lead to it";
    const LEAF_TEXT: &'static str = "B1+:+120@6";

    fn book_key(&self) -> u64 {
        self.canonical_key()
    }

    fn stored(&self) -> BookTurns {
        BookTurns::new(self.view_symmetry(), self.history())
    }

    fn restore(stored: &BookTurns) -> Trax<V> {
        let mut game = Trax::start();
        for &mv in &stored.turns {
            game.play(mv);
        }
        stored.viewed(game)
    }

    fn pieces(&self) -> u32 {
        self.tiles().len() as u32
    }

    fn turns(&self) -> u32 {
        Trax::turns(self) as u32
    }

    fn check_leaf(&self, score: i32, depth: BookDepth) -> Result<(), String> {
        if score.abs() > WIN || !(1..=MAX_DEPTH).contains(&depth.plies) || depth.percent != 100 {
            return Err(format!("expected a score from -{WIN} to +{WIN} and a depth from 1 to {MAX_DEPTH}"));
        }
        Ok(())
    }

    fn write_entry(position: &BookTurns, leaf: Option<&BookLeaf<Move>>, out: &mut Vec<u8>) {
        out.extend([position.symmetry, position.turns.len() as u8]);
        position.turns.iter().for_each(|&mv| out.extend(packed(mv)));
        match leaf {
            None => out.push(0),
            Some(leaf) => {
                out.push(leaf.depth.plies);
                out.extend(packed(leaf.mv));
                out.extend((leaf.score as i16).to_le_bytes());
            }
        }
    }

    fn read_entry(fields: &mut Fields<'_>) -> Option<(BookTurns, Option<BookLeaf<Move>>)> {
        let [symmetry, turns] = fields.array().ok()?;
        let turns = (0..turns).map(|_| unpacked(fields.array().ok()?)).collect::<Option<Vec<Move>>>()?;
        let position = BookTurns::new(symmetry, turns);
        let game: Trax<V> = position.checked()?;
        // One spelling for each view of a position.
        if game.stored() != position {
            return None;
        }
        let [plies] = fields.array().ok()?;
        if plies == 0 {
            return Some((position, None));
        }
        let mv = unpacked(fields.array().ok()?)?;
        let score = i16::from_le_bytes(fields.array().ok()?).into();
        Some((position, Some(BookLeaf { mv, score, depth: BookDepth::full(plies) })))
    }

    fn score_value(score: i32) -> Value {
        match score {
            WIN.. => Value::win(Value::FARTHEST),
            ..=LOSS => Value::loss(Value::FARTHEST),
            _ => Value::estimate(score),
        }
    }

    /// In the unit of the game's values.
    fn score_text(score: i32) -> String {
        match score {
            WIN.. => "won".to_owned(),
            ..=LOSS => "lost".to_owned(),
            _ => Self::UNIT.text(f64::from(score) / f64::from(Self::UNIT.steps)),
        }
    }

    fn book_evaluation(weights: Option<&Path>) -> Result<Lines, JobError> {
        let Some(path) = weights else { return Ok(Lines::shipped()) };
        Lines::load(path).map_err(|error| JobError::field("weights", error))
    }

    fn searcher(evaluation: &Lines, hash_mib: usize) -> LeafSearch {
        LeafSearch { evaluation: evaluation.clone(), hash_mib }
    }

    fn level_depth(&self, level: u32) -> BookDepth {
        BookDepth::full(level.clamp(1, MAX_DEPTH.into()) as u8)
    }

    /// Only unlimited Trax has one.
    fn shipped_book() -> Option<&'static Book<Trax<V>>> {
        if V::NAME != Unlimited::NAME {
            return None;
        }
        let shipped: &'static Book<Trax<Unlimited>> = &SHIPPED;
        let shipped: &'static dyn Any = shipped;
        shipped.downcast_ref()
    }
}

/// The first bytes of a file. A book of one variant says nothing about another.
const fn magic<V: Variant>() -> &'static [u8; 8] {
    match (V::LINES, V::LONGEST) {
        (false, _) => b"tesujiR\n",
        (true, 8) => b"tesujiQ\n",
        (true, _) => b"tesujiP\n",
    }
}

/// A turn in two bytes.
fn packed(mv: Move) -> [u8; 2] {
    let Coordinate { column, row } = mv.place();
    [column as u8, (row << 2) as u8 | mv.glyph().map_or(3, |glyph| glyph as u8)]
}

fn unpacked([column, rest]: [u8; 2]) -> Option<Move> {
    let glyph = *Glyph::ALL.get(usize::from(rest & 3))?;
    Some(Move::new(Coordinate { column: column.into(), row: (rest >> 2).into() }, glyph))
}

/// Searches for the best move out of a book: alpha-beta with a fixed depth.
#[derive(Debug)]
pub struct LeafSearch {
    evaluation: Lines,
    hash_mib: usize,
}

impl<V: Variant> BookSearcher<Trax<V>> for LeafSearch {
    fn best_excluding(
        &mut self,
        game: &Trax<V>,
        level: u32,
        excluded: &[Move],
        cancel: &CancelToken,
    ) -> Option<(Move, i32)> {
        let (mut now, mut moves) = (game.clone(), Vec::new());
        now.moves(&mut moves);
        let exits: Vec<Move> = moves.iter().copied().filter(|mv| !excluded.contains(mv)).collect();
        let first = *exits.first()?;
        let closed = moves
            .iter()
            .filter(|mv| excluded.contains(mv))
            .map(|&mv| {
                let undo = now.play(mv);
                let key = now.key();
                now.undo(undo);
                key
            })
            .collect();
        let options = AlphaBetaOptions { hash_mib: self.hash_mib, threads: 1 };
        let mut engine = AlphaBeta::new(self.evaluation.clone(), Closed { closed }, options);
        let limits = Limits { depth: Some(level), lines: 1, ..Limits::default() };
        let mut value = None;
        let choice = engine.think(&Record::new(game.clone()), &limits, cancel, &mut |report| {
            value = report.lines.first().map(|line| line.value);
        });
        if cancel.is_cancelled() {
            return None;
        }
        match choice {
            Choice::Move { mv, .. } if exits.contains(&mv) => Some((mv, score(value?))),
            // Every move out of the book loses.
            _ => Some((first, LOSS)),
        }
    }
}

fn score(value: Value) -> i32 {
    match value.proven() {
        Some(Proven::Win(_)) => WIN,
        Some(Proven::Loss(_)) => LOSS,
        None => value.get().into(),
    }
}

/// The heuristics of the search, for which positions behind the root count as lost: moves into the book.
#[derive(Clone, Debug)]
struct Closed {
    closed: Vec<u64>,
}

type Base = TraxHeuristics<true>;
const BASE: Base = TraxHeuristics::<true>;

impl<V: Variant> Heuristics<Trax<V>, Lines> for Closed
where
    Lines: Eval<Trax<V>>,
{
    const SEES_WINS_IN_ONE: bool = <Base as Heuristics<Trax<V>, Lines>>::SEES_WINS_IN_ONE;
    const NEEDS_STATIC_EVAL: bool = <Base as Heuristics<Trax<V>, Lines>>::NEEDS_STATIC_EVAL;
    const EVAL_ORDERING_DEPTH: u32 = <Base as Heuristics<Trax<V>, Lines>>::EVAL_ORDERING_DEPTH;

    fn eval_ordering_scale(&self) -> i32 {
        <Base as Heuristics<Trax<V>, Lines>>::eval_ordering_scale(&BASE)
    }

    fn score_move(&self, game: &Trax<V>, mv: Move) -> i32 {
        <Base as Heuristics<Trax<V>, Lines>>::score_move(&BASE, game, mv)
    }

    fn history_key(&self, game: &Trax<V>, mv: Move) -> u32 {
        <Base as Heuristics<Trax<V>, Lines>>::history_key(&BASE, game, mv)
    }

    fn reverse_futility(&self, game: &Trax<V>, node: &NodeContext) -> bool {
        <Base as Heuristics<Trax<V>, Lines>>::reverse_futility(&BASE, game, node)
    }

    fn known_result(&self, game: &mut Trax<V>, node: &NodeContext) -> Option<Value> {
        if node.ply == 1 && self.closed.contains(&game.key()) {
            return Some(Value::win(1));
        }
        <Base as Heuristics<Trax<V>, Lines>>::known_result(&BASE, game, node)
    }

    fn threat(&self, game: &mut Trax<V>, node: &NodeContext) -> Option<Move> {
        <Base as Heuristics<Trax<V>, Lines>>::threat(&BASE, game, node)
    }

    fn moves(&self, game: &mut Trax<V>, node: &NodeContext, out: &mut Vec<Move>) {
        <Base as Heuristics<Trax<V>, Lines>>::moves(&BASE, game, node, out);
    }

    fn extension(&self, after: &Trax<V>, mv: Move, node: &NodeContext) -> u32 {
        <Base as Heuristics<Trax<V>, Lines>>::extension(&BASE, after, mv, node)
    }

    fn late_move_reduction(&self, after: &Trax<V>, mv: Move, node: &NodeContext) -> u32 {
        <Base as Heuristics<Trax<V>, Lines>>::late_move_reduction(&BASE, after, mv, node)
    }

    fn qsearch_moves(&self, game: &mut Trax<V>, node: &NodeContext, out: &mut Vec<Move>) -> bool {
        <Base as Heuristics<Trax<V>, Lines>>::qsearch_moves(&BASE, game, node, out)
    }
}

#[cfg(test)]
mod tests {
    use tesuji_trax::EightByEight;

    use super::*;

    #[test]
    fn the_shipped_book_is_searched_and_reachable() {
        let book = Book::<Trax<Unlimited>>::parse(SHIPPED_BYTES).unwrap();
        assert_eq!((book.unsearched(), book.reachable(&Trax::start())), (0, book.len()));
        assert_eq!(book.bytes(), SHIPPED_BYTES);
        assert_eq!(Trax::<Unlimited>::shipped_book(), Some(&book));
        assert!(Trax::<EightByEight>::shipped_book().is_none());
    }
}
