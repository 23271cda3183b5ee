//! Uchifuzume: a pawn may not be dropped to give mate.

use crate::bitboard::Bitboard;
use crate::board::{Board, PieceClass};
use crate::side::StaticSide;
use crate::tables::{KING, PAWN, line};
use crate::threats::{attacked, attackers, threats};

/// The square among `targets` where a pawn drop of `C` would mate: at most the square in front of the other king.
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

/// Whether a pawn drop of `C` on `before`, the square in front of the other king, leaves no reply.
///
/// Interposition is impossible, so the king must move or the pawn must be captured.
#[inline(always)]
fn mates<C: StaticSide>(board: &Board, before: Bitboard) -> bool {
    let king = board.king(C::Other::SIDE);
    let square = before.first();
    let occupied = board.occupied();
    let takers = attackers::<C::Other>(board, square, occupied) & !board.set(PieceClass::King);
    if takers.any() {
        // A pinned piece may capture only along its pin, here the file of king and pawn.
        let pinned = threats::<C::Other>(board).pinned & !line(king, square);
        if (takers & !pinned).any() {
            return false;
        }
    }
    // The king does not block the lines along which it flees, but the pawn does.
    let after = (occupied ^ Bitboard::one(king)) | before;
    let flights = KING[king] & !board.side(C::Other::SIDE);
    (flights & !attacked::<C>(board, after)).is_empty()
}
