//! One solving under way: what all layers of the search share.

use tesuji_search::Stop;

use super::kernel::Kernel;
use super::last::{ended, four, one, three, two};
use super::rank::Rank;
use super::stable::{Edges, stable};
use super::table::Table;
use super::tree::{Node, Step};
use tesuji_othello::Square;

/// Up to so many empty squares the search needs neither list nor table.
const SHALLOW: u32 = 7;

/// The least `alpha` at which counting stable discs pays, by the number of empty squares.
const HOPE: [i32; 16] = [65, 65, 65, 65, 65, 22, 20, 18, 16, 14, 12, 10, 8, 6, 4, 2];

/// A search that has begun.
pub(super) struct Walk<'a, K, R> {
    pub(super) kernel: K,
    pub(super) rank: &'a R,
    pub(super) table: &'a Table,
    pub(super) edges: &'static Edges,
    stop: &'a Stop,
    /// Positions visited.
    pub(super) nodes: u64,
    /// Whether the search was ended before its time: no result means anything then.
    pub(super) stopped: bool,
    /// The moves of all positions on the way, each list behind that of the position before.
    pub(super) steps: Vec<Step>,
}

impl<'a, K: Kernel, R: Rank> Walk<'a, K, R> {
    pub(super) fn new(kernel: K, rank: &'a R, table: &'a Table, stop: &'a Stop) -> Walk<'a, K, R> {
        let edges = Edges::table();
        Walk { kernel, rank, table, edges, stop, nodes: 0, stopped: false, steps: Vec::with_capacity(1024) }
    }

    /// An upper bound on the score that is no more than `alpha`, if stable discs of the opponent give one.
    #[inline(always)]
    pub(super) fn most(&self, node: &Node, alpha: i32) -> Option<i32> {
        if alpha < HOPE[(node.empties as usize).min(15)] {
            return None;
        }
        let lost = stable(self.edges, node.other, node.own).count_ones() as i32;
        let most = 64 - 2 * lost;
        (most <= alpha).then_some(most)
    }

    /// A null-window search: whether the score is more than `alpha`, by a bound that fails softly.
    #[inline(always)]
    pub(super) fn null(&mut self, node: Node, alpha: i32) -> i32 {
        match node.empties {
            0..=4 => self.last(node, alpha),
            5..=SHALLOW => self.kernel.shallow(self, node, alpha),
            _ => self.kernel.tree(self, node, alpha),
        }
    }

    /// At most four empty squares.
    fn last(&mut self, node: Node, alpha: i32) -> i32 {
        let mut left = !(node.own | node.other);
        let mut next = || {
            let square = Square::lowest(left);
            left &= left.wrapping_sub(1);
            square
        };
        match (next(), next(), next(), next()) {
            (Some(_), Some(_), Some(_), Some(_)) => four(self, node, alpha),
            (Some(a), Some(b), Some(c), _) => three(self, node.own, node.other, [a, b, c], alpha),
            (Some(a), Some(b), ..) => two(self, node.own, node.other, [a, b], alpha),
            (Some(a), ..) => one(node.own, a, alpha),
            _ => ended(node.own, node.other),
        }
    }

    /// Whether it is time to stop; asked at every position of the tree, answered now and then.
    #[inline(always)]
    pub(super) fn out_of_time(&mut self) -> bool {
        self.stopped = self.stopped || self.stop.raised();
        self.stopped
    }
}
