//! The last four empty squares, by hand: no lists, no table, the last disc counted instead of put down.
//!
//! All are null-window searches that fail softly: more than `alpha` is a lower bound, the rest an upper one.

use tesuji_othello::Square;

use super::count::last_gain;
use super::kernel::Kernel;
use super::quadrants::{AROUND, QUADRANT};
use super::tree::Node;
use super::walk::Walk;

/// Stands in where no square is.
const A1: Square = match Square::new(0) {
    Some(square) => square,
    None => unreachable!(),
};

/// Less than any score.
pub(super) const NONE: i32 = -128;

/// The score of a game that is over: empty squares go to whoever leads.
#[inline(always)]
pub(super) fn ended(own: u64, other: u64) -> i32 {
    let (own, other) = (own.count_ones() as i32, other.count_ones() as i32);
    let lead = own - other;
    lead + (64 - own - other) * lead.signum()
}

/// One empty square; only the mover's discs are needed.
#[inline(always)]
pub(super) fn one(own: u64, square: Square, alpha: i32) -> i32 {
    // If the square came to the mover and nothing turned.
    let score = 2 * own.count_ones() as i32 - 62;
    let gain = last_gain(own, square);
    if gain != 0 {
        return score + gain;
    }
    // The mover cannot play there, and no more than this can come of it.
    if score <= alpha {
        return score;
    }
    let gain = last_gain(!own & !square.bit(), square);
    if gain != 0 {
        score - 2 - gain
    } else if score > 0 {
        score
    } else {
        score - 2
    }
}

/// The discs that a disc on a square turns over; where no neighbour is the opponent's there are none.
#[inline(always)]
fn turned<K: Kernel>(kernel: K, own: u64, other: u64, square: Square) -> u64 {
    if AROUND[square.index()] & other == 0 { 0 } else { kernel.flips(own, other, square) }
}

/// Two empty squares.
#[inline(always)]
pub(super) fn two<K: Kernel>(
    walk: &mut Walk<'_, K>,
    own: u64,
    other: u64,
    [a, b]: [Square; 2],
    alpha: i32,
) -> i32 {
    walk.nodes += 1;
    let kernel = walk.kernel;
    let mut best = NONE;
    let by_a = turned(kernel, own, other, a);
    if by_a != 0 {
        walk.nodes += 1;
        best = -one(other & !by_a, b, -alpha - 1);
        if best > alpha {
            return best;
        }
    }
    let by_b = turned(kernel, own, other, b);
    if by_b != 0 {
        walk.nodes += 1;
        return best.max(-one(other & !by_b, a, -alpha - 1));
    }
    if best != NONE { best } else { kernel.two_passed(walk, own, other, [a, b], alpha) }
}

/// Two empty squares where the mover must pass: the opponent takes the lesser for him.
#[inline(always)]
pub(super) fn two_passed<K: Kernel>(
    walk: &mut Walk<'_, K>,
    own: u64,
    other: u64,
    [a, b]: [Square; 2],
    alpha: i32,
) -> i32 {
    let kernel = walk.kernel;
    let mut least = -NONE;
    for (square, left) in [(a, b), (b, a)] {
        let turned = kernel.flips(other, own, square);
        if turned != 0 {
            walk.nodes += 1;
            least = least.min(one(own & !turned, left, alpha));
            if least <= alpha {
                return least;
            }
        }
    }
    if least == -NONE { ended(own, other) } else { least }
}

/// What a disc on a square comes to with two squares left; [`NONE`] where it turns nothing.
///
/// A function for each square rather than a loop over them: squares that lie in registers are known sooner than those
/// of an array.
#[inline(always)]
fn then_two<K: Kernel>(
    walk: &mut Walk<'_, K>,
    own: u64,
    other: u64,
    square: Square,
    left: [Square; 2],
    alpha: i32,
) -> i32 {
    match turned(walk.kernel, own, other, square) {
        0 => NONE,
        turned => -two(walk, other & !turned, own | turned | square.bit(), left, -alpha - 1),
    }
}

/// The same with three squares left.
#[inline(always)]
fn then_three<K: Kernel>(
    walk: &mut Walk<'_, K>,
    own: u64,
    other: u64,
    square: Square,
    left: [Square; 3],
    alpha: i32,
) -> i32 {
    let kernel = walk.kernel;
    match turned(kernel, own, other, square) {
        0 => NONE,
        turned => -kernel.three(walk, other & !turned, own | turned | square.bit(), left, -alpha - 1),
    }
}

/// Three empty squares. One alone in its quadrant is tried first: the other two are then even.
#[inline(always)]
pub(super) fn three<K: Kernel>(
    walk: &mut Walk<'_, K>,
    own: u64,
    other: u64,
    [a, b, c]: [Square; 3],
    alpha: i32,
) -> i32 {
    let quadrant = |square: Square| QUADRANT[square.index()];
    let (a, b, c) = if quadrant(a) & b.bit() != 0 {
        (c, a, b)
    } else if quadrant(a) & c.bit() != 0 {
        (b, a, c)
    } else {
        (a, b, c)
    };
    walk.nodes += 1;
    let mut best = then_two(walk, own, other, a, [b, c], alpha);
    if best <= alpha {
        best = best.max(then_two(walk, own, other, b, [a, c], alpha));
    }
    if best <= alpha {
        best = best.max(then_two(walk, own, other, c, [a, b], alpha));
    }
    if best != NONE {
        return best;
    }
    // No loop over both sides: what it would keep for the second time costs more than asking once more.
    let kernel = walk.kernel;
    if kernel.mobility(other, own) == 0 {
        return ended(own, other);
    }
    -kernel.three(walk, other, own, [a, b, c], -alpha - 1)
}

/// Four empty squares, those in odd quadrants first.
#[inline(always)]
pub(super) fn four<K: Kernel>(walk: &mut Walk<'_, K>, node: Node, alpha: i32) -> i32 {
    let Node { own, other, odd, .. } = node;
    let empties = !(own | other);
    let next = |left: u64| {
        let early = left & odd;
        let from = if early != 0 { early } else { left };
        (Square::lowest(from).unwrap_or(A1), left & !(from & from.wrapping_neg()))
    };
    let (a, left) = next(empties);
    let (b, left) = next(left);
    let (c, left) = next(left);
    let (d, _) = next(left);
    walk.nodes += 1;
    let mut best = then_three(walk, own, other, a, [b, c, d], alpha);
    if best <= alpha {
        best = best.max(then_three(walk, own, other, b, [a, c, d], alpha));
    }
    if best <= alpha {
        best = best.max(then_three(walk, own, other, c, [a, b, d], alpha));
    }
    if best <= alpha {
        best = best.max(then_three(walk, own, other, d, [a, b, c], alpha));
    }
    if best != NONE {
        return best;
    }
    let kernel = walk.kernel;
    if kernel.mobility(other, own) == 0 {
        return ended(own, other);
    }
    -kernel.four(walk, node.passed(), -alpha - 1)
}
