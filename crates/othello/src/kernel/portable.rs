//! The kernels in plain 64-bit arithmetic. `avx2.rs` has the same functions.

use super::rays::RAYS;
use crate::Square;

mod count;

pub use count::leaves;

/// The discs that a move to the empty `square` flips.
///
/// On each ray the first square without an opposing disc decides: the lowest bit of the set of such squares on rays up the
/// bits, the highest on rays down the bits. If it is an own disc, all discs before it flip.
#[inline]
pub fn flips(own: u64, other: u64, square: Square) -> u64 {
    let rays = &RAYS[square.index()];
    let mut flips = 0;
    for ray in rays.up {
        let stops = ray & !other;
        let bracket = stops & stops.wrapping_neg() & own;
        flips |= ray & bracket.wrapping_sub(u64::from(bracket != 0));
    }
    for ray in rays.down {
        let stops = ray & !other;
        let bracket = (1 << 63) >> (stops | 1).leading_zeros() & stops & own;
        flips |= ray & (bracket << 1).wrapping_neg();
    }
    flips
}

/// The legal moves of `own`.
///
/// Always inlined, so that a loop over many positions can be compiled into lanes.
#[inline(always)]
pub fn mobility(own: u64, other: u64) -> u64 {
    let inner = other & 0x7e7e_7e7e_7e7e_7e7e;
    // Eastward a carry runs through the opposing discs by itself.
    let east = inner.wrapping_add(inner & own << 1);
    let west = ends::<1>(own, inner).1;
    let (south_west, north_east) = ends::<7>(own, inner);
    let (south, north) = ends::<8>(own, other);
    let (south_east, north_west) = ends::<9>(own, inner);
    let reached = east | west | south_west | north_east | south | north | south_east | north_west;
    reached & !(own | other)
}

/// The squares behind runs of `between` next to `own`, up and down the bits. A run has at most six discs, so four doublings
/// reach its end.
#[inline(always)]
fn ends<const STEP: u32>(own: u64, between: u64) -> (u64, u64) {
    let mut up = between & own << STEP;
    let mut down = between & own >> STEP;
    up |= between & up << STEP;
    down |= between & down >> STEP;
    let pairs_up = between & between << STEP;
    let pairs_down = pairs_up >> STEP;
    for _ in 0..2 {
        up |= pairs_up & up << (2 * STEP);
        down |= pairs_down & down >> (2 * STEP);
    }
    (up << STEP, down >> STEP)
}
