//! Five empty squares and a few more: moves in the order of parity, no list and no table.

use tesuji_othello::Square;

use super::cache::Cache;
use super::kernel::Kernel;
use super::last::{NONE, ended};
use super::tree::Node;
use super::walk::Walk;

/// A null-window search of a position with five empty squares or more.
#[inline(always)]
pub(super) fn shallow<K: Kernel>(walk: &mut Walk<'_, K>, node: Node, alpha: i32) -> i32 {
    walk.nodes += 1;
    if let Some(most) = walk.most(&node, alpha) {
        return most;
    }
    let Node { own, other, odd, empties, .. } = node;
    let nook = Cache::nook(own, other);
    if let Some(score) = walk.cache.answer(nook, own, other, alpha) {
        return score;
    }
    let kernel = walk.kernel;
    let moves = walk.moves(&node);
    if moves == 0 {
        if kernel.mobility(other, own) == 0 {
            return ended(own, other);
        }
        return -kernel.shallow(walk, node.passed(), -alpha - 1);
    }
    let mut best = NONE;
    'moves: for mut set in [moves & odd, moves & !odd] {
        while let Some(square) = Square::lowest(set) {
            set &= set - 1;
            let after = node.after(square, kernel.flips(own, other, square));
            let score = if empties == 5 {
                -kernel.four(walk, after, -alpha - 1)
            } else {
                -kernel.shallow(walk, after, -alpha - 1)
            };
            best = best.max(score);
            if best > alpha {
                break 'moves;
            }
        }
    }
    walk.cache.keep(nook, own, other, alpha, best);
    best
}
