//! Win in one: whether the mover can drop the second piece now.

use crate::board::{LOSSES, LOW, Ostle};

/// The lower bits of the digits of the first column and of the last.
const LEFT: u64 = 0x0000_0100_4010_0401;
const RIGHT: u64 = LEFT << 8;
/// Of the first row and of the last.
const TOP: u64 = 0x155;
const BOTTOM: u64 = TOP << 40;

impl Ostle {
    /// Whether the mover wins with the next move. A fall is never forbidden, so the ko does not matter.
    ///
    /// An enemy piece can be dropped when it stands before the edge or the hole and an own piece stands
    /// somewhere in the unbroken row of enemies behind it:
    ///
    /// ```text
    /// . 1 2 2 |    the right 2 falls when the 1 pushes; any piece further left does not matter
    /// ```
    #[inline]
    pub fn checkmate(self) -> bool {
        let second = self.0 >> (LOSSES + 1) & 1 != 0 && !self.is_over();
        second && self.can_drop_other()
    }

    /// Whether some move of the mover's drops an enemy piece.
    #[inline]
    pub fn can_drop_other(self) -> bool {
        let (own, other, hole) = (self.own_bits(), self.other_bits(), self.hole_bit());
        let reach = back::<2, false>(other, hole, RIGHT)
            | back::<2, true>(other, hole, LEFT)
            | back::<10, false>(other, hole, BOTTOM)
            | back::<10, true>(other, hole, TOP);
        reach & own != 0
    }
}

/// The cells from which a push towards `edge` drops an enemy piece, if an own piece stands there.
///
/// `STEP` bits are one cell; `UP` says whether the way back, against the push, leads to higher bits. Enemies
/// number five at most, so doubling the stride once covers all that can stand behind the first.
#[inline(always)]
fn back<const STEP: u32, const UP: bool>(other: u64, hole: u64, edge: u64) -> u64 {
    let away = |bits: u64, cells: u32| if UP { bits << (cells * STEP) } else { bits >> (cells * STEP) };
    // Nothing comes onto the edge from behind it; going back from there would wrap round to another line.
    let inside = LOW & !edge;
    let through = other & inside;
    let mut falls = other & (edge | away(hole, 1) & inside);
    falls |= away(falls, 1) & through;
    falls |= away(falls, 2) & through & away(through, 1);
    away(falls, 1) & inside
}
