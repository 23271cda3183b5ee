//! What the symbols of distances depend on: the boards before in the block, as with [values](crate::table).
//!
//! A first depth is near those before it: the last one exactly, and by how much three others differ from it, say
//! nearly all there is to say, measured on Ostle. A second depth is told by how much later it is, which is nearly the
//! same everywhere.

use tesuji_game::PerfectIndex;

use crate::table::cell::{Cell, Past};

/// The second symbol where nothing was forbidden.
pub(super) const ALONE: u8 = 1;
/// The second symbol where what was forbidden always is.
pub(super) const NEVER: u8 = 0;

const LEVELS: usize = 46;
const TURNS: usize = 7;
const LATER: usize = 8;
const ORDERS: usize = 17;
/// Contexts of first depths.
const FIRST: usize = LEVELS * TURNS * TURNS * TURNS;
/// Contexts of second ones.
const SECOND: usize = LEVELS * TURNS * LATER;
/// Contexts of moves.
const ORDER: usize = ORDERS * ORDERS;

/// Plies from the start and one more, 0 for unreached; rougher the more there are.
const LEVEL: [u8; 256] = {
    let mut level = [0; 256];
    let mut plies = 0;
    while plies < 256 {
        level[plies] = (match plies {
            0..32 => plies,
            32..64 => 32 + (plies - 32) / 4,
            _ => 40 + (plies - 64) / 32,
        }) as u8;
        plies += 1;
    }
    level
};

/// The distances of the boards before, within a block; depths are kept one higher than they are.
#[derive(Clone, Copy, Default)]
pub(super) struct PastDistances {
    firsts: [u8; 4],
    second: u8,
    /// The places of the last moves, and one more: 0 for none.
    orders: [u8; 2],
}

impl Past for PastDistances {
    const CONTEXTS: usize = FIRST + SECOND + ORDER;
    const ALONE: u8 = ALONE;

    /// Boards that win at once are reached like others.
    fn known<G: PerfectIndex>(_: &G, _: G::Board) -> Option<Cell> {
        None
    }

    #[inline(always)]
    fn first(&self) -> usize {
        let [last, others @ ..] = self.firsts;
        others.iter().fold(level(last), |context, &other| context * TURNS + turn(other, last))
    }

    #[inline(always)]
    fn second(&self, first: u8) -> usize {
        FIRST + (level(first) * TURNS + turn(first, self.firsts[0])) * LATER + later(self.second)
    }

    #[inline(always)]
    fn order(&self, _: u8, _: u8) -> usize {
        let [last, before] = self.orders.map(usize::from);
        FIRST + SECOND + last * ORDERS + before
    }

    #[inline(always)]
    fn push(&mut self, [first, second, order]: Cell) {
        let [last, before, third, _] = self.firsts;
        self.firsts = [first, last, before, third];
        self.second = second;
        if second != ALONE {
            self.orders = [order.min(ORDERS as u8 - 2) + 1, self.orders[0]];
        }
    }
}

#[inline(always)]
fn level(depth: u8) -> usize {
    usize::from(LEVEL[usize::from(depth)])
}

/// By how much a depth is greater than another, great differences alike.
#[inline(always)]
fn turn(depth: u8, other: u8) -> usize {
    const MOST: i16 = TURNS as i16 / 2;
    ((i16::from(depth) - i16::from(other)).clamp(-MOST, MOST) + MOST) as usize
}

/// A second symbol, high ones alike.
#[inline(always)]
fn later(second: u8) -> usize {
    usize::from(second).min(LATER - 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_context_has_its_own_number() {
        const { assert!(PastDistances::CONTEXTS < 1 << 16) };
        let extremes = [0, 1, 3, 30, 31, 32, 63, 64, 128, 254, 255];
        for last in extremes {
            for other in extremes {
                let mut past = PastDistances::default();
                for cell in
                    [[other, other, other], [255, 255, 255], [other, last, last], [last, other, other]]
                {
                    past.push(cell);
                }
                assert!(past.first() < FIRST);
                assert!((FIRST..FIRST + SECOND).contains(&past.second(other)));
                assert!((FIRST + SECOND..PastDistances::CONTEXTS).contains(&past.order(other, other)));
            }
        }
        let mut past = PastDistances::default();
        [[255; 3], [254, 255, 255], [0, 255, 255], [255; 3]].into_iter().for_each(|cell| past.push(cell));
        assert_eq!(past.order(0, 0), PastDistances::CONTEXTS - 1);
        assert_eq!(past.second(255), FIRST + (45 * TURNS + 3) * LATER + 7);
        // None of the depths before is greater than the last.
        assert_eq!(past.first(), ((45 * TURNS) * TURNS + 2) * TURNS + 3);
    }

    #[test]
    fn levels_never_fall() {
        assert!(LEVEL.is_sorted() && LEVEL[255] as usize == LEVELS - 1);
    }
}
