//! `classic`: mobility, frontier, corners and their neighbours, and disc difference, interpolated over the game.

use tesuji_game::Outcome;
use tesuji_othello::{Move, Othello, mobility};
use tesuji_search::{Eval, Value};

use super::terminal::{estimate, final_value};

/// The terms of the Othello programs of the eighties. It has no incremental state.
#[derive(Clone, Copy, Debug, Default)]
pub struct Classic;

const CORNERS: u64 = 0x8100_0000_0000_0081;
const SIDES: u64 = 0x8181_8181_8181_8181;

/// The relative mobility, at the start and at the end.
const MOBILITY: [i32; 2] = [2600, 900];
/// Potential mobility: an empty square beside a disc of the opponent.
const FRONTIER: [i32; 2] = [45, 10];
/// A corner.
const CORNER: [i32; 2] = [900, 450];
/// A disc on the X-square of an empty corner, and one on a C-square.
const X_SQUARE: [i32; 2] = [-420, -120];
const C_SQUARE: [i32; 2] = [-130, -40];
/// A disc: bad early, the score at the end.
const DISC: [i32; 2] = [-25, 85];

impl Eval<Othello> for Classic {
    type Accumulator = ();

    #[inline]
    fn begin(&self, _: &Othello) {}

    #[inline]
    fn advance(&self, (): &(), _: Move, _: &Othello, _: &Othello, (): &mut ()) {}

    #[inline]
    fn value(&self, game: &Othello, (): &()) -> Value {
        let (own, other, empties) = (game.own(), game.other(), game.empties());
        let left = count(empties);
        let interpolate = |[early, late]: [i32; 2]| (early * left + late * (60 - left).max(0)) / 60;
        let moves = [count(mobility(own, other)), count(mobility(other, own))];
        let risky = neighbours(empties & CORNERS);
        let (c_squares, x_squares) = (risky & edges(), risky & !edges());
        let difference = |set: u64| count(own & set) - count(other & set);
        let value = interpolate(MOBILITY) * (moves[0] - moves[1]) / (moves[0] + moves[1] + 2)
            + interpolate(FRONTIER) * (count(neighbours(other) & empties) - count(neighbours(own) & empties))
            + interpolate(CORNER) * difference(CORNERS)
            + interpolate(X_SQUARE) * difference(x_squares)
            + interpolate(C_SQUARE) * difference(c_squares)
            + interpolate(DISC) * difference(u64::MAX);
        estimate(value)
    }

    #[inline]
    fn terminal_value(&self, game: &Othello, _: Outcome) -> Value {
        final_value(game)
    }
}

#[inline]
fn count(set: u64) -> i32 {
    set.count_ones() as i32
}

/// The edge squares.
#[inline]
fn edges() -> u64 {
    SIDES | 0xff | 0xff << 56
}

/// The squares adjacent to a set, without the set.
#[inline]
fn neighbours(set: u64) -> u64 {
    const A_FILE: u64 = 0x0101_0101_0101_0101;
    let row = set | (set << 1 & !A_FILE) | (set >> 1 & !(A_FILE << 7));
    (row | row << 8 | row >> 8) & !set
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neighbours_stay_on_the_board() {
        assert_eq!(neighbours(1), 1 << 1 | 1 << 8 | 1 << 9);
        assert_eq!(neighbours(1 << 63), 1 << 62 | 1 << 55 | 1 << 54);
        for square in 0..64u32 {
            for near in 0..64u32 {
                let apart = |a: u32, b: u32| a.abs_diff(b);
                let touch = apart(square % 8, near % 8).max(apart(square / 8, near / 8)) == 1;
                assert_eq!(neighbours(1 << square) >> near & 1 != 0, touch, "{square} {near}");
            }
        }
    }
}
