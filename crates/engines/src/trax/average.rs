//! `leaf-average`: the mean result over all moves of the position, and the same with play-outs behind it.
//!
//! Every legal move is played once. A turn that finishes the game counts +1 when the mover of the position has
//! won by it and -1 when the opponent has (a player may complete the other's path); any other counts 0. The
//! sum over the number of legal moves is the leaf average, in thousandths. It is not a search: moves that
//! complete the opponent's path are counted too, because they show where the opponent could finish. So it measures the threats of both sides, and is known to get weaker with depth.

use tesuji_game::{Game, MoveList, Outcome};
use tesuji_search::{Eval, Value};
use tesuji_trax::{Move, Trax, Undo, Variant};

use super::playouts::MonteCarlo;

/// A whole win, in the unit of these evaluations.
pub(super) const WIN: i32 = 1000;

/// The mean result over all moves.
#[derive(Clone, Copy, Debug, Default)]
pub struct LeafAverage;

/// The leaf average, with playouts as a tie-break.
///
/// Its unit is a twentieth of a thousandth: play-outs, at most ±9 of those, never outweigh the least step of
/// the average.
#[derive(Clone, Copy, Debug, Default)]
pub struct AverageThenPlayouts {
    /// The play-outs.
    pub playouts: MonteCarlo,
}

const STEP: i32 = 20;
/// A whole win, in the unit of [`AverageThenPlayouts`].
pub(super) const WIN_WITH_PLAYOUTS: i32 = STEP * WIN;
const BETWEEN: i32 = 9;

/// The leaf average in thousandths, for the mover.
fn average<V: Variant>(game: &Trax<V>) -> i32 {
    let mut game = game.clone();
    let mut list = Vec::new();
    game.moves(&mut list);
    let mut sum = 0;
    for mv in list.each() {
        let undo = game.play(mv);
        sum += match game.outcome() {
            Some(Outcome::Loss) => 1,
            Some(Outcome::Win) => -1,
            _ => 0,
        };
        game.undo(undo);
    }
    WIN * sum / list.len().max(1) as i32
}

impl<V: Variant> Eval<Trax<V>> for LeafAverage {
    type Accumulator = ();

    fn begin(&self, _: &Trax<V>) {}

    fn advance(&self, (): &(), _: Move, _: &Undo, _: &Trax<V>, (): &mut ()) {}

    fn value(&self, game: &Trax<V>, (): &()) -> Value {
        Value::estimate(average(game))
    }
}

impl<V: Variant> Eval<Trax<V>> for AverageThenPlayouts {
    type Accumulator = ();

    fn begin(&self, _: &Trax<V>) {}

    fn advance(&self, (): &(), _: Move, _: &Undo, _: &Trax<V>, (): &mut ()) {}

    fn value(&self, game: &Trax<V>, (): &()) -> Value {
        Value::estimate(STEP * average(game) + BETWEEN * self.playouts.mean(game) / WIN)
    }
}
