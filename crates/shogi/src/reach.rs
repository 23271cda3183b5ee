//! Where one piece could go, its own side's pieces and the king's safety apart.

use crate::Kind;
use crate::Square;
use crate::bits::Bits;
use crate::board::Board;
use crate::colour::Colour;
use crate::sliders::{bishop, rook};
use crate::tables::{CROSS, GOLD, KING, KNIGHT, PAWN, SALTIRE, SILVER};

/// What the piece of `C` on `from` attacks.
#[inline(always)]
pub(crate) fn reach<C: Colour>(board: &Board, from: usize, occupied: Bits) -> Bits {
    let side = C::SIDE.index();
    match board.kind(Square::trust(from)) {
        Kind::Pawn => PAWN[side][from],
        Kind::Lance => C::lance(from, occupied),
        Kind::Knight => KNIGHT[side][from],
        Kind::Silver => SILVER[side][from],
        Kind::Bishop => bishop(from, occupied),
        Kind::Rook => rook(from, occupied),
        Kind::King => KING[from],
        Kind::Horse => bishop(from, occupied) | CROSS[from],
        Kind::Dragon => rook(from, occupied) | SALTIRE[from],
        _ => GOLD[side][from],
    }
}
