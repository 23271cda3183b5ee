//! Dispatch: the kernels of the best instruction set of this machine.

#[cfg(target_arch = "x86_64")]
use crate::avx2;
use crate::board::Board;
use crate::threats::EnemyKing;
use crate::{Bitboard, Moves, portable};

/// Replaces `out` by the legal moves.
#[inline]
pub(crate) fn moves(board: &Board, out: &mut Moves) {
    #[cfg(target_arch = "x86_64")]
    if let Some(avx2) = avx2::detect() {
        return avx2::moves(avx2, board, out);
    }
    portable::moves(board, out);
}

/// Replaces `out` by the legal moves that are no drops.
#[inline]
pub(crate) fn board_moves(board: &Board, out: &mut Moves) {
    #[cfg(target_arch = "x86_64")]
    if let Some(avx2) = avx2::detect() {
        return avx2::board_moves(avx2, board, out);
    }
    portable::board_moves(board, out);
}

/// Replaces `out` by the legal captures and promotions, out of check.
#[inline]
pub(crate) fn tactical_moves(board: &Board, out: &mut Moves) {
    #[cfg(target_arch = "x86_64")]
    if let Some(avx2) = avx2::detect() {
        return avx2::tactical_moves(avx2, board, out);
    }
    portable::tactical_moves(board, out);
}

/// Replaces `out` by the legal moves that neither capture nor promote, out of check.
#[inline]
pub(crate) fn quiet_moves(board: &Board, out: &mut Moves) {
    #[cfg(target_arch = "x86_64")]
    if let Some(avx2) = avx2::detect() {
        return avx2::quiet_moves(avx2, board, out);
    }
    portable::quiet_moves(board, out);
}

/// Replaces `out` by the legal board moves to `targets` and all those of the pieces in `free`, out of check.
#[inline]
pub(crate) fn board_moves_to(board: &Board, targets: Bitboard, free: Bitboard, out: &mut Moves) {
    #[cfg(target_arch = "x86_64")]
    if let Some(avx2) = avx2::detect() {
        return avx2::board_moves_to(avx2, board, targets, free, out);
    }
    portable::board_moves_to(board, targets, free, out);
}

/// The king of the side that is not to move.
#[inline]
pub(crate) fn enemy_king(board: &Board) -> EnemyKing {
    #[cfg(target_arch = "x86_64")]
    if let Some(avx2) = avx2::detect() {
        return avx2::enemy_king(avx2, board);
    }
    portable::enemy_king(board)
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

/// Whether the mover, which is in check, has no legal move.
#[inline]
pub(crate) fn is_mated(board: &Board) -> bool {
    #[cfg(target_arch = "x86_64")]
    if let Some(avx2) = avx2::detect() {
        return avx2::is_mated(avx2, board);
    }
    portable::is_mated(board)
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
