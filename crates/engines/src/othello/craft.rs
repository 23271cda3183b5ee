//! The craft of Othello in the tree: which moves to try first, and which ones later and less deep.

use tesuji_othello::{Move, Othello, kernel, mobility};
use tesuji_search::{Eval, Heuristics, NodeContext};

use super::square::spread;

/// Moves that leave the opponent few answers come first, corners before squares that give corners away; late
/// moves are searched a ply less where the end of the game is out of sight.
#[derive(Clone, Copy, Debug, Default)]
pub struct OthelloHeuristics;

const CORNERS: u64 = 0x8100_0000_0000_0081;

/// What a square counts for against the opponent's answers, each of which counts `ANSWER`; what was learned
/// on the way decides only between moves that look alike.
const SQUARE: [i16; 64] = spread([
    80, -12, 10, 6, //
    -32, -4, 0, //
    4, 2, 0,
]);
const ANSWER: i32 = 8;
const WEIGHT: i32 = 1 << 10;

/// From here on moves are late, and searches deep enough to be cut short.
const LATE: u32 = 4;
const DEEP: u32 = 3;

impl<E: Eval<Othello>> Heuristics<Othello, E> for OthelloHeuristics {
    #[inline]
    fn hint(&self, game: &Othello, mv: Move) -> i32 {
        let Some(square) = mv.square() else { return 0 };
        let turned = kernel::flips_of_empty(game.own(), game.other(), square);
        let answers = mobility(game.other() & !turned, game.own() | turned | square.bit());
        let weight = answers.count_ones() + (answers & CORNERS).count_ones();
        WEIGHT * (i32::from(SQUARE[square.index()]) - ANSWER * weight as i32)
    }

    #[inline]
    fn reduce(&self, after: &Othello, _: Move, situation: &NodeContext) -> u32 {
        let late = situation.tried >= LATE && situation.depth >= DEEP && !situation.open;
        // Where the search reaches the end of the game its result is exact, and stays so.
        u32::from(late && after.empties().count_ones() > situation.depth)
    }
}
