//! The instruction set as a type. Code compiled for one set is not inlined into code compiled for another, so
//! the whole recursion lives behind doors: each function that calls itself is entered through the kernel.

use tesuji_othello::Square;
use tesuji_othello::kernel::portable;

use super::last;
use super::rank::Rank;
use super::shallow;
use super::tree::{self, Node};
use super::walk::Walk;

/// Flips and mobility for one instruction set, and the doors of the recursion compiled for it.
pub(super) trait Kernel: Copy {
    /// The discs that a disc on an empty square turns over.
    fn flips(self, own: u64, other: u64, square: Square) -> u64;

    /// The squares where a disc turns any over.
    fn mobility(self, own: u64, other: u64) -> u64;

    /// See [`last::three`].
    fn three<R: Rank>(
        self,
        walk: &mut Walk<'_, Self, R>,
        own: u64,
        other: u64,
        squares: [Square; 3],
        alpha: i32,
    ) -> i32;

    /// See [`shallow::shallow`].
    fn shallow<R: Rank>(self, walk: &mut Walk<'_, Self, R>, node: Node, alpha: i32) -> i32;

    /// See [`tree::tree`].
    fn tree<R: Rank>(self, walk: &mut Walk<'_, Self, R>, node: Node, alpha: i32) -> i32;
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
    fn three<R: Rank>(
        self,
        walk: &mut Walk<'_, Self, R>,
        own: u64,
        other: u64,
        squares: [Square; 3],
        alpha: i32,
    ) -> i32 {
        last::three(walk, own, other, squares, alpha)
    }

    #[inline(never)]
    fn shallow<R: Rank>(self, walk: &mut Walk<'_, Self, R>, node: Node, alpha: i32) -> i32 {
        shallow::shallow(walk, node, alpha)
    }

    #[inline(never)]
    fn tree<R: Rank>(self, walk: &mut Walk<'_, Self, R>, node: Node, alpha: i32) -> i32 {
        tree::tree(walk, node, alpha)
    }
}
