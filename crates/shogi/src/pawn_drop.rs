//! Uchifuzume: a pawn may not be dropped to give mate.

use crate::bitboard::Bitboard;
use crate::board::{Board, PieceClass};
use crate::side::StaticSide;
use crate::tables::{KING, PAWN, line};
use crate::threats::{attacked, attackers, threats};

/// Of `targets`, the squares where a pawn of `C` may fall, the one where it would give mate: at most the
/// square before the other king.
#[inline(always)]
pub(crate) fn mating<C: StaticSide>(board: &Board, targets: Bitboard) -> Bitboard {
    let before = before_king::<C>(board) & targets;
    if before.any() && mates::<C>(board, before) { before } else { Bitboard::EMPTY }
}

/// The square from which a pawn of `C` attacks the other king.
#[inline(always)]
pub(crate) fn before_king<C: StaticSide>(board: &Board) -> Bitboard {
    PAWN[C::Other::SIDE.index()][board.king(C::Other::SIDE)]
}

/// Whether a pawn of `C` dropped on `before`, the square before the other king, leaves no reply.
///
/// Nothing fits between pawn and king, so the king must step away or the pawn be taken.
#[inline(always)]
fn mates<C: StaticSide>(board: &Board, before: Bitboard) -> bool {
    let king = board.king(C::Other::SIDE);
    let square = before.first();
    let occupied = board.occupied();
    let takers = attackers::<C::Other>(board, square, occupied) & !board.set(PieceClass::King);
    if takers.any() {
        // A pinned piece may take only along the line of its pin, here the file of king and pawn.
        let bound = threats::<C::Other>(board).pinned & !line(king, square);
        if (takers & !bound).any() {
            return false;
        }
    }
    // The king no longer blocks the lines it flees along, and the pawn does.
    let after = (occupied ^ Bitboard::one(king)) | before;
    let flights = KING[king] & !board.side(C::Other::SIDE);
    (flights & !attacked::<C>(board, after)).is_empty()
}
