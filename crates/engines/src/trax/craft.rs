//! The craft of Trax in the tree: attacks are answered first, and a win in one is seen without a search.

use tesuji_game::Game;
use tesuji_search::{Craft, Eval, HISTORY, Value};
use tesuji_trax::{Dir, Move, Place, Trax, Variant};

use super::attack::{exit, gap, verdict};

/// Moves on the ends of the opponent's attacks come first, then those that bring the ends of an own track
/// together; and whoever can finish a track now has won.
#[derive(Clone, Copy, Debug, Default)]
pub struct TraxCraft;

/// Ends no farther apart than this can be joined in a turn.
const ATTACK: u16 = 2;

/// To lead the opponent's attack apart; to make one of one's own; to keep the ends of a track close.
const DEFEND: i32 = 4 * HISTORY;
const MAKE: i32 = HISTORY;

impl<V: Variant, E: Eval<Trax<V>>> Craft<Trax<V>, E> for TraxCraft {
    #[inline]
    fn hint(&self, game: &Trax<V>, mv: Move) -> i32 {
        let (place, Some(glyph)) = (mv.place(), mv.glyph()) else { return 0 };
        let mut hint = 0;
        for dir in Dir::ALL {
            let Some(end) = game.end(place, dir) else { continue };
            let before = gap(place, end.other.0);
            let after = beyond(place, exit(glyph, dir)).map_or(before + 1, |next| gap(next, end.other.0));
            let worth = match (before <= ATTACK, after <= ATTACK) {
                (true, false) => -DEFEND,
                (false, true) => MAKE,
                (true, true) => MAKE / 2 * (i32::from(before) - i32::from(after)),
                (false, false) => i32::from(before) - i32::from(after),
            };
            hint += if end.side == game.mover() { worth } else { -worth };
        }
        hint
    }

    #[inline]
    fn verdict(&self, game: &mut Trax<V>) -> Option<Value> {
        verdict(game)
    }
}

/// The cell behind one side of another; none above row 0 or left of column `@`.
#[inline]
fn beyond(place: Place, dir: Dir) -> Option<Place> {
    let Place { column, row } = place;
    match dir {
        Dir::North => row.checked_sub(1).map(|row| Place { column, row }),
        Dir::East => Some(Place { column: column + 1, row }),
        Dir::South => Some(Place { column, row: row + 1 }),
        Dir::West => column.checked_sub(1).map(|column| Place { column, row }),
    }
}
