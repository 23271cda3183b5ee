//! Counting the replies to every move of one position, where most moves change nothing that matters.
//!
//! A silver stepping aside far from the other king, off every line, leaves the other side exactly the moves
//! on the board it had before. They are counted once, together with the squares where a change could matter;
//! only moves that touch one of these are looked at further.

use crate::bitboard::Bitboard;
use crate::board::{Board, PieceClass};
use crate::count::{drops, pawn_targets, unchecked};
use crate::pawn_drop::before_king;
use crate::side::StaticSide;
use crate::sliders::towards;
use crate::tables::{KING, NEAR, ONE, between, lines};
use crate::threats::{slider_attacks, sliders_towards, threats};
use crate::{Move, PieceKind};

/// What the other side could do if it were its move.
#[derive(Clone, Copy)]
pub(crate) struct Replies {
    /// Its moves on the board.
    moves: u64,
    /// Where a piece that comes or goes may change their number.
    fragile: Bitboard,
    /// Its king and the squares around.
    zone: Bitboard,
    /// The empty squares.
    open: Bitboard,
    /// The square from where its pawn would check.
    before_king: Bitboard,
}

impl Replies {
    /// The replies to a move of `C` that changes nothing. The other side is never in check when `C` moves.
    #[inline(always)]
    pub(crate) fn foresee<C: StaticSide>(board: &Board) -> Replies {
        let king = board.king(C::Other::SIDE);
        let zone = KING[king] | ONE[king];
        let occupied = board.occupied();
        // Captures; what is near the king; what lies on its side's lines, or shields it.
        let mut fragile =
            board.side(C::Other::SIDE) | NEAR[king] | slider_attacks::<C::Other>(board, occupied);
        for from in sliders_towards::<C>(board, king).indices() {
            fragile |= between(king, from);
        }
        // The line pieces of `C` that could see something of the zone, and what they see on the way there,
        // also behind the king.
        let liner = board.set(PieceClass::Lance)
            | board.set(PieceClass::Bishop)
            | board.set(PieceClass::Rook)
            | board.set(PieceClass::Horse)
            | board.set(PieceClass::Dragon);
        for from in (board.side(C::SIDE) & liner).indices() {
            let lines = board.lines::<C>(from);
            if (lines[from] & zone).any() {
                fragile |= ONE[from] | towards(from, lines[from], zone, occupied & !ONE[king]);
            }
        }
        // The king of `C`, where a pawn might be dropped before it.
        if board.hand(C::Other::SIDE, PieceKind::Pawn) != 0 {
            fragile |= ONE[board.king(C::SIDE)];
        }
        Replies {
            moves: unchecked::<C::Other>(board, threats::<C::Other>(board).pinned),
            fragile,
            zone,
            open: Bitboard::ALL & !occupied,
            before_king: before_king::<C::Other>(board),
        }
    }

    /// How many replies a move of `C` leaves; `None` when it has to be played to know.
    #[inline(always)]
    pub(crate) fn after<C: StaticSide>(&self, board: &Board, mv: Move) -> Option<u64> {
        let number = mv.to().index();
        let to = ONE[number];
        let (from, lines) = match mv.from() {
            Some(from) => (ONE[from.index()], board.lines::<C>(from.index())),
            None => (Bitboard::EMPTY, lines::<C>(mv.dropped_code())),
        };
        let open = (self.open | from) & !to;
        let mate = pawn_targets::<C::Other>(board, open) & self.before_king;
        if ((from | to) & self.fragile | lines[number] & self.zone | mate).any() {
            return None;
        }
        Some(self.moves + drops::<C::Other>(board, open))
    }
}
