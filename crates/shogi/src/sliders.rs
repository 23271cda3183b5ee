//! How far rook, bishop and lance see.
//!
//! A ray whose numbers grow ends at its lowest blocker, one whose numbers fall at its highest: each is found by
//! arithmetic on the blockers alone, without tables of blocker patterns.

use crate::bits::Bits;
use crate::tables::RAYS;

/// The part of a ray of growing numbers up to and with its first blocker.
#[inline(always)]
fn rising(ray: Bits, occupied: Bits) -> Bits {
    ray & (occupied & ray).to_lowest()
}

/// The part of a ray of falling numbers down to and with its first blocker.
#[inline(always)]
fn falling(ray: Bits, occupied: Bits) -> Bits {
    let blockers = occupied & ray;
    let (lo, hi) = (ray.lo() & from_highest(blockers.lo()), ray.hi() & from_highest(blockers.hi()));
    Bits::of(if blockers.hi() == 0 { lo } else { 0 }, hi)
}

/// The highest bit and all above it; all bits when there is none.
#[inline(always)]
fn from_highest(bits: u64) -> u64 {
    (i64::MIN >> (bits | 1).leading_zeros()) as u64
}

/// What a bishop on `from` attacks.
#[inline(always)]
pub(crate) fn bishop(from: usize, occupied: Bits) -> Bits {
    let rays = &RAYS[from];
    rising(rays[1], occupied)
        | rising(rays[7], occupied)
        | falling(rays[3], occupied)
        | falling(rays[5], occupied)
}

/// What a rook on `from` attacks.
#[inline(always)]
pub(crate) fn rook(from: usize, occupied: Bits) -> Bits {
    let rays = &RAYS[from];
    rising(rays[0], occupied)
        | rising(rays[2], occupied)
        | falling(rays[4], occupied)
        | falling(rays[6], occupied)
}

/// What a lance on `from` attacks: upwards for black, downwards for white.
#[inline(always)]
pub(crate) fn lance<const BLACK: bool>(from: usize, occupied: Bits) -> Bits {
    if BLACK { falling(RAYS[from][6], occupied) } else { rising(RAYS[from][2], occupied) }
}

/// Of the rays from `from` that lie in `lines` and lead to `zone`: what is seen of them.
#[inline(always)]
pub(crate) fn towards(from: usize, lines: Bits, zone: Bits, occupied: Bits) -> Bits {
    let mut seen = Bits::NONE;
    for (direction, &ray) in RAYS[from].iter().enumerate().take(8) {
        if (ray & lines & zone).any() {
            let grows = matches!(direction, 0 | 1 | 2 | 7);
            seen |= if grows { rising(ray, occupied) } else { falling(ray, occupied) };
        }
    }
    seen
}

/// What a set of white lances attacks, all at once.
///
/// Taking `2 * lance` from the blockers turns every bit between the lance and its first blocker, that one
/// included; the spare place behind rank 9 stops what nothing else does.
///
/// ```text
/// blockers                10010 00010     a lance on bit 1, a blocker on bit 6, the spare place on bit 9
/// minus 2 * lance         10001 11110
/// turned bits             00011 11100     what it attacks
/// ```
#[inline(always)]
pub(crate) fn lances_down(set: Bits, occupied: Bits) -> Bits {
    let down = |set: u64, blockers: u64| blockers ^ blockers.wrapping_sub(set << 1);
    Bits::of(
        down(set.lo(), occupied.lo() | Bits::SPARE.lo()),
        down(set.hi(), occupied.hi() | Bits::SPARE.hi()),
    )
}

/// What a set of black lances attacks, all at once: filled upwards by 1, 2 and 4 squares through empty ones.
#[inline(always)]
pub(crate) fn lances_up(set: Bits, occupied: Bits) -> Bits {
    let up = |set: u64, open: u64| {
        let (mut seen, mut open) = (set, open);
        seen |= open & (seen >> 1);
        open &= open >> 1;
        seen |= open & (seen >> 2);
        open &= open >> 2;
        seen |= open & (seen >> 4);
        seen >> 1
    };
    let open = Bits::BOARD & !occupied;
    Bits::of(up(set.lo(), open.lo()), up(set.hi(), open.hi()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Square;

    /// Walks square by square.
    fn walk(from: Square, steps: &[(i32, i32)], occupied: Bits) -> Bits {
        let mut seen = Bits::NONE;
        for &(files, ranks) in steps {
            let (mut file, mut rank) = (i32::from(from.file()), i32::from(from.rank()));
            loop {
                (file, rank) = (file + files, rank + ranks);
                let Some(to) = Square::new(file.max(0) as u8, rank.max(0) as u8) else { break };
                seen |= Bits::one(to.number());
                if occupied.has(to.number()) {
                    break;
                }
            }
        }
        seen
    }

    #[test]
    fn lines_end_at_the_first_blocker() {
        let mut random = 0x9e37_79b9_7f4a_7c15_u64;
        let mut next = || {
            random ^= random << 13;
            random ^= random >> 7;
            random ^= random << 17;
            random
        };
        for round in 0..400 {
            let mut occupied = Bits::of(next(), next()) & Bits::BOARD;
            for _ in 0..round % 4 {
                occupied &= Bits::of(next(), next());
            }
            let lances = Bits::of(next(), next()) & Bits::of(next(), next()) & occupied;
            let (mut up, mut down) = (Bits::NONE, Bits::NONE);
            for from in lances & !Bits::ranks(1) {
                up |= lance::<true>(from, occupied);
            }
            for from in lances & !Bits::ranks(1 << 8) {
                down |= lance::<false>(from, occupied);
            }
            assert_eq!(lances_up(lances & !Bits::ranks(1), occupied) & Bits::BOARD, up);
            assert_eq!(lances_down(lances & !Bits::ranks(1 << 8), occupied) & Bits::BOARD, down);
            for from in Square::all() {
                let number = from.number();
                let diagonals = walk(from, &[(1, 1), (1, -1), (-1, 1), (-1, -1)], occupied);
                assert_eq!(bishop(number, occupied), diagonals, "bishop on {from} in {occupied:?}");
                let lines = walk(from, &[(1, 0), (0, -1), (-1, 0), (0, 1)], occupied);
                assert_eq!(rook(number, occupied), lines, "rook on {from} in {occupied:?}");
                assert_eq!(lance::<true>(number, occupied), walk(from, &[(0, -1)], occupied));
                assert_eq!(lance::<false>(number, occupied), walk(from, &[(0, 1)], occupied));
            }
        }
    }
}
