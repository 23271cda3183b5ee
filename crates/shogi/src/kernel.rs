//! The door to the kernels: the best twin for this machine.

#[cfg(target_arch = "x86_64")]
use crate::avx2;
use crate::board::Board;
use crate::{Moves, portable};

/// Replaces `out` by the legal moves.
#[inline]
pub(crate) fn moves(board: &Board, out: &mut Moves) {
    #[cfg(target_arch = "x86_64")]
    if let Some(found) = avx2::found() {
        return avx2::moves(found, board, out);
    }
    portable::moves(board, out);
}

/// The number of legal moves.
#[inline]
pub(crate) fn count(board: &Board) -> u64 {
    #[cfg(target_arch = "x86_64")]
    if let Some(found) = avx2::found() {
        return avx2::count(found, board);
    }
    portable::count(board)
}

/// The leaves of the tree `depth` plies down.
#[inline]
pub(crate) fn leaves(board: &mut Board, depth: u32) -> u64 {
    #[cfg(target_arch = "x86_64")]
    if let Some(found) = avx2::found() {
        return avx2::leaves(found, board, depth);
    }
    portable::leaves(board, depth)
}
