//! Cheap evaluations, so that the benchmark measures the search.

use tesuji_game::Game;
use tesuji_othello::{Othello, mobility};
use tesuji_search::{Eval, Value};

/// Othello by discs and mobility, computed at every leaf.
#[derive(Clone, Copy)]
pub(crate) struct DiscsAndMoves;

/// The formula for both programs.
pub(crate) fn discs_and_moves(game: &Othello) -> i32 {
    let (own, other) = (game.own(), game.other());
    let discs = own.count_ones() as i32 - other.count_ones() as i32;
    let moves = mobility(own, other).count_ones() as i32 - mobility(other, own).count_ones() as i32;
    discs + 8 * moves
}

impl Eval<Othello> for DiscsAndMoves {
    type Accumulator = ();

    fn begin(&self, _: &Othello) {}

    fn advance(&self, (): &(), _: tesuji_othello::Move, _: &Othello, _: &Othello, (): &mut ()) {}

    fn value(&self, game: &Othello, (): &()) -> Value {
        Value::estimate(discs_and_moves(game))
    }
}

/// A pseudo-random value for every position, for the largest trees.
#[derive(Clone, Copy)]
pub(crate) struct Scrambled;

impl<G: Game> Eval<G> for Scrambled {
    type Accumulator = ();

    fn begin(&self, _: &G) {}

    fn advance(&self, (): &(), _: G::Move, _: &G::Undo, _: &G, (): &mut ()) {}

    fn value(&self, game: &G, (): &()) -> Value {
        let mixed = game.key().wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 40;
        Value::estimate((mixed % 2001) as i32 - 1000)
    }
}
