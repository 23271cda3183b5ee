//! The craft of Trax in the tree: attacks are answered first, and a win in one is seen without a search.

use tesuji_game::{Game, Move as _};
use tesuji_search::{Eval, HISTORY, Heuristics, NodeContext, Value};
use tesuji_trax::{Dir, Move, Place, Trax, Variant};

use super::attack::{exit, gap, verdict};

/// Moves that lead the ends of an opponent's attack apart come first, those that spoil an own one last; and
/// whoever can finish a track now has won.
///
/// To make attacks is no aim by itself: it spends what they are made of, and was measured to gain nothing.
#[derive(Clone, Copy, Debug, Default)]
pub struct TraxHeuristics;

/// Ends no farther apart than this can be joined in a turn.
const ATTACK: u16 = 2;

/// What an attack led apart counts for; more than anything the search has learned.
const APART: i32 = 4 * HISTORY;
/// A tile outside of the box meets one other and forces little.
const OUTSIDE: i32 = HISTORY / 2;
/// Moves that look alike are tried in no order. With a fixed one, play without an evaluation would run along
/// an edge of the table for ever.
const CHANCE: i32 = HISTORY / 2;

impl<V: Variant, E: Eval<Trax<V>>> Heuristics<Trax<V>, E> for TraxHeuristics {
    #[inline]
    fn hint(&self, game: &Trax<V>, mv: Move) -> i32 {
        let (place, Some(glyph)) = (mv.place(), mv.glyph()) else { return 0 };
        let mut hint = lot(game.tiles().len(), mv);
        for dir in Dir::ALL {
            let Some(end) = game.end(place, dir) else { continue };
            let far = end.other.0;
            if gap(place, far) <= ATTACK
                && beyond(place, exit(glyph, dir)).is_none_or(|next| gap(next, far) > ATTACK)
            {
                hint += if end.side == game.mover() { -APART } else { APART };
            }
        }
        let (columns, rows) = game.size();
        let inside = |at: u16, length: usize| (1..=length).contains(&usize::from(at));
        if inside(place.column, columns) && inside(place.row, rows) { hint } else { hint - OUTSIDE }
    }

    #[inline]
    fn verdict(&self, game: &mut Trax<V>, _: &NodeContext) -> Option<Value> {
        verdict(game)
    }
}

/// A small number that looks like chance and is the same on every machine.
#[inline]
fn lot(tiles: usize, mv: Move) -> i32 {
    let mixed = (mv.to_bits() ^ (tiles as u32).wrapping_mul(0x85eb_ca6b)).wrapping_mul(0x9e37_79b1);
    ((mixed ^ mixed >> 15).wrapping_mul(0x2c1b_3c6d) >> 16) as i32 % CHANCE
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
