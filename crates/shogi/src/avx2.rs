//! The kernels compiled for x86-64 machines with AVX2 and the bit instructions that came with it: the same
//! source as in `portable.rs`, where counting bits and finding the first take one instruction each.
#![allow(unsafe_code)] // Only to enter functions that need these instructions.

use tesuji_game::Side;
use tesuji_game::isa::{Isa, isa};

use crate::Moves;
use crate::board::Board;
use crate::side::{Black, StaticSide, White};
use crate::{count, generate, leaves};

/// Proof that this machine has these instructions: only [`found`] makes one.
#[derive(Clone, Copy)]
pub(crate) struct Found(());

/// Whether the functions below may be called.
#[inline]
pub(crate) fn found() -> Option<Found> {
    (isa() == Isa::Avx2).then_some(Found(()))
}

/// Replaces `out` by the legal moves.
pub(crate) fn moves(Found(()): Found, board: &Board, out: &mut Moves) {
    // SAFETY: the instructions were found.
    unsafe {
        match board.mover() {
            Side::First => generate::<Black>(board, out),
            Side::Second => generate::<White>(board, out),
        }
    }
}

/// The number of legal moves.
pub(crate) fn count(Found(()): Found, board: &Board) -> u64 {
    // SAFETY: the instructions were found.
    unsafe {
        match board.mover() {
            Side::First => count_for::<Black>(board),
            Side::Second => count_for::<White>(board),
        }
    }
}

/// The leaves of the tree `depth` plies down.
pub(crate) fn leaves(found: Found, board: &mut Board, depth: u32) -> u64 {
    let lists = &mut leaves::lists(depth);
    match (depth, board.mover()) {
        (0, _) => 1,
        (1, _) => count(found, board),
        // SAFETY: the instructions were found.
        (_, Side::First) => unsafe { descend::<Black>(board, lists) },
        // SAFETY: the instructions were found.
        (_, Side::Second) => unsafe { descend::<White>(board, lists) },
    }
}

#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn generate<C: StaticSide>(board: &Board, out: &mut Moves) {
    generate::generate::<C>(board, out);
}

#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
#[inline(never)] // Once per colour: the loop over a last ply stays small enough for the instruction cache.
fn count_for<C: StaticSide>(board: &Board) -> u64 {
    count::count::<C>(board)
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
    fn both_twins_count_and_list_alike() {
        let Some(found) = found() else { return };
        for_all(64, proptest::collection::vec(any::<u16>(), 0..200), |choices| {
            playout(Shogi::start(), &choices, |game, _, _| {
                let (mut ours, mut theirs) = (Moves::default(), Moves::default());
                moves(found, &game.board, &mut ours);
                portable::moves(&game.board, &mut theirs);
                hold!(ours.as_slice() == theirs.as_slice(), "lists differ in {game:?}");
                hold!(count(found, &game.board) == portable::count(&game.board), "counts differ in {game:?}");
                hold!(count(found, &game.board) == ours.len() as u64, "count and list differ in {game:?}");
                let mut board = game.board.clone();
                let leaves = [leaves(found, &mut board, 2), portable::leaves(&mut board, 2)];
                hold!(leaves[0] == leaves[1] && board == game.board, "leaves {leaves:?} in {game:?}");
                Ok(())
            })
        });
    }
}
