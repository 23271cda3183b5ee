//! One solving under way: what all layers of the search share.

use std::sync::Arc;

use super::super::pattern::{Freedom, Pattern};
use super::cache::Cache;
use super::crew::{Open, Share, SplitPool};
use super::kernel::Kernel;
use super::last::{ended, four, one, three, two};
use super::level::Level;
use super::probe::Doubts;
use super::spot::Spot;
use super::stable::{Edges, stable};
use super::table::Table;
use super::tree::{Node, Step};
use super::watch::Watch;
use tesuji_othello::Square;

/// Up to so many empty squares the search needs neither list nor table.
const SHALLOW: u32 = 7;

/// Up to so many it remembers only what its thread found a moment ago.
pub(super) const GROVE: u32 = 11;

/// With so many empty squares or more, moves are ordered by the evaluation. From 12 on it would save a tenth of the
/// positions more, and take longer for it.
pub(super) const EVALUATED: u32 = 14;

/// Up to so many plies ahead, positions are not worth a place in the table.
pub(super) const GLANCE: u32 = 2;

/// The least `alpha` at which counting stable discs pays, by the number of empty squares.
const HOPE: [i32; 16] = [65, 65, 65, 65, 65, 22, 20, 18, 16, 14, 12, 10, 8, 6, 4, 2];

/// A search that has begun.
pub(super) struct Walk<'a, K> {
    pub(super) kernel: K,
    pub(super) eval: &'a Pattern,
    pub(super) table: &'a Table,
    pub(super) doubts: &'a Doubts,
    pub(super) edges: &'static Edges,
    watch: &'a Watch<'a>,
    /// Positions of the tree so far, for which the clock was asked.
    asked: u64,
    /// Who else is at it.
    pub(super) crew: Option<&'a SplitPool>,
    /// The nearest position above that was shared out.
    pub(super) share: Option<Arc<Share>>,
    /// The positions on the way that are, or could be, shared out.
    pub(super) opened: Vec<Open>,
    /// How surely to search.
    pub(super) level: Level,
    /// Positions visited.
    pub(super) nodes: u64,
    /// Whether the search was ended before its time: no result means anything then.
    pub(super) stopped: bool,
    /// What is known near the leaves.
    pub(super) cache: Cache,
    /// The moves of all positions on the way, each list behind that of the position before.
    pub(super) steps: Vec<Step>,
}

impl<'a, K: Kernel> Walk<'a, K> {
    pub(super) fn new(
        kernel: K,
        eval: &'a Pattern,
        table: &'a Table,
        doubts: &'a Doubts,
        watch: &'a Watch<'a>,
    ) -> Walk<'a, K> {
        let (edges, steps) = (Edges::table(), Vec::with_capacity(1024));
        let (level, crew, share, asked, nodes) = (Level::EXACT, None, None, 0, 0);
        Walk {
            kernel,
            eval,
            table,
            doubts,
            edges,
            watch,
            asked,
            crew,
            share,
            opened: Vec::new(),
            level,
            nodes,
            stopped: false,
            cache: Cache::new(),
            steps,
        }
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

    /// What the evaluation makes of a position, in whole discs.
    #[inline(always)]
    pub(super) fn judged(&self, spot: &Spot) -> i32 {
        let Node { own, other, empties, .. } = spot.node;
        let freedom =
            Freedom { own: self.kernel.mobility(own, other), other: self.kernel.mobility(other, own) };
        self.eval.whole(&spot.numbers, empties, freedom)
    }

    /// The moves of a position.
    #[inline(always)]
    pub(super) fn moves(&self, node: &Node) -> u64 {
        if node.moves == 0 { self.kernel.mobility(node.own, node.other) } else { node.moves }
    }

    /// A null-window search: whether the score is more than `alpha`, by a bound that fails softly.
    #[inline(always)]
    pub(super) fn null(&mut self, node: Node, alpha: i32) -> i32 {
        const ABOVE: u32 = SHALLOW + 1;
        match node.empties {
            0..=4 => self.last(node, alpha),
            5..=SHALLOW => self.kernel.shallow(self, node, alpha),
            ABOVE..=GROVE => self.kernel.grove(self, node, alpha),
            _ => self.kernel.tree(self, node, alpha),
        }
    }

    /// A null-window search to a depth, for which the numbers of patterns are at hand.
    #[inline(always)]
    pub(super) fn ahead(&mut self, spot: &Spot, depth: u32, alpha: i32) -> i32 {
        let empties = spot.node.empties;
        if depth >= empties {
            if empties < EVALUATED {
                self.null(spot.node, alpha)
            } else {
                self.kernel.deep(self, spot, empties, alpha)
            }
        } else if depth <= GLANCE {
            self.kernel.glance(self, spot, depth, alpha, alpha + 1)
        } else {
            self.kernel.deep(self, spot, depth, alpha)
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
        self.asked += 1;
        self.watch.look(self.asked, self.nodes);
        self.stopped = self.stopped || self.is_told_to_stop();
        self.stopped
    }

    /// Whether what is searched is needed no more.
    #[inline(always)]
    pub(super) fn is_told_to_stop(&self) -> bool {
        self.watch.is_over() || self.share.as_ref().is_some_and(|share| share.is_cut())
    }
}
