//! The craft of Ostle in the tree: drops first, and a win in one seen without a search.

use tesuji_game::Game;
use tesuji_ostle::{Move, Ostle};
use tesuji_search::{Eval, HISTORY, Heuristics, NodeContext, Value};

/// Pushes that drop an enemy come first, and whoever can take the second piece now has won. The rest is left
/// to what the search learns on the way, which orders Ostle's moves as well as anything tried.
#[derive(Clone, Copy, Debug, Default)]
pub struct OstleHeuristics;

/// An enemy dropped; more than anything the search has learned.
const DROP: i32 = 4 * HISTORY;

impl<E: Eval<Ostle>> Heuristics<Ostle, E> for OstleHeuristics {
    #[inline]
    fn hint(&self, game: &Ostle, mv: Move) -> i32 {
        if !game.can_drop_other() {
            return 0;
        }
        let mut after = *game;
        after.play(mv);
        // The opponent's pieces come first once the move is made.
        if after.pieces().0 < game.pieces().1 { DROP } else { 0 }
    }

    #[inline]
    fn verdict(&self, game: &mut Ostle, _: &NodeContext) -> Option<Value> {
        game.checkmate().then(|| Value::win(1))
    }
}
