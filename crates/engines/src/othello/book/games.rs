//! The games that positions of a book are taken from: records, and self-play among nearly best moves.

use std::collections::HashMap;

use tesuji_game::{Game, Record};
use tesuji_othello::{Move, Othello};
use tesuji_search::{CancelToken, Rng};

use super::{Book, BookKey, Canonical};
use crate::othello::{PatternEval, Solver, Strength};

/// A move may lose this many discs and still be played.
const TOLERANCE: i32 = 2;
/// Size of the transposition table in MiB. Each game has its own, so that it depends on its number only.
const TABLE_MIB: usize = 1;

/// How often positions occur in games.
#[derive(Clone, Debug)]
pub struct PositionCounts {
    plies: u32,
    games: HashMap<BookKey, u32>,
}

impl PositionCounts {
    /// Counts positions of up to this number of moves.
    pub fn new(plies: u32) -> PositionCounts {
        PositionCounts { plies, games: HashMap::new() }
    }

    /// Counts the positions of a game.
    pub fn add(&mut self, record: &Record<Othello>) {
        let mut now = *record.start();
        let mut moves = record.moves();
        // A key repeats in a game only by a pass.
        let mut last = None;
        while let Some(key) = Canonical::of(&now).map(|canonical| canonical.key).filter(|key| key.plies() <= self.plies)
        {
            if last != Some(key) {
                *self.games.entry(key).or_default() += 1;
            }
            last = Some(key);
            let Some(mv) = moves.next() else { break };
            now.play(mv);
        }
    }

    /// Number of positions that occur in at least this many games.
    pub fn count(&self, games: u32) -> usize {
        self.games.values().filter(|&&count| count >= games).count()
    }
}

impl Book {
    /// Adds every position that occurs in at least this many games, without a leaf. Returns the number of new positions.
    pub fn add_counted(&mut self, counts: &PositionCounts, games: u32) -> usize {
        let before = self.len();
        for (&key, _) in counts.games.iter().filter(|&(_, &count)| count >= games) {
            self.add(key, None);
        }
        self.propagate();
        self.len() - before
    }
}

/// Self-play for a book: each move is drawn among the nearly best ones. Random openings are unsuitable, since a book is
/// about moves that are played.
#[derive(Clone, Debug)]
pub struct BookSelfPlay {
    /// The strength of the searches.
    pub strength: Strength,
    /// Games end after this number of moves.
    pub plies: u32,
    /// The evaluation of the searches.
    pub eval: PatternEval,
    /// The seed.
    pub seed: u64,
    /// Size of a game's transposition table in MiB; 1 if absent.
    pub hash: Option<usize>,
}

impl BookSelfPlay {
    /// The game of a number. It depends on the number and the settings only. `None` when it was cancelled.
    pub fn game(&self, number: u32, cancel: &CancelToken) -> Option<Record<Othello>> {
        let mut rng = Rng::new(self.seed.wrapping_add(u64::from(number) << 32));
        let mut solver = Solver::new(self.hash.unwrap_or(TABLE_MIB), self.eval.clone());
        let mut record = Record::new(Othello::start());
        while record.ending().is_none() && 60 - record.now().empties().count_ones() < self.plies {
            let mv = if record.now().must_pass() {
                Move::PASS
            } else {
                self.draw_move(record.now(), &mut solver, &mut rng, cancel)?
            };
            record.push(mv).ok()?;
        }
        Some(record)
    }

    /// A random one of the nearly best moves.
    fn draw_move(&self, game: &Othello, solver: &mut Solver, rng: &mut Rng, cancel: &CancelToken) -> Option<Move> {
        let (mut good, mut excluded, mut best) = (Vec::new(), 0, None);
        while let Some(found) = solver.best_excluding(game, self.strength, excluded, cancel) {
            let mv = found.best()?;
            if found.score < *best.get_or_insert(found.score) - TOLERANCE {
                break;
            }
            excluded |= 1 << mv.square()?.index();
            good.push(mv);
        }
        // A cancelled search may have missed the best move.
        if cancel.is_cancelled() || good.is_empty() {
            return None;
        }
        Some(good[rng.below(good.len())])
    }
}
