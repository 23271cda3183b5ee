//! The kernels compiled for x86-64 machines with AVX2 and the bit instructions that came with it: the same
//! source as in `portable.rs`, where counting bits and finding the first take one instruction each.
#![allow(unsafe_code)] // Only to enter functions that need these instructions.

use tesuji_game::Side;
use tesuji_game::isa::{Isa, isa};

use crate::Moves;
use crate::board::Board;
use crate::colour::{Black, Colour, White};
use crate::{count, generate, leaves};

/// Replaces `out` by the legal moves.
pub(crate) fn moves(board: &Board, out: &mut Moves) {
    debug_assert_eq!(isa(), Isa::Avx2);
    // SAFETY: called only where `isa` has found these instructions.
    unsafe {
        match board.mover() {
            Side::First => generate::<Black>(board, out),
            Side::Second => generate::<White>(board, out),
        }
    }
}

/// The number of legal moves.
pub(crate) fn count(board: &Board) -> u64 {
    debug_assert_eq!(isa(), Isa::Avx2);
    // SAFETY: called only where `isa` has found these instructions.
    unsafe {
        match board.mover() {
            Side::First => count_for::<Black>(board),
            Side::Second => count_for::<White>(board),
        }
    }
}

/// The leaves of the tree `depth` plies down.
pub(crate) fn leaves(board: &mut Board, depth: u32) -> u64 {
    debug_assert_eq!(isa(), Isa::Avx2);
    // SAFETY: called only where `isa` has found these instructions.
    unsafe {
        match (depth, board.mover()) {
            (0, _) => 1,
            (1, _) => count(board),
            (_, Side::First) => descend::<Black>(board, &mut leaves::lists(depth)),
            (_, Side::Second) => descend::<White>(board, &mut leaves::lists(depth)),
        }
    }
}

#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn generate<C: Colour>(board: &Board, out: &mut Moves) {
    generate::generate::<C>(board, out);
}

#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
#[inline(never)]
fn count_for<C: Colour>(board: &Board) -> u64 {
    count::count::<C>(board)
}

#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn descend<C: Colour>(board: &mut Board, lists: &mut [Moves]) -> u64 {
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
    fn both_twins_count_and_list_alike() {
        if isa() != Isa::Avx2 {
            return;
        }
        for_all(64, proptest::collection::vec(any::<u16>(), 0..200), |choices| {
            playout(Shogi::start(), &choices, |game, _, _| {
                let (mut ours, mut theirs) = (Moves::default(), Moves::default());
                moves(&game.board, &mut ours);
                portable::moves(&game.board, &mut theirs);
                hold!(ours.as_slice() == theirs.as_slice(), "lists differ in {game:?}");
                hold!(count(&game.board) == portable::count(&game.board), "counts differ in {game:?}");
                hold!(count(&game.board) == ours.len() as u64, "count and list differ in {game:?}");
                let mut board = game.board.clone();
                let leaves = [leaves(&mut board, 2), portable::leaves(&mut board, 2)];
                hold!(leaves[0] == leaves[1] && board == game.board, "leaves {leaves:?} in {game:?}");
                Ok(())
            })
        });
    }
}
