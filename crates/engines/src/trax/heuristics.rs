//! Search heuristics of Trax: replies to attacks first, and a win in one without search.

use tesuji_game::{Game, Move as _};
use tesuji_search::{Eval, HISTORY, Heuristics, NodeContext, Value};
use tesuji_trax::{Coordinate, Dir, Move, Trax, Variant};

use super::attack::{exit, gap, verdict};

/// Moves that separate the ends of an opponent's attack are searched first, those that spoil an own one last. A track
/// that can be completed is a win in one.
///
/// Ordering new attacks first was measured to gain nothing.
#[derive(Clone, Copy, Debug, Default)]
pub struct TraxHeuristics;

/// Ends at most this far apart can be joined in one turn.
const ATTACK: u16 = 2;

/// The score of separating the ends of an attack, above history and killers.
const SEPARATE: i32 = 4 * HISTORY;
/// The penalty of a tile outside of the bounding box: it touches one tile and forces little.
const OUTSIDE: i32 = HISTORY / 2;
/// The range of a pseudo-random term. With a fixed order, play without an evaluation would follow an edge of the board
/// for ever.
const JITTER: i32 = HISTORY / 2;

impl<V: Variant, E: Eval<Trax<V>>> Heuristics<Trax<V>, E> for TraxHeuristics {
    const SEES_WINS_IN_ONE: bool = true;

    #[inline]
    fn score_move(&self, game: &Trax<V>, mv: Move) -> i32 {
        let (place, Some(glyph)) = (mv.place(), mv.glyph()) else { return 0 };
        let mut score = jitter(game.tiles().len(), mv);
        for dir in Dir::ALL {
            let Some(end) = game.end(place, dir) else { continue };
            let far = end.other.0;
            if gap(place, far) <= ATTACK
                && neighbour(place, exit(glyph, dir)).is_none_or(|next| gap(next, far) > ATTACK)
            {
                score += if end.side == game.mover() { -SEPARATE } else { SEPARATE };
            }
        }
        let (columns, rows) = game.size();
        let inside = |at: u16, length: usize| (1..=length).contains(&usize::from(at));
        if inside(place.column, columns) && inside(place.row, rows) { score } else { score - OUTSIDE }
    }

    #[inline]
    fn known_result(&self, game: &mut Trax<V>, _: &NodeContext) -> Option<Value> {
        verdict(game)
    }
}

/// A small pseudo-random number, the same on every machine.
#[inline]
fn jitter(tiles: usize, mv: Move) -> i32 {
    let mixed = (mv.to_bits() ^ (tiles as u32).wrapping_mul(0x85eb_ca6b)).wrapping_mul(0x9e37_79b1);
    ((mixed ^ mixed >> 15).wrapping_mul(0x2c1b_3c6d) >> 16) as i32 % JITTER
}

/// The neighbour of a cell; none above row 0 or left of column `@`.
#[inline]
fn neighbour(place: Coordinate, dir: Dir) -> Option<Coordinate> {
    let Coordinate { column, row } = place;
    match dir {
        Dir::North => row.checked_sub(1).map(|row| Coordinate { column, row }),
        Dir::East => Some(Coordinate { column: column + 1, row }),
        Dir::South => Some(Coordinate { column, row: row + 1 }),
        Dir::West => column.checked_sub(1).map(|column| Coordinate { column, row }),
    }
}
