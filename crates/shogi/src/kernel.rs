//! Dispatch: the kernels of the best instruction set of this machine.

#[cfg(target_arch = "x86_64")]
use crate::avx2;
use crate::board::Board;
use crate::{Moves, portable};

/// Replaces `out` by the legal moves.
#[inline]
pub(crate) fn moves(board: &Board, out: &mut Moves) {
    #[cfg(target_arch = "x86_64")]
    if let Some(avx2) = avx2::detect() {
        return avx2::moves(avx2, board, out);
    }
    portable::moves(board, out);
}

/// The number of legal moves.
#[inline]
pub(crate) fn count(board: &Board) -> u64 {
    #[cfg(target_arch = "x86_64")]
    if let Some(avx2) = avx2::detect() {
        return avx2::count(avx2, board);
    }
    portable::count(board)
}

/// Perft.
#[inline]
pub(crate) fn leaves(board: &mut Board, depth: u32) -> u64 {
    #[cfg(target_arch = "x86_64")]
    if let Some(avx2) = avx2::detect() {
        return avx2::leaves(avx2, board, depth);
    }
    portable::leaves(board, depth)
}
