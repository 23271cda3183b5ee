//! A look a few plies ahead: no table, no list, the evaluation at the leaves.

use tesuji_othello::Square;

use super::kernel::Kernel;
use super::last::{NONE, ended};
use super::spot::Spot;
use super::walk::Walk;

/// Squares in the order they are tried: the corners first, the squares around them last.
const BY_PROMISE: [u64; 3] = [CORNERS, !CORNERS & !AROUND_CORNERS, AROUND_CORNERS];
const CORNERS: u64 = 0x8100_0000_0000_0081;
const AROUND_CORNERS: u64 = 0x42c3_0000_0000_c342;

/// The best value so many plies ahead: exact between `alpha` and `beta`, and on the right side of them otherwise.
#[inline(always)]
pub(super) fn glance<K: Kernel>(
    walk: &mut Walk<'_, K>,
    spot: &Spot,
    depth: u32,
    alpha: i32,
    beta: i32,
) -> i32 {
    walk.nodes += 1;
    let node = &spot.node;
    if depth == 0 {
        return walk.judged(spot);
    }
    let kernel = walk.kernel;
    let mut moves = kernel.mobility(node.own, node.other);
    if moves == 0 {
        if kernel.mobility(node.other, node.own) == 0 {
            return ended(node.own, node.other);
        }
        return -kernel.glance(walk, &spot.passed(), depth, -beta, -alpha);
    }
    let mut best = NONE;
    for promise in BY_PROMISE {
        let mut set = moves & promise;
        moves &= !promise;
        while let Some(square) = Square::lowest(set) {
            set &= set - 1;
            let turned = kernel.flips(node.own, node.other, square);
            let after = Spot {
                node: node.after(square, turned),
                numbers: spot.numbers.after(square.index(), turned),
            };
            let score = if depth == 1 {
                walk.nodes += 1;
                if after.node.own == 0 { 64 } else { -walk.judged(&after) }
            } else {
                -kernel.glance(walk, &after, depth - 1, -beta, -alpha.max(best))
            };
            if score > best {
                best = score;
                if best >= beta {
                    return best;
                }
            }
        }
    }
    best
}
