//! The kernels for the baseline instruction set. `avx2.rs` has the same functions.

use tesuji_game::Side;

use crate::board::Board;
use crate::side::{Black, StaticSide, White};
use crate::threats::EnemyKing;
use crate::{Bitboard, Moves, count, generate, leaves, threats};

/// Replaces `out` by the legal moves.
pub(crate) fn moves(board: &Board, out: &mut Moves) {
    match board.mover() {
        Side::First => generate::generate::<Black, true>(board, out),
        Side::Second => generate::generate::<White, true>(board, out),
    }
}

/// Replaces `out` by the legal moves that are no drops.
pub(crate) fn board_moves(board: &Board, out: &mut Moves) {
    match board.mover() {
        Side::First => generate::generate::<Black, false>(board, out),
        Side::Second => generate::generate::<White, false>(board, out),
    }
}

/// Replaces `out` by the legal captures and promotions, out of check.
pub(crate) fn tactical_moves(board: &Board, out: &mut Moves) {
    match board.mover() {
        Side::First => generate::tactical::<Black>(board, out),
        Side::Second => generate::tactical::<White>(board, out),
    }
}

/// Replaces `out` by the legal moves that neither capture nor promote, out of check.
pub(crate) fn quiet_moves(board: &Board, out: &mut Moves) {
    match board.mover() {
        Side::First => generate::quiet::<Black>(board, out),
        Side::Second => generate::quiet::<White>(board, out),
    }
}

/// Replaces `out` by the legal board moves to `targets` and all those of the pieces in `free`, out of check.
pub(crate) fn board_moves_to(board: &Board, targets: Bitboard, free: Bitboard, out: &mut Moves) {
    match board.mover() {
        Side::First => generate::board_moves_to::<Black>(board, targets, free, out),
        Side::Second => generate::board_moves_to::<White>(board, targets, free, out),
    }
}

/// The king of the side that is not to move.
pub(crate) fn enemy_king(board: &Board) -> EnemyKing {
    match board.mover() {
        Side::First => threats::enemy_king::<Black>(board),
        Side::Second => threats::enemy_king::<White>(board),
    }
}

/// The number of legal moves.
pub(crate) fn count(board: &Board) -> u64 {
    match board.mover() {
        Side::First => count::count::<Black>(board),
        Side::Second => count::count::<White>(board),
    }
}

/// Whether the mover, which is in check, has no legal move.
pub(crate) fn is_mated(board: &Board) -> bool {
    match board.mover() {
        Side::First => count::is_mated::<Black>(board),
        Side::Second => count::is_mated::<White>(board),
    }
}

/// The leaves of the tree `depth` plies down.
pub(crate) fn leaves(board: &mut Board, depth: u32) -> u64 {
    match (depth, board.mover()) {
        (0, _) => 1,
        (1, _) => count(board),
        (_, Side::First) => descend::<Black>(board, &mut leaves::lists(depth)),
        (_, Side::Second) => descend::<White>(board, &mut leaves::lists(depth)),
    }
}

fn descend<C: StaticSide>(board: &mut Board, lists: &mut [Moves]) -> u64 {
    leaves::descend::<C>(board, lists, count::count::<C::Other>, descend::<C::Other>)
}
