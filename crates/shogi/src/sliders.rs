//! Slider attacks: rook, bishop and lance.
//!
//! A ray of growing indices ends at its lowest blocker, one of falling indices at its highest. Arithmetic on the
//! blockers finds both, without tables of blocker patterns.

use crate::bitboard::Bitboard;
use crate::tables::RAYS;

/// The part of a ray of growing indices up to and including its first blocker.
#[inline(always)]
fn rising(ray: Bitboard, occupied: Bitboard) -> Bitboard {
    ray & (occupied & ray).to_lowest()
}

/// The part of a ray of falling indices down to and including its first blocker.
#[inline(always)]
fn falling(ray: Bitboard, occupied: Bitboard) -> Bitboard {
    let blockers = occupied & ray;
    let (lo, hi) = (ray.lo() & from_highest(blockers.lo()), ray.hi() & from_highest(blockers.hi()));
    Bitboard::of(if blockers.hi() == 0 { lo } else { 0 }, hi)
}

/// The highest bit and all above it; all bits when there is none.
#[inline(always)]
fn from_highest(bits: u64) -> u64 {
    (i64::MIN >> (bits | 1).leading_zeros()) as u64
}

/// The part of the ray in a direction up to and including its first blocker.
#[inline(always)]
pub(crate) fn slide(direction: usize, ray: Bitboard, occupied: Bitboard) -> Bitboard {
    if is_rising(direction) { rising(ray, occupied) } else { falling(ray, occupied) }
}

/// Whether indices grow in a direction.
#[inline(always)]
pub(crate) const fn is_rising(direction: usize) -> bool {
    matches!(direction, 1..=4)
}

/// Bishop attacks.
#[inline(always)]
pub(crate) fn bishop(from: usize, occupied: Bitboard) -> Bitboard {
    let rays = &RAYS[from];
    rising(rays[3], occupied) | rising(rays[1], occupied) | falling(rays[5], occupied) | falling(rays[7], occupied)
}

/// Rook attacks.
#[inline(always)]
pub(crate) fn rook(from: usize, occupied: Bitboard) -> Bitboard {
    let rays = &RAYS[from];
    rising(rays[2], occupied) | rising(rays[4], occupied) | falling(rays[6], occupied) | falling(rays[0], occupied)
}

/// Lance attacks: upwards for black, downwards for white.
#[inline(always)]
pub(crate) fn lance<const BLACK: bool>(from: usize, occupied: Bitboard) -> Bitboard {
    if BLACK { falling(RAYS[from][0], occupied) } else { rising(RAYS[from][4], occupied) }
}

/// The attacks along those rays from `from` that lie in `lines` and lead to `zone`.
#[inline(always)]
pub(crate) fn towards(from: usize, lines: Bitboard, zone: Bitboard, occupied: Bitboard) -> Bitboard {
    let mut seen = Bitboard::EMPTY;
    for (direction, &ray) in RAYS[from].iter().enumerate().take(8) {
        if (ray & lines & zone).any() {
            seen |= slide(direction, ray, occupied);
        }
    }
    seen
}

/// The attacks of a set of white lances.
///
/// Subtracting `2 * lance` from the blockers flips every bit between the lance and its first blocker, including
/// the blocker. The spare bit behind rank 9 stops a lance that nothing else stops.
///
/// ```text
/// blockers                10010 00010     a lance on bit 1, a blocker on bit 6, the spare bit 9
/// minus 2 * lance         10001 11110
/// flipped bits            00011 11100     the attacks
/// ```
#[inline(always)]
pub(crate) fn lances_down(set: Bitboard, occupied: Bitboard) -> Bitboard {
    let down = |set: u64, blockers: u64| blockers ^ blockers.wrapping_sub(set << 1);
    Bitboard::of(
        down(set.lo(), occupied.lo() | Bitboard::SPARE.lo()),
        down(set.hi(), occupied.hi() | Bitboard::SPARE.hi()),
    )
}

/// The attacks of a set of black lances: a fill upwards by 1, 2 and 4 squares through empty ones (Kogge–Stone).
#[inline(always)]
pub(crate) fn lances_up(set: Bitboard, occupied: Bitboard) -> Bitboard {
    let up = |set: u64, open: u64| {
        let (mut seen, mut open) = (set, open);
        seen |= open & (seen >> 1);
        open &= open >> 1;
        seen |= open & (seen >> 2);
        open &= open >> 2;
        seen |= open & (seen >> 4);
        seen >> 1
    };
    let open = Bitboard::ALL & !occupied;
    Bitboard::of(up(set.lo(), open.lo()), up(set.hi(), open.hi()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Square;

    /// Square by square.
    fn walk(from: Square, steps: &[(i32, i32)], occupied: Bitboard) -> Bitboard {
        let mut seen = Bitboard::EMPTY;
        for &(files, ranks) in steps {
            let (mut file, mut rank) = (i32::from(from.file()), i32::from(from.rank()));
            loop {
                (file, rank) = (file + files, rank + ranks);
                let Some(to) = Square::new(file.max(0) as u8, rank.max(0) as u8) else { break };
                seen |= Bitboard::one(to.index());
                if occupied.has(to.index()) {
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
            let mut occupied = Bitboard::of(next(), next()) & Bitboard::ALL;
            for _ in 0..round % 4 {
                occupied &= Bitboard::of(next(), next());
            }
            let lances = Bitboard::of(next(), next()) & Bitboard::of(next(), next()) & occupied;
            let (mut up, mut down) = (Bitboard::EMPTY, Bitboard::EMPTY);
            for from in (lances & !Bitboard::ranks(1)).indices() {
                up |= lance::<true>(from, occupied);
            }
            for from in (lances & !Bitboard::ranks(1 << 8)).indices() {
                down |= lance::<false>(from, occupied);
            }
            assert_eq!(lances_up(lances & !Bitboard::ranks(1), occupied) & Bitboard::ALL, up);
            assert_eq!(lances_down(lances & !Bitboard::ranks(1 << 8), occupied) & Bitboard::ALL, down);
            for from in Square::all() {
                let number = from.index();
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
