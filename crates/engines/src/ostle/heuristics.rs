//! Search heuristics of Ostle: drops first, and a win in one without search.

use tesuji_game::Game;
use tesuji_ostle::{Move, Ostle};
use tesuji_search::{Eval, HISTORY, Heuristics, NodeContext, Value};

/// Pushes that drop an enemy piece are searched first, and a second drop is a win in one. History and killers order the
/// rest as well as anything that was tried.
#[derive(Clone, Copy, Debug, Default)]
pub struct OstleHeuristics;

/// The score of a drop, above history and killers.
const DROP: i32 = 4 * HISTORY;

impl<E: Eval<Ostle>> Heuristics<Ostle, E> for OstleHeuristics {
    const SEES_WINS_IN_ONE: bool = true;

    #[inline]
    fn score_move(&self, game: &Ostle, mv: Move) -> i32 {
        if !game.can_drop_other() {
            return 0;
        }
        let mut after = *game;
        after.play(mv);
        // After the move the opponent's pieces come first.
        if after.pieces().0 < game.pieces().1 { DROP } else { 0 }
    }

    #[inline]
    fn known_result(&self, game: &mut Ostle, _: &NodeContext) -> Option<Value> {
        game.checkmate().then(|| Value::win(1))
    }
}
