//! Eight to eleven empty squares: moves in order, and only what the thread itself remembers. Here a look into the large
//! table would take as long as a good part of the search.

use super::cache::Cache;
use super::kernel::Kernel;
use super::last::{NONE, ended};
use super::order::{ranked, take};
use super::table::Known;
use super::tree::{Node, list};
use super::walk::Walk;

/// With so many empty squares or more somebody may be waiting for the search to stop; with fewer it is over sooner than
/// he would notice.
const WATCHED: u32 = 10;

/// A null-window search of a position between the shallow layer and the tree.
#[inline(always)]
pub(super) fn grove<K: Kernel>(walk: &mut Walk<'_, K>, node: Node, alpha: i32) -> i32 {
    walk.nodes += 1;
    if node.empties >= WATCHED && walk.out_of_time() {
        return alpha;
    }
    if let Some(most) = walk.most(&node, alpha) {
        return most;
    }
    let Node { own, other, .. } = node;
    let nook = Cache::nook(own, other);
    if let Some(score) = walk.cache.answer(nook, own, other, alpha) {
        return score;
    }
    let moves = walk.moves(&node);
    if moves == 0 {
        if walk.kernel.mobility(other, own) == 0 {
            return ended(own, other);
        }
        let kernel = walk.kernel;
        return -kernel.grove(walk, node.passed(), -alpha - 1);
    }
    let base = walk.steps.len();
    let mut best = NONE;
    if let Some((score, _)) = list(walk, &node, moves) {
        best = score;
    } else {
        ranked(walk, base, &Known::NOTHING);
        for _ in base..walk.steps.len() {
            let step = take(&mut walk.steps[base..]);
            best = best.max(-walk.null(step.after, -alpha - 1));
            if best > alpha {
                break;
            }
        }
    }
    walk.steps.truncate(base);
    if !walk.stopped {
        walk.cache.keep(nook, own, other, alpha, best);
    }
    best
}
