//! A position high in the tree: its discs, and the numbers of its patterns.

use super::super::pattern::Numbers;
use super::tree::{Node, Step};

/// A position with the numbers of its patterns.
#[derive(Clone, Copy, Debug)]
pub(super) struct Spot {
    pub(super) node: Node,
    pub(super) numbers: Numbers,
}

impl Spot {
    pub(super) fn new(own: u64, other: u64) -> Spot {
        Spot { node: Node::new(own, other), numbers: Numbers::new(own, other) }
    }

    /// After a move that was listed.
    #[inline(always)]
    pub(super) fn after(&self, step: &Step) -> Spot {
        let turned = self.node.other & !step.after.own;
        Spot { node: step.after, numbers: self.numbers.after(usize::from(step.square), turned) }
    }

    /// After a pass.
    #[inline(always)]
    pub(super) fn passed(&self) -> Spot {
        Spot { node: self.node.passed(), numbers: self.numbers.passed() }
    }
}
