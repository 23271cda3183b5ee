//! The doors of the recursion compiled for AVX2; `kernel.rs` has their portable twins.
// Calls into another instruction set are unsafe.
#![allow(unsafe_code)]

use tesuji_othello::Square;
use tesuji_othello::kernel::avx2::{self, Avx2};

use super::kernel::Kernel;
use super::last;
use super::rank::Rank;
use super::shallow;
use super::tree::{self, Node};
use super::walk::Walk;

impl Kernel for Avx2 {
    #[inline(always)]
    fn flips(self, own: u64, other: u64, square: Square) -> u64 {
        // SAFETY: `self` proves that the machine has these instructions.
        unsafe { avx2::flips(own, other, square) }
    }

    #[inline(always)]
    fn mobility(self, own: u64, other: u64) -> u64 {
        // SAFETY: `self` proves that the machine has these instructions.
        unsafe { avx2::mobility(own, other) }
    }

    #[inline(always)]
    fn three<R: Rank>(
        self,
        walk: &mut Walk<'_, Self, R>,
        own: u64,
        other: u64,
        squares: [Square; 3],
        alpha: i32,
    ) -> i32 {
        // SAFETY: `self` proves that the machine has these instructions.
        unsafe { three(walk, own, other, squares, alpha) }
    }

    #[inline(always)]
    fn shallow<R: Rank>(self, walk: &mut Walk<'_, Self, R>, node: Node, alpha: i32) -> i32 {
        // SAFETY: `self` proves that the machine has these instructions.
        unsafe { shallow(walk, node, alpha) }
    }

    #[inline(always)]
    fn tree<R: Rank>(self, walk: &mut Walk<'_, Self, R>, node: Node, alpha: i32) -> i32 {
        // SAFETY: `self` proves that the machine has these instructions.
        unsafe { tree(walk, node, alpha) }
    }
}

#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn three<R: Rank>(
    walk: &mut Walk<'_, Avx2, R>,
    own: u64,
    other: u64,
    squares: [Square; 3],
    alpha: i32,
) -> i32 {
    last::three(walk, own, other, squares, alpha)
}

#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn shallow<R: Rank>(walk: &mut Walk<'_, Avx2, R>, node: Node, alpha: i32) -> i32 {
    shallow::shallow(walk, node, alpha)
}

#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn tree<R: Rank>(walk: &mut Walk<'_, Avx2, R>, node: Node, alpha: i32) -> i32 {
    tree::tree(walk, node, alpha)
}
