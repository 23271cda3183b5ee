//! Search heuristics of Othello: move ordering by mobility, late move reduction.

use tesuji_othello::{Move, Othello, kernel, mobility};
use tesuji_search::{Eval, Heuristics, NodeContext};

use super::square_weights::symmetric;

/// Moves that leave the opponent few replies are searched first, corners before squares that give corners away. Late
/// moves are reduced by a ply where the search does not reach the end of the game.
#[derive(Clone, Copy, Debug, Default)]
pub struct OthelloHeuristics;

const CORNERS: u64 = 0x8100_0000_0000_0081;

/// The score of a square, against `REPLY` for each reply of the opponent. `WEIGHT` puts both above the history score.
const SQUARE: [i16; 64] = symmetric([
    80, -12, 10, 6, //
    -32, -4, 0, //
    4, 2, 0,
]);
const REPLY: i32 = 8;
const WEIGHT: i32 = 1 << 10;

/// Late move reduction starts at this move and this depth.
const LMR_MOVE_COUNT: u32 = 4;
const LMR_DEPTH: u32 = 3;

impl<E: Eval<Othello>> Heuristics<Othello, E> for OthelloHeuristics {
    #[inline]
    fn score_move(&self, game: &Othello, mv: Move) -> i32 {
        let Some(square) = mv.square() else { return 0 };
        let turned = kernel::flips_of_empty(game.own(), game.other(), square);
        let replies = mobility(game.other() & !turned, game.own() | turned | square.bit());
        let weight = replies.count_ones() + (replies & CORNERS).count_ones();
        WEIGHT * (i32::from(SQUARE[square.index()]) - REPLY * weight as i32)
    }

    #[inline]
    fn late_move_reduction(&self, after: &Othello, _: Move, node: &NodeContext) -> u32 {
        let late = node.move_count >= LMR_MOVE_COUNT && node.depth >= LMR_DEPTH && !node.is_pv;
        // Where the search reaches the end of the game, its result must stay exact.
        u32::from(late && after.empties().count_ones() > node.depth)
    }
}
