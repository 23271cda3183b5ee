//! The doors of the recursion compiled for AVX2; `kernel.rs` has their portable twins.
// Calls into another instruction set are unsafe.
#![allow(unsafe_code)]

use tesuji_othello::Square;
use tesuji_othello::kernel::avx2::{self, Avx2};

use super::deep;
use super::glance;
use super::grove;
use super::kernel::Kernel;
use super::last;
use super::shallow;
use super::spot::Spot;
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
    fn three(self, walk: &mut Walk<'_, Self>, own: u64, other: u64, squares: [Square; 3], alpha: i32) -> i32 {
        // SAFETY: `self` proves that the machine has these instructions.
        unsafe { three(walk, own, other, squares, alpha) }
    }

    #[inline(always)]
    fn two_passed(
        self,
        walk: &mut Walk<'_, Self>,
        own: u64,
        other: u64,
        squares: [Square; 2],
        alpha: i32,
    ) -> i32 {
        // SAFETY: `self` proves that the machine has these instructions.
        unsafe { two_passed(walk, own, other, squares, alpha) }
    }

    #[inline(always)]
    fn four(self, walk: &mut Walk<'_, Self>, node: Node, alpha: i32) -> i32 {
        // SAFETY: `self` proves that the machine has these instructions.
        unsafe { four(walk, node, alpha) }
    }

    #[inline(always)]
    fn shallow(self, walk: &mut Walk<'_, Self>, node: Node, alpha: i32) -> i32 {
        // SAFETY: `self` proves that the machine has these instructions.
        unsafe { shallow(walk, node, alpha) }
    }

    #[inline(always)]
    fn grove(self, walk: &mut Walk<'_, Self>, node: Node, alpha: i32) -> i32 {
        // SAFETY: `self` proves that the machine has these instructions.
        unsafe { grove(walk, node, alpha) }
    }

    #[inline(always)]
    fn tree(self, walk: &mut Walk<'_, Self>, node: Node, alpha: i32) -> i32 {
        // SAFETY: `self` proves that the machine has these instructions.
        unsafe { tree(walk, node, alpha) }
    }

    #[inline(always)]
    fn glance(self, walk: &mut Walk<'_, Self>, spot: &Spot, depth: u32, alpha: i32, beta: i32) -> i32 {
        // SAFETY: `self` proves that the machine has these instructions.
        unsafe { glance(walk, spot, depth, alpha, beta) }
    }

    #[inline(always)]
    fn deep(self, walk: &mut Walk<'_, Self>, spot: &Spot, depth: u32, alpha: i32) -> i32 {
        // SAFETY: `self` proves that the machine has these instructions.
        unsafe { deep(walk, spot, depth, alpha) }
    }
}

#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn three(walk: &mut Walk<'_, Avx2>, own: u64, other: u64, squares: [Square; 3], alpha: i32) -> i32 {
    last::three(walk, own, other, squares, alpha)
}

#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn two_passed(walk: &mut Walk<'_, Avx2>, own: u64, other: u64, squares: [Square; 2], alpha: i32) -> i32 {
    last::two_passed(walk, own, other, squares, alpha)
}

#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn four(walk: &mut Walk<'_, Avx2>, node: Node, alpha: i32) -> i32 {
    last::four(walk, node, alpha)
}

#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn shallow(walk: &mut Walk<'_, Avx2>, node: Node, alpha: i32) -> i32 {
    shallow::shallow(walk, node, alpha)
}

#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn grove(walk: &mut Walk<'_, Avx2>, node: Node, alpha: i32) -> i32 {
    grove::grove(walk, node, alpha)
}

#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn tree(walk: &mut Walk<'_, Avx2>, node: Node, alpha: i32) -> i32 {
    tree::tree(walk, node, alpha)
}

#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn glance(walk: &mut Walk<'_, Avx2>, spot: &Spot, depth: u32, alpha: i32, beta: i32) -> i32 {
    glance::glance(walk, spot, depth, alpha, beta)
}

#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn deep(walk: &mut Walk<'_, Avx2>, spot: &Spot, depth: u32, alpha: i32) -> i32 {
    deep::deep(walk, spot, depth, alpha)
}
