//! The tree above the shallow layer: table, stability, enhanced transposition cut-offs and ordered moves.

use tesuji_othello::Square;

use super::kernel::Kernel;
use super::last::{NONE, ended};
use super::order::{pick, ranked};
use super::quadrants::{QUADRANT, odd};
use super::rank::Rank;
use super::table::{Known, NO_MOVE};
use super::walk::Walk;

/// A position within the tree, seen by its mover.
#[derive(Clone, Copy, Debug)]
pub(super) struct Node {
    pub(super) own: u64,
    pub(super) other: u64,
    /// The quadrants with an odd number of empty squares.
    pub(super) odd: u64,
    /// The number of empty squares.
    pub(super) empties: u32,
}

impl Node {
    pub(super) fn new(own: u64, other: u64) -> Node {
        let empties = !(own | other);
        Node { own, other, odd: odd(empties), empties: empties.count_ones() }
    }

    /// After a disc on a square that turns these over.
    #[inline(always)]
    pub(super) fn after(&self, square: Square, turned: u64) -> Node {
        Node {
            own: self.other & !turned,
            other: self.own | turned | square.bit(),
            odd: self.odd ^ QUADRANT[square.index() & 63],
            empties: self.empties - 1,
        }
    }

    /// After a pass.
    #[inline(always)]
    pub(super) fn passed(&self) -> Node {
        Node { own: self.other, other: self.own, ..*self }
    }
}

/// A move, what it leads to, and how promising it looks.
#[derive(Clone, Copy, Debug)]
pub(super) struct Step {
    pub(super) after: Node,
    pub(super) square: u8,
    pub(super) rank: i32,
}

/// With so many empty squares or more the positions after all moves are looked up before any is searched.
const LOOK_AHEAD: u32 = 10;

/// A null-window search of a position above the shallow layer.
#[inline(always)]
pub(super) fn tree<K: Kernel, R: Rank>(walk: &mut Walk<'_, K, R>, node: Node, alpha: i32) -> i32 {
    walk.nodes += 1;
    if walk.out_of_time() {
        return alpha;
    }
    if let Some(most) = walk.most(&node, alpha) {
        return most;
    }
    let Node { own, other, .. } = node;
    let place = walk.table.place(own, other);
    let known = walk.table.get(place, own, other).unwrap_or(Known::NOTHING);
    if i32::from(known.low) > alpha {
        return i32::from(known.low);
    }
    if i32::from(known.high) <= alpha {
        return i32::from(known.high);
    }
    let kernel = walk.kernel;
    let moves = kernel.mobility(own, other);
    if moves == 0 {
        if kernel.mobility(other, own) == 0 {
            return ended(own, other);
        }
        return -kernel.tree(walk, node.passed(), -alpha - 1);
    }
    let before = walk.nodes;
    let base = walk.steps.len();
    let (mut best, mut chosen) = (NONE, NO_MOVE);
    if let Some((score, square)) = list(walk, &node, moves, alpha) {
        (best, chosen) = (score, square);
    } else {
        ranked(walk, base, &known);
        for at in base..walk.steps.len() {
            let step = pick(&mut walk.steps[at..]);
            let score = -walk.null(step.after, -alpha - 1);
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
        walk.table.put(place, (own, other), alpha, best, chosen, walk.nodes - before);
    }
    best
}

/// Lists the moves; ends early with a score above `alpha` if a move takes everything or leads to a position
/// known to be bad enough for the opponent.
#[inline(always)]
fn list<K: Kernel, R: Rank>(
    walk: &mut Walk<'_, K, R>,
    node: &Node,
    mut moves: u64,
    alpha: i32,
) -> Option<(i32, u8)> {
    while let Some(square) = Square::lowest(moves) {
        moves &= moves - 1;
        let after = node.after(square, walk.kernel.flips(node.own, node.other, square));
        let number = square.index() as u8;
        if after.own == 0 {
            return Some((64, number));
        }
        if node.empties >= LOOK_AHEAD {
            let place = walk.table.place(after.own, after.other);
            if let Some(known) = walk.table.get(place, after.own, after.other) {
                let least = -i32::from(known.high);
                if least > alpha {
                    return Some((least, number));
                }
            }
        }
        walk.steps.push(Step { after, square: number, rank: 0 });
    }
    None
}
