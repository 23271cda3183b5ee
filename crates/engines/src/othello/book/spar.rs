//! Games for a book that has no records to learn from: an engine against itself, where each move is drawn among those
//! that are nearly best. Random openings would be no help here: a book is about moves that are played.

use tesuji_game::{Game, Record};
use tesuji_othello::{Move, Othello};
use tesuji_search::{CancelToken, Rng};

use crate::othello::{PatternEval, Solver, Strength};

/// Discs that a move may give away and still be played.
const NEARLY: i32 = 2;
/// Size of the table of a game in MiB. Every game has its own, so that it depends on its number alone.
const TABLE: usize = 1;

/// Games of an engine against itself, the same whenever and wherever they are played.
#[derive(Clone, Debug)]
pub struct Sparring {
    /// How well moves are judged.
    pub strength: Strength,
    /// Games end after so many moves: no book reads further.
    pub plies: u32,
    /// What leads the searches.
    pub eval: PatternEval,
    /// Another seed has other games.
    pub seed: u64,
}

impl Sparring {
    /// The game of a number; none when it was stopped.
    pub fn game(&self, number: u32, stop: &CancelToken) -> Option<Record<Othello>> {
        let mut rng = Rng::new(self.seed.wrapping_add(u64::from(number) << 32));
        let mut solver = Solver::new(TABLE, self.eval.clone());
        let mut record = Record::new(Othello::start());
        while record.ending().is_none() && 60 - record.now().empties().count_ones() < self.plies {
            let mv = if record.now().must_pass() {
                Move::PASS
            } else {
                self.draw(record.now(), &mut solver, &mut rng, stop)?
            };
            record.push(mv).ok()?;
        }
        Some(record)
    }

    /// One of the moves that are nearly best.
    fn draw(&self, game: &Othello, solver: &mut Solver, rng: &mut Rng, stop: &CancelToken) -> Option<Move> {
        let (mut good, mut barred, mut best) = (Vec::new(), 0, None);
        while let Some(found) = solver.best_excluding(game, self.strength, barred, stop) {
            let mv = found.best()?;
            if found.score < *best.get_or_insert(found.score) - NEARLY {
                break;
            }
            barred |= 1 << mv.square()?.index();
            good.push(mv);
        }
        // A search that was stopped may have left the best out.
        if stop.is_cancelled() || good.is_empty() {
            return None;
        }
        Some(good[rng.below(good.len())])
    }
}
