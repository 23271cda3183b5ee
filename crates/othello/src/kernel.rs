//! Flips, mobility and perft, with run-time dispatch to a version for each instruction set.

use crate::Square;

#[cfg(target_arch = "x86_64")]
pub mod avx2;
pub mod portable;
mod position_buffer;
mod rays;

#[cfg(target_arch = "x86_64")]
use avx2::Avx2;

/// The discs that a move to `square` flips; empty when the move is illegal. The two sets must not overlap.
///
/// ```text
/// X O O ×   a move of X to × flips both O between it and the other X
/// ```
///
/// ```
/// use tesuji_othello::{Square, flips};
/// // -OX: a1 flips b1.
/// assert_eq!(flips(0b100, 0b010, Square::parse("a1").unwrap()), 0b010);
/// assert_eq!(flips(0b100, 0b010, Square::parse("h8").unwrap()), 0);
/// ```
#[inline]
pub fn flips(own: u64, other: u64, square: Square) -> u64 {
    if (own | other) & square.bit() != 0 { 0 } else { flips_of_empty(own, other, square) }
}

/// [`flips`] for an empty square.
#[inline]
pub fn flips_of_empty(own: u64, other: u64, square: Square) -> u64 {
    #[cfg(target_arch = "x86_64")]
    if let Some(avx2) = Avx2::detect() {
        return avx2.flips(own, other, square);
    }
    portable::flips(own, other, square)
}

/// The legal moves of `own`: the squares where a disc flips at least one disc of `other`.
///
/// The two sets must not overlap.
///
/// ```
/// // -OX: only a1 brackets b1.
/// assert_eq!(tesuji_othello::mobility(0b100, 0b010), 0b001);
/// ```
#[inline]
pub fn mobility(own: u64, other: u64) -> u64 {
    #[cfg(target_arch = "x86_64")]
    if let Some(avx2) = Avx2::detect() {
        return avx2.mobility(own, other);
    }
    portable::mobility(own, other)
}

/// Perft. A forced pass is a ply, and a game that ended early is one leaf.
pub fn leaves(own: u64, other: u64, depth: u32) -> u64 {
    #[cfg(target_arch = "x86_64")]
    if let Some(avx2) = Avx2::detect() {
        return avx2.leaves(own, other, depth);
    }
    portable::leaves(own, other, depth)
}
