//! The numbers of all patterns of a position, kept in step with the moves.

use super::shapes::{DISC, LANES};

/// The number of each pattern: a sum of powers of three, added for discs of the mover and taken away for those
/// of the opponent. The same board seen by the opponent has the opposite numbers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(align(32))]
pub struct Numbers(pub(super) [i16; LANES]);

impl Default for Numbers {
    fn default() -> Numbers {
        Numbers([0; LANES])
    }
}

impl Numbers {
    /// The numbers of a board, from scratch.
    pub fn new(own: u64, other: u64) -> Numbers {
        let (own, other) = (sum(own), sum(other));
        Numbers(std::array::from_fn(|lane| own[lane] - other[lane]))
    }

    /// After a disc on a square that turns these over, seen by the next mover.
    #[inline(always)]
    #[must_use]
    pub fn after(&self, square: usize, turned: u64) -> Numbers {
        let (disc, turned) = (&DISC[square & 63], sum(turned));
        let mut next = [0; LANES];
        for lane in 0..LANES {
            // A turned disc counted against the mover before, and counts for him now. The sum fits, though what leads to
            // it need not.
            let sum = self.0[lane].wrapping_add(disc[lane]).wrapping_add(turned[lane].wrapping_mul(2));
            next[lane] = sum.wrapping_neg();
        }
        Numbers(next)
    }

    /// After a pass.
    #[inline(always)]
    #[must_use]
    pub fn passed(&self) -> Numbers {
        Numbers(self.0.map(|number| -number))
    }
}

/// What the discs of a set add.
#[inline(always)]
fn sum(mut set: u64) -> [i16; LANES] {
    let mut sum = [0; LANES];
    while set != 0 {
        let disc = &DISC[(set.trailing_zeros() & 63) as usize];
        for lane in 0..LANES {
            sum[lane] += disc[lane];
        }
        set &= set - 1;
    }
    sum
}
