//! The instruction set as a type. Code compiled for one set is not inlined into code compiled for another, so
//! the whole recursion lives behind doors: each function that calls itself is entered through the kernel.

use tesuji_othello::Square;
use tesuji_othello::kernel::portable;

use super::deep;
use super::glance;
use super::grove;
use super::last;
use super::shallow;
use super::spot::Spot;
use super::tree::{self, Node};
use super::walk::Walk;

/// Flips and mobility for one instruction set, and the doors of the recursion compiled for it.
pub(super) trait Kernel: Copy + Send + Sync {
    /// The discs that a disc on an empty square turns over.
    fn flips(self, own: u64, other: u64, square: Square) -> u64;

    /// The squares where a disc turns any over.
    fn mobility(self, own: u64, other: u64) -> u64;

    /// See [`last::three`].
    fn three(self, walk: &mut Walk<'_, Self>, own: u64, other: u64, squares: [Square; 3], alpha: i32) -> i32;

    /// See [`last::two_passed`].
    fn two_passed(
        self,
        walk: &mut Walk<'_, Self>,
        own: u64,
        other: u64,
        squares: [Square; 2],
        alpha: i32,
    ) -> i32;

    /// See [`last::four`].
    fn four(self, walk: &mut Walk<'_, Self>, node: Node, alpha: i32) -> i32;

    /// See [`shallow::shallow`].
    fn shallow(self, walk: &mut Walk<'_, Self>, node: Node, alpha: i32) -> i32;

    /// See [`grove::grove`].
    fn grove(self, walk: &mut Walk<'_, Self>, node: Node, alpha: i32) -> i32;

    /// See [`tree::tree`].
    fn tree(self, walk: &mut Walk<'_, Self>, node: Node, alpha: i32) -> i32;

    /// See [`glance::glance`].
    fn glance(self, walk: &mut Walk<'_, Self>, spot: &Spot, depth: u32, alpha: i32, beta: i32) -> i32;

    /// See [`deep::deep`].
    fn deep(self, walk: &mut Walk<'_, Self>, spot: &Spot, depth: u32, alpha: i32) -> i32;
}

/// What every machine has.
#[derive(Clone, Copy, Debug)]
pub(super) struct Portable;

impl Kernel for Portable {
    #[inline(always)]
    fn flips(self, own: u64, other: u64, square: Square) -> u64 {
        portable::flips(own, other, square)
    }

    #[inline(always)]
    fn mobility(self, own: u64, other: u64) -> u64 {
        portable::mobility(own, other)
    }

    #[inline(never)]
    fn three(self, walk: &mut Walk<'_, Self>, own: u64, other: u64, squares: [Square; 3], alpha: i32) -> i32 {
        last::three(walk, own, other, squares, alpha)
    }

    #[inline(never)]
    fn two_passed(
        self,
        walk: &mut Walk<'_, Self>,
        own: u64,
        other: u64,
        squares: [Square; 2],
        alpha: i32,
    ) -> i32 {
        last::two_passed(walk, own, other, squares, alpha)
    }

    #[inline(never)]
    fn four(self, walk: &mut Walk<'_, Self>, node: Node, alpha: i32) -> i32 {
        last::four(walk, node, alpha)
    }

    #[inline(never)]
    fn shallow(self, walk: &mut Walk<'_, Self>, node: Node, alpha: i32) -> i32 {
        shallow::shallow(walk, node, alpha)
    }

    #[inline(never)]
    fn grove(self, walk: &mut Walk<'_, Self>, node: Node, alpha: i32) -> i32 {
        grove::grove(walk, node, alpha)
    }

    #[inline(never)]
    fn tree(self, walk: &mut Walk<'_, Self>, node: Node, alpha: i32) -> i32 {
        tree::tree(walk, node, alpha)
    }

    #[inline(never)]
    fn glance(self, walk: &mut Walk<'_, Self>, spot: &Spot, depth: u32, alpha: i32, beta: i32) -> i32 {
        glance::glance(walk, spot, depth, alpha, beta)
    }

    #[inline(never)]
    fn deep(self, walk: &mut Walk<'_, Self>, spot: &Spot, depth: u32, alpha: i32) -> i32 {
        deep::deep(walk, spot, depth, alpha)
    }
}
