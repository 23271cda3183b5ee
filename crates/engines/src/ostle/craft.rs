//! The craft of Ostle in the tree: drops first, and a win in one seen without a search.

use tesuji_game::Game;
use tesuji_ostle::{Move, Ostle};
use tesuji_search::{Craft, Eval, HISTORY, Value};

/// Pushes that drop an enemy come first, moves that lose a piece last, and whoever can take the second piece
/// now has won.
#[derive(Clone, Copy, Debug, Default)]
pub struct OstleCraft;

/// A piece dropped; what counts for less must not outweigh it.
const DROP: i32 = 4 * HISTORY;
/// The opponent can drop one in reply.
const ANSWERED: i32 = HISTORY;
/// A win in one for the opponent.
const MATED: i32 = 8 * HISTORY;

impl<E: Eval<Ostle>> Craft<Ostle, E> for OstleCraft {
    #[inline]
    fn hint(&self, game: &Ostle, mv: Move) -> i32 {
        let (own, other) = game.pieces();
        let mut after = *game;
        after.play(mv);
        // Seen by the opponent, whose pieces come first now.
        let (other_left, own_left) = after.pieces();
        let dropped = DROP * ((other - other_left) as i32 - (own - own_left) as i32);
        match (after.can_drop_other(), after.checkmate()) {
            (_, true) => dropped - MATED,
            (true, _) => dropped - ANSWERED,
            _ => dropped,
        }
    }

    #[inline]
    fn verdict(&self, game: &mut Ostle) -> Option<Value> {
        game.checkmate().then(|| Value::win(1))
    }
}
