//! The kernels compiled for x86-64 with AVX2, BMI1, BMI2, LZCNT and POPCNT: the same source as in `portable.rs`, with one
//! instruction for counting bits and for finding the first.
#![allow(unsafe_code)] // Only to call functions with these target features.

use tesuji_game::Side;
use tesuji_game::isa::{Isa, isa};

use crate::board::Board;
use crate::side::{Black, StaticSide, White};
use crate::threats::EnemyKing;
use crate::{Bitboard, Moves, count, generate, leaves, threats};

/// Proof that this machine has these instructions. Only [`detect`] creates one.
#[derive(Clone, Copy)]
pub(crate) struct Avx2(());

/// The proof, if the instructions are available and enabled.
#[inline]
pub(crate) fn detect() -> Option<Avx2> {
    (isa() == Isa::Avx2).then_some(Avx2(()))
}

/// Replaces `out` by the legal moves.
pub(crate) fn moves(Avx2(()): Avx2, board: &Board, out: &mut Moves) {
    // SAFETY: `Avx2` proves that the instructions exist.
    unsafe {
        match board.mover() {
            Side::First => generate::<Black, true>(board, out),
            Side::Second => generate::<White, true>(board, out),
        }
    }
}

/// Replaces `out` by the legal moves that are no drops.
pub(crate) fn board_moves(Avx2(()): Avx2, board: &Board, out: &mut Moves) {
    // SAFETY: `Avx2` proves that the instructions exist.
    unsafe {
        match board.mover() {
            Side::First => generate::<Black, false>(board, out),
            Side::Second => generate::<White, false>(board, out),
        }
    }
}

/// Replaces `out` by the legal captures and promotions, out of check.
pub(crate) fn tactical_moves(Avx2(()): Avx2, board: &Board, out: &mut Moves) {
    // SAFETY: `Avx2` proves that the instructions exist.
    unsafe {
        match board.mover() {
            Side::First => tactical::<Black>(board, out),
            Side::Second => tactical::<White>(board, out),
        }
    }
}

/// Replaces `out` by the legal moves that neither capture nor promote, out of check.
pub(crate) fn quiet_moves(Avx2(()): Avx2, board: &Board, out: &mut Moves) {
    // SAFETY: `Avx2` proves that the instructions exist.
    unsafe {
        match board.mover() {
            Side::First => quiet::<Black>(board, out),
            Side::Second => quiet::<White>(board, out),
        }
    }
}

/// Replaces `out` by the legal board moves to `targets` and all those of the pieces in `free`, out of check.
pub(crate) fn board_moves_to(Avx2(()): Avx2, board: &Board, targets: Bitboard, free: Bitboard, out: &mut Moves) {
    // SAFETY: `Avx2` proves that the instructions exist.
    unsafe {
        match board.mover() {
            Side::First => board_moves_to_for::<Black>(board, targets, free, out),
            Side::Second => board_moves_to_for::<White>(board, targets, free, out),
        }
    }
}

/// The king of the side that is not to move.
pub(crate) fn enemy_king(Avx2(()): Avx2, board: &Board) -> EnemyKing {
    // SAFETY: `Avx2` proves that the instructions exist.
    unsafe {
        match board.mover() {
            Side::First => enemy_king_of::<Black>(board),
            Side::Second => enemy_king_of::<White>(board),
        }
    }
}

/// The number of legal moves.
pub(crate) fn count(Avx2(()): Avx2, board: &Board) -> u64 {
    // SAFETY: `Avx2` proves that the instructions exist.
    unsafe {
        match board.mover() {
            Side::First => count_for::<Black>(board),
            Side::Second => count_for::<White>(board),
        }
    }
}

/// Whether the mover, which is in check, has no legal move.
pub(crate) fn is_mated(Avx2(()): Avx2, board: &Board) -> bool {
    // SAFETY: `Avx2` proves that the instructions exist.
    unsafe {
        match board.mover() {
            Side::First => is_mated_for::<Black>(board),
            Side::Second => is_mated_for::<White>(board),
        }
    }
}

/// Perft.
pub(crate) fn leaves(avx2: Avx2, board: &mut Board, depth: u32) -> u64 {
    let lists = &mut leaves::lists(depth);
    match (depth, board.mover()) {
        (0, _) => 1,
        (1, _) => count(avx2, board),
        // SAFETY: `Avx2` proves that the instructions exist.
        (_, Side::First) => unsafe { descend::<Black>(board, lists) },
        // SAFETY: `Avx2` proves that the instructions exist.
        (_, Side::Second) => unsafe { descend::<White>(board, lists) },
    }
}

#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn generate<C: StaticSide, const DROPS: bool>(board: &Board, out: &mut Moves) {
    generate::generate::<C, DROPS>(board, out);
}

#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn tactical<C: StaticSide>(board: &Board, out: &mut Moves) {
    generate::tactical::<C>(board, out);
}

#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn quiet<C: StaticSide>(board: &Board, out: &mut Moves) {
    generate::quiet::<C>(board, out);
}

#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn board_moves_to_for<C: StaticSide>(board: &Board, targets: Bitboard, free: Bitboard, out: &mut Moves) {
    generate::board_moves_to::<C>(board, targets, free, out);
}

#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn enemy_king_of<C: StaticSide>(board: &Board) -> EnemyKing {
    threats::enemy_king::<C>(board)
}

#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
#[inline(never)] // Keeps the loop over the last ply small enough for the instruction cache.
fn count_for<C: StaticSide>(board: &Board) -> u64 {
    count::count::<C>(board)
}

#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn is_mated_for<C: StaticSide>(board: &Board) -> bool {
    count::is_mated::<C>(board)
}

#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn descend<C: StaticSide>(board: &mut Board, lists: &mut [Moves]) -> u64 {
    leaves::descend::<C>(
        board,
        lists,
        |board| count_for::<C::Other>(board),
        |board, lists| descend::<C::Other>(board, lists),
    )
}

#[cfg(test)]
mod tests {
    use proptest::prelude::any;
    use tesuji_game::{Game, MoveList};
    use tesuji_laws::{for_all, hold, playout};

    use super::*;
    use crate::{Shogi, portable};

    #[test]
    fn both_kernels_agree() {
        let Some(avx2) = detect() else { return };
        for_all(64, proptest::collection::vec(any::<u16>(), 0..200), |choices| {
            playout(Shogi::start(), &choices, |game, _, _| {
                let (mut ours, mut theirs) = (Moves::default(), Moves::default());
                moves(avx2, &game.board, &mut ours);
                portable::moves(&game.board, &mut theirs);
                hold!(ours.as_slice() == theirs.as_slice(), "lists differ in {game:?}");
                board_moves(avx2, &game.board, &mut ours);
                portable::board_moves(&game.board, &mut theirs);
                hold!(ours.as_slice() == theirs.as_slice(), "moves on the board differ in {game:?}");
                if game.in_check() {
                    let mated = count(avx2, &game.board) == 0;
                    let found = [is_mated(avx2, &game.board), portable::is_mated(&game.board)];
                    hold!(found == [mated; 2], "mated {found:?} in {game:?}");
                } else {
                    tactical_moves(avx2, &game.board, &mut ours);
                    portable::tactical_moves(&game.board, &mut theirs);
                    hold!(ours.as_slice() == theirs.as_slice(), "captures and promotions differ in {game:?}");
                    quiet_moves(avx2, &game.board, &mut ours);
                    portable::quiet_moves(&game.board, &mut theirs);
                    hold!(ours.as_slice() == theirs.as_slice(), "quiet moves differ in {game:?}");
                    let (targets, free) = (Bitboard::ranks(0b0_1010_1010), Bitboard::ranks(0b1_0000_0011));
                    board_moves_to(avx2, &game.board, targets, free, &mut ours);
                    portable::board_moves_to(&game.board, targets, free, &mut theirs);
                    hold!(ours.as_slice() == theirs.as_slice(), "moves to some squares differ in {game:?}");
                }
                hold!(enemy_king(avx2, &game.board) == portable::enemy_king(&game.board), "kings differ in {game:?}");
                moves(avx2, &game.board, &mut ours);
                hold!(count(avx2, &game.board) == portable::count(&game.board), "counts differ in {game:?}");
                hold!(count(avx2, &game.board) == ours.len() as u64, "count and list differ in {game:?}");
                let mut board = game.board.clone();
                let leaves = [leaves(avx2, &mut board, 2), portable::leaves(&mut board, 2)];
                hold!(leaves[0] == leaves[1] && board == game.board, "leaves {leaves:?} in {game:?}");
                Ok(())
            })
        });
    }
}
