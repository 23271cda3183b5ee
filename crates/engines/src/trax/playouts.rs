//! `monte-carlo`: the mean result of games played at random from the position.
//!
//! The games are chosen by the position alone, not by the order in which its moves happen to be listed: two
//! ways to the same position, and two runs, give the same value.

use tesuji_game::{Game, Move as _, MoveList, Outcome};
use tesuji_search::{Eval, Rng, Value};
use tesuji_trax::{Move, Trax, Undo, Variant};

use super::average::WIN;

/// Random games to their end. Wins count +1, losses -1, draws and games that reach the cap 0; the value is
/// their mean, in thousandths.
#[derive(Clone, Copy, Debug)]
pub struct MonteCarlo {
    /// How many games.
    pub games: u32,
    /// What chance begins with, beside the position.
    pub seed: u64,
}

impl Default for MonteCarlo {
    fn default() -> MonteCarlo {
        MonteCarlo { games: 16, seed: 0 }
    }
}

/// Random games of Trax take 19 turns on average, and hardly ever a hundred.
const CAP: u32 = 200;

impl MonteCarlo {
    /// The mean in thousandths, seen by the mover.
    pub(super) fn mean<V: Variant>(&self, game: &Trax<V>) -> i32 {
        let mut game = game.clone();
        let mut rng = Rng::new(game.key() ^ self.seed.wrapping_mul(0x9e37_79b9_7f4a_7c15));
        let (mut list, mut undos) = (Vec::new(), Vec::new());
        let sum: i32 = (0..self.games).map(|_| result(&mut game, &mut rng, &mut list, &mut undos)).sum();
        WIN * sum / self.games.max(1) as i32
    }
}

/// The result of one random game, seen by the mover; the position is left as it was.
fn result<V: Variant>(game: &mut Trax<V>, rng: &mut Rng, list: &mut Vec<Move>, undos: &mut Vec<Undo>) -> i32 {
    let mover = game.mover();
    for _ in 0..CAP {
        game.moves(list);
        let salt = rng.draw();
        let Some(mv) = list.each().max_by_key(|mv| lot(*mv, salt)) else { break };
        undos.push(game.play(mv));
    }
    let winner = game.outcome().and_then(|outcome: Outcome| outcome.winner(game.mover()));
    while let Some(undo) = undos.pop() {
        game.undo(undo);
    }
    winner.map_or(0, |side| if side == mover { 1 } else { -1 })
}

/// The lot a move draws; the highest is played.
#[inline]
fn lot(mv: Move, salt: u64) -> u64 {
    let mixed = (u64::from(mv.to_bits()) ^ salt).wrapping_mul(0xd6e8_feb8_6659_fd93);
    (mixed ^ mixed >> 32).wrapping_mul(0xd6e8_feb8_6659_fd93)
}

impl<V: Variant> Eval<Trax<V>> for MonteCarlo {
    type Accumulator = ();

    fn begin(&self, _: &Trax<V>) {}

    fn advance(&self, (): &(), _: Move, _: &Undo, _: &Trax<V>, (): &mut ()) {}

    fn value(&self, game: &Trax<V>, (): &()) -> Value {
        Value::estimate(self.mean(game))
    }
}
