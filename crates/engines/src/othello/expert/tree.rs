//! The tree above the shallow layer: table, stability, enhanced transposition cut-offs and ordered moves.

use tesuji_othello::Square;

use super::kernel::Kernel;
use super::last::{NONE, ended};
use super::order::{ranked, take};
use super::quadrants::{QUADRANT, odd};
use super::table::{Finding, Known, NO_MOVE, Reach};
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
    /// Where the mover can play, if that was asked before; zero otherwise.
    pub(super) moves: u64,
}

impl Node {
    pub(super) fn new(own: u64, other: u64) -> Node {
        let empties = !(own | other);
        Node { own, other, odd: odd(empties), empties: empties.count_ones(), moves: 0 }
    }

    /// After a disc on a square that turns these over.
    #[inline(always)]
    pub(super) fn after(&self, square: Square, turned: u64) -> Node {
        Node {
            own: self.other & !turned,
            other: self.own | turned | square.bit(),
            odd: self.odd ^ QUADRANT[square.index()],
            empties: self.empties - 1,
            moves: 0,
        }
    }

    /// After a pass.
    #[inline(always)]
    pub(super) fn passed(&self) -> Node {
        Node { own: self.other, other: self.own, moves: 0, ..*self }
    }
}

/// A move, what it leads to, and how promising it looks.
#[derive(Clone, Copy, Debug)]
pub(super) struct Step {
    pub(super) after: Node,
    pub(super) square: u8,
    pub(super) rank: i32,
}

/// A null-window search of a position above the shallow layer.
#[inline(always)]
pub(super) fn tree<K: Kernel>(walk: &mut Walk<'_, K>, node: Node, alpha: i32) -> i32 {
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
    let reach = Reach::whole(node.empties);
    if let Some(score) = known.answer(reach, alpha) {
        return score;
    }
    let kernel = walk.kernel;
    let moves = walk.moves(&node);
    if moves == 0 {
        if kernel.mobility(other, own) == 0 {
            return ended(own, other);
        }
        return -kernel.tree(walk, node.passed(), -alpha - 1);
    }
    let before = walk.nodes;
    let base = walk.steps.len();
    let (mut best, mut chosen) = (NONE, NO_MOVE);
    if let Some((score, square)) = list(walk, &node, moves) {
        (best, chosen) = (score, square);
    } else {
        ranked(walk, base, &known);
        for _ in base..walk.steps.len() {
            let step = take(&mut walk.steps[base..]);
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
        let nodes = walk.nodes - before;
        walk.table.put(place, (own, other), &Finding { alpha, score: best, mv: chosen, reach, nodes });
    }
    best
}

/// Lists the moves; ends with one that takes everything, if there is such a move.
#[inline(always)]
pub(super) fn list<K: Kernel>(walk: &mut Walk<'_, K>, node: &Node, mut moves: u64) -> Option<(i32, u8)> {
    while let Some(square) = Square::lowest(moves) {
        moves &= moves - 1;
        let after = node.after(square, walk.kernel.flips(node.own, node.other, square));
        let number = square.index() as u8;
        walk.steps.push(Step { after, square: number, rank: 0 });
        if after.own == 0 {
            return Some((64, number));
        }
    }
    None
}
