//! The last four empty squares: one function per number of empties, with parity ordering and no move lists. The last
//! disc is not placed; its flips are counted.
//!
//! All functions are fail-soft null-window searches: a score above `alpha` is a lower bound, any other an upper bound.

use tesuji_othello::Square;

use super::kernel::Kernel;
use super::node::{NEIGHBOURS, QUADRANT, SearchNode};
use super::thread::SearchThread;

/// A placeholder for a square that does not exist.
const A1: Square = match Square::new(0) {
    Some(square) => square,
    None => unreachable!(),
};

/// Less than any score.
pub(super) const NO_SCORE: i32 = -128;

/// The score of a finished game: empty squares count for the winner.
#[inline(always)]
pub(super) fn final_score(own: u64, other: u64) -> i32 {
    let (own, other) = (own.count_ones() as i32, other.count_ones() as i32);
    let lead = own - other;
    lead + (64 - own - other) * lead.signum()
}

/// One empty square. Only the mover's discs are needed.
#[inline(always)]
pub(super) fn solve1(own: u64, square: Square, alpha: i32) -> i32 {
    // The score if the mover gets the square without a flip.
    let score = 2 * own.count_ones() as i32 - 62;
    let gain = last_flip_gain(own, square);
    if gain != 0 {
        return score + gain;
    }
    // The mover has no move, so this is an upper bound.
    if score <= alpha {
        return score;
    }
    let gain = last_flip_gain(!own & !square.bit(), square);
    if gain != 0 {
        score - 2 - gain
    } else if score > 0 {
        score
    } else {
        score - 2
    }
}

/// The discs flipped by a disc on a square. Without an adjacent disc of the opponent there are none.
#[inline(always)]
fn flipped<K: Kernel>(kernel: K, own: u64, other: u64, square: Square) -> u64 {
    if NEIGHBOURS[square.index()] & other == 0 { 0 } else { kernel.flips(own, other, square) }
}

/// Two empty squares.
#[inline(always)]
pub(super) fn solve2<K: Kernel>(
    search: &mut SearchThread<'_, K>,
    own: u64,
    other: u64,
    [a, b]: [Square; 2],
    alpha: i32,
) -> i32 {
    search.nodes += 1;
    let kernel = search.kernel;
    let mut best = NO_SCORE;
    let by_a = flipped(kernel, own, other, a);
    if by_a != 0 {
        search.nodes += 1;
        best = -solve1(other & !by_a, b, -alpha - 1);
        if best > alpha {
            return best;
        }
    }
    let by_b = flipped(kernel, own, other, b);
    if by_b != 0 {
        search.nodes += 1;
        return best.max(-solve1(other & !by_b, a, -alpha - 1));
    }
    if best != NO_SCORE { best } else { kernel.solve2_passed(search, own, other, [a, b], alpha) }
}

/// Two empty squares where the mover has to pass: the minimum over the opponent's moves.
#[inline(always)]
pub(super) fn solve2_passed<K: Kernel>(
    search: &mut SearchThread<'_, K>,
    own: u64,
    other: u64,
    [a, b]: [Square; 2],
    alpha: i32,
) -> i32 {
    let kernel = search.kernel;
    let mut least = -NO_SCORE;
    for (square, left) in [(a, b), (b, a)] {
        let flipped = kernel.flips(other, own, square);
        if flipped != 0 {
            search.nodes += 1;
            least = least.min(solve1(own & !flipped, left, alpha));
            if least <= alpha {
                return least;
            }
        }
    }
    if least == -NO_SCORE { final_score(own, other) } else { least }
}

/// The score of a move that leaves two empty squares; [`NO_SCORE`] if it is illegal.
///
/// A call for each square instead of a loop keeps the squares in registers.
#[inline(always)]
fn then_solve2<K: Kernel>(
    search: &mut SearchThread<'_, K>,
    own: u64,
    other: u64,
    square: Square,
    left: [Square; 2],
    alpha: i32,
) -> i32 {
    match flipped(search.kernel, own, other, square) {
        0 => NO_SCORE,
        flipped => -solve2(search, other & !flipped, own | flipped | square.bit(), left, -alpha - 1),
    }
}

/// The score of a move that leaves three empty squares; [`NO_SCORE`] if it is illegal.
#[inline(always)]
fn then_solve3<K: Kernel>(
    search: &mut SearchThread<'_, K>,
    own: u64,
    other: u64,
    square: Square,
    left: [Square; 3],
    alpha: i32,
) -> i32 {
    let kernel = search.kernel;
    match flipped(kernel, own, other, square) {
        0 => NO_SCORE,
        flipped => -kernel.solve3(search, other & !flipped, own | flipped | square.bit(), left, -alpha - 1),
    }
}

/// Three empty squares. A square alone in its quadrant is tried first, which leaves an even region.
#[inline(always)]
pub(super) fn solve3<K: Kernel>(
    search: &mut SearchThread<'_, K>,
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
    search.nodes += 1;
    let mut best = then_solve2(search, own, other, a, [b, c], alpha);
    if best <= alpha {
        best = best.max(then_solve2(search, own, other, b, [a, c], alpha));
    }
    if best <= alpha {
        best = best.max(then_solve2(search, own, other, c, [a, b], alpha));
    }
    if best != NO_SCORE {
        return best;
    }
    // A loop over both sides would keep more in registers than this second call costs.
    let kernel = search.kernel;
    if kernel.mobility(other, own) == 0 {
        return final_score(own, other);
    }
    -kernel.solve3(search, other, own, [a, b, c], -alpha - 1)
}

/// Four empty squares, those in odd quadrants first.
#[inline(always)]
pub(super) fn solve4<K: Kernel>(search: &mut SearchThread<'_, K>, node: SearchNode, alpha: i32) -> i32 {
    let SearchNode { own, other, odd, .. } = node;
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
    search.nodes += 1;
    let mut best = then_solve3(search, own, other, a, [b, c, d], alpha);
    if best <= alpha {
        best = best.max(then_solve3(search, own, other, b, [a, c, d], alpha));
    }
    if best <= alpha {
        best = best.max(then_solve3(search, own, other, c, [a, b, d], alpha));
    }
    if best <= alpha {
        best = best.max(then_solve3(search, own, other, d, [a, b, c], alpha));
    }
    if best != NO_SCORE {
        return best;
    }
    let kernel = search.kernel;
    if kernel.mobility(other, own) == 0 {
        return final_score(own, other);
    }
    -kernel.solve4(search, node.passed(), -alpha - 1)
}

/// At most four empty squares, from any caller.
pub(super) fn last4<K: Kernel>(search: &mut SearchThread<'_, K>, node: SearchNode, alpha: i32) -> i32 {
    let mut left = !(node.own | node.other);
    let mut next = || {
        let square = Square::lowest(left);
        left &= left.wrapping_sub(1);
        square
    };
    match (next(), next(), next(), next()) {
        (Some(_), Some(_), Some(_), Some(_)) => solve4(search, node, alpha),
        (Some(a), Some(b), Some(c), _) => solve3(search, node.own, node.other, [a, b, c], alpha),
        (Some(a), Some(b), ..) => solve2(search, node.own, node.other, [a, b], alpha),
        (Some(a), ..) => solve1(node.own, a, alpha),
        _ => final_score(node.own, node.other),
    }
}

/// Twice the number of discs flipped by the last disc of a game, on `square`. All other squares are occupied.
///
/// A mask and a multiplication gather the line of each direction into a byte. Squares outside a short diagonal read as
/// discs of the opponent that nothing outflanks.
#[inline(always)]
fn last_flip_gain(own: u64, square: Square) -> i32 {
    let (column, row) = (usize::from(square.column()) & 7, usize::from(square.row()) & 7);
    let [falling, rising] = DIAGONALS[square.index()];
    let horizontal = own >> (8 * row);
    let vertical = (own >> column & 0x0101_0101_0101_0101).wrapping_mul(0x0102_0408_1020_4080) >> 56;
    let falling = (own & falling).wrapping_mul(0x0101_0101_0101_0101) >> 56;
    let rising = (own & rising).wrapping_mul(0x0101_0101_0101_0101) >> 56;
    let gain = |place: usize, line: u64| i32::from(LINE_GAIN[place][(line & 0xff) as usize]);
    gain(column, horizontal) + gain(row, vertical) + gain(column, falling) + gain(column, rising)
}

/// Twice the discs flipped in one line, by the place of the last disc and the mover's discs in the line.
static LINE_GAIN: [[u8; 256]; 8] = line_gains();

const fn line_gains() -> [[u8; 256]; 8] {
    let mut all = [[0; 256]; 8];
    let mut place = 0;
    while place < 8 {
        let mut line = 0;
        while line < 256 {
            all[place][line] = 2 * (flips_towards(line, place as i32, 1) + flips_towards(line, place as i32, -1));
            line += 1;
        }
        place += 1;
    }
    all
}

/// The discs between the place and the mover's first disc in one direction; 0 if there is no such disc.
const fn flips_towards(line: usize, place: i32, step: i32) -> u8 {
    let mut at = place + step;
    let mut count = 0;
    while at >= 0 && at < 8 {
        if line >> at & 1 != 0 {
            return count;
        }
        count += 1;
        at += step;
    }
    0
}

/// The two diagonals through each square, without the square itself.
static DIAGONALS: [[u64; 2]; 64] = diagonals();

const fn diagonals() -> [[u64; 2]; 64] {
    let mut all = [[0; 2]; 64];
    let mut square = 0;
    while square < 64 {
        let mut other = 0;
        while other < 64 {
            let (across, down) = (other % 8 - square % 8, other / 8 - square / 8);
            if other != square && across == down {
                all[square as usize][0] |= 1 << other;
            }
            if other != square && across == -down {
                all[square as usize][1] |= 1 << other;
            }
            other += 1;
        }
        square += 1;
    }
    all
}

#[cfg(test)]
mod tests {
    use tesuji_othello::flips;
    use tesuji_search::Rng;

    use super::*;

    #[test]
    fn the_gain_is_twice_the_number_of_flips() {
        let mut rng = Rng::new(1);
        for index in 0..64 {
            let square = Square::new(index).unwrap();
            for _ in 0..2000 {
                let own = [rng.draw(), rng.draw() & rng.draw(), rng.draw() | rng.draw()][rng.below(3)];
                let own = own & !square.bit();
                let flipped = flips(own, !own & !square.bit(), square).count_ones() as i32;
                assert_eq!(last_flip_gain(own, square), 2 * flipped, "{own:#x} {square}");
            }
        }
    }
}
