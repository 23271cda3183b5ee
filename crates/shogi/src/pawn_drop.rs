//! Uchifuzume: a pawn may not be dropped to give mate.

use crate::attacks::{attacked, attackers, threats};
use crate::bits::Bits;
use crate::board::Board;
use crate::class::Class;
use crate::colour::Colour;
use crate::tables::{KING, PAWN, line};

/// Of `targets`, the squares where a pawn of `C` may fall, the one where it would give mate: at most the
/// square before the other king.
#[inline(always)]
pub(crate) fn mating<C: Colour>(board: &Board, targets: Bits) -> Bits {
    let before = before_king::<C>(board) & targets;
    if before.any() && mates::<C>(board, before) { before } else { Bits::NONE }
}

/// The square from which a pawn of `C` attacks the other king.
#[inline(always)]
pub(crate) fn before_king<C: Colour>(board: &Board) -> Bits {
    PAWN[C::Other::SIDE.index()][board.king(C::Other::SIDE)]
}

/// Whether a pawn of `C` dropped on `before`, the square before the other king, leaves no reply.
///
/// Nothing fits between pawn and king, so the king must step away or the pawn be taken.
#[inline(always)]
fn mates<C: Colour>(board: &Board, before: Bits) -> bool {
    let king = board.king(C::Other::SIDE);
    let square = before.first();
    let occupied = board.occupied();
    let takers = attackers::<C::Other>(board, square, occupied) & !board.set(Class::King);
    if takers.any() {
        // A pinned piece may take only along the line of its pin, here the file of king and pawn.
        let bound = threats::<C::Other>(board).pinned & !line(king, square);
        if (takers & !bound).any() {
            return false;
        }
    }
    // The king no longer blocks the lines it flees along, and the pawn does.
    let after = (occupied ^ Bits::one(king)) | before;
    let flights = KING[king] & !board.side(C::Other::SIDE);
    (flights & !attacked::<C>(board, after)).is_empty()
}
