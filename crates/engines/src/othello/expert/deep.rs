//! The tree where the evaluation has a say: towards the end of the game or to a depth, with branches left out by
//! shallow searches where the level allows it.

use super::crew::{Open, SHARED};
use super::kernel::Kernel;
use super::last::{NONE, ended};
use super::order::{judged, pick};
use super::probe::probed;
use super::spot::Spot;
use super::table::{Finding, Known, NO_MOVE, Reach};
use super::tree::list;
use super::walk::Walk;

/// With so many plies to go or more the positions after all moves are looked up before any is searched.
const LOOK_AHEAD: u32 = 14;

/// A null-window search `depth` plies ahead; to the end when there are as many empty squares.
#[inline(always)]
pub(super) fn deep<K: Kernel>(walk: &mut Walk<'_, K>, spot: &Spot, depth: u32, alpha: i32) -> i32 {
    walk.nodes += 1;
    if walk.out_of_time() {
        return alpha;
    }
    let node = spot.node;
    if depth == node.empties
        && let Some(most) = walk.most(&node, alpha)
    {
        return most;
    }
    let (own, other) = (node.own, node.other);
    let kernel = walk.kernel;
    let moves = walk.moves(&node);
    if moves == 0 {
        if kernel.mobility(other, own) == 0 {
            return ended(own, other);
        }
        return -kernel.deep(walk, &spot.passed(), depth, -alpha - 1);
    }
    let place = walk.table.place(own, other);
    let known = walk.table.get(place, own, other).unwrap_or(Known::NOTHING);
    let reach = Reach { depth: depth as u8, level: walk.level };
    if let Some(score) = known.answer(reach, alpha) {
        return score;
    }
    let before = walk.nodes;
    let base = walk.steps.len();
    let found = list(walk, &node, moves).or_else(|| looked_up(walk, base, reach, alpha));
    let (mut best, mut chosen) = found.unwrap_or((NONE, NO_MOVE));
    if best <= alpha {
        if let Some(score) = probed(walk, spot, depth, alpha) {
            walk.steps.truncate(base);
            return score;
        }
        judged(walk, base, &known, spot, depth);
        let end = walk.steps.len();
        for at in base..end {
            let step = pick(&mut walk.steps[at..]);
            // Young brothers wait for the first.
            let open = depth >= SHARED && at > base && at + 1 < end && walk.crew.is_some();
            if open {
                let left = at + 1..end;
                walk.open(Open { spot: *spot, depth, alpha, left, best, chosen, share: None });
            }
            let score = -walk.ahead(&spot.after(&step), depth - 1, -alpha - 1);
            if open && let Some(found) = walk.close(score, step.square) {
                (best, chosen) = found;
                break;
            }
            if score > best {
                (best, chosen) = (score, step.square);
                if best > alpha {
                    break;
                }
            }
        }
    }
    walk.steps.truncate(base);
    if !walk.stopped {
        let nodes = walk.nodes - before;
        walk.table.put(place, (own, other), &Finding { alpha, score: best, mv: chosen, reach, nodes });
    }
    best
}

/// A move listed from `base` on that leads to a position known to be bad enough for the opponent.
#[inline(always)]
fn looked_up<K: Kernel>(walk: &Walk<'_, K>, base: usize, reach: Reach, alpha: i32) -> Option<(i32, u8)> {
    let depth = u32::from(reach.depth);
    if depth < LOOK_AHEAD {
        return None;
    }
    // One behind the other they would be waited for one by one.
    for step in &walk.steps[base..] {
        walk.table.prefetch(step.after.own, step.after.other);
    }
    let below = Reach { depth: reach.depth - 1, level: reach.level };
    walk.steps[base..].iter().find_map(|step| {
        let (own, other) = (step.after.own, step.after.other);
        let known = walk.table.get(walk.table.place(own, other), own, other)?;
        let least = -i32::from(known.high);
        (known.reach.covers(below) && least > alpha).then_some((least, step.square))
    })
}
