//! `monte-carlo`: the mean result of random playouts.
//!
//! The playouts depend only on the position, not on the order of its move list: transpositions and repeated runs give the
//! same value.

use tesuji_game::{Game, Move as _, MoveList, Outcome};
use tesuji_search::{Eval, Rng, Value};
use tesuji_trax::{Move, Trax, Undo, Variant};

use super::average::WIN;

/// Random playouts. Wins count +1, losses -1, draws and capped games 0. The value is the mean in thousandths.
#[derive(Clone, Copy, Debug)]
pub struct MonteCarlo {
    /// The number of playouts.
    pub games: u32,
    /// The seed, combined with the position.
    pub seed: u64,
}

impl Default for MonteCarlo {
    fn default() -> MonteCarlo {
        MonteCarlo { games: 16, seed: 0 }
    }
}

/// The longest playout. Random games take 19 turns on average and rarely a hundred.
const CAP: u32 = 200;

impl MonteCarlo {
    /// The mean in thousandths, for the mover.
    pub(super) fn mean<V: Variant>(&self, game: &Trax<V>) -> i32 {
        let mut game = game.clone();
        let mut rng = Rng::new(game.key() ^ self.seed.wrapping_mul(0x9e37_79b9_7f4a_7c15));
        let (mut list, mut undos) = (Vec::new(), Vec::new());
        let sum: i32 = (0..self.games).map(|_| result(&mut game, &mut rng, &mut list, &mut undos)).sum();
        WIN * sum / self.games.max(1) as i32
    }
}

/// The result of one playout for the mover. The position is restored.
fn result<V: Variant>(game: &mut Trax<V>, rng: &mut Rng, list: &mut Vec<Move>, undos: &mut Vec<Undo>) -> i32 {
    let mover = game.mover();
    for _ in 0..CAP {
        game.moves(list);
        let salt = rng.draw();
        let Some(mv) = list.each().max_by_key(|mv| priority(*mv, salt)) else { break };
        undos.push(game.play(mv));
    }
    let winner = game.outcome().and_then(|outcome: Outcome| outcome.winner(game.mover()));
    while let Some(undo) = undos.pop() {
        game.undo(undo);
    }
    winner.map_or(0, |side| if side == mover { 1 } else { -1 })
}

/// The random priority of a move; the highest is played.
#[inline]
fn priority(mv: Move, salt: u64) -> u64 {
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
