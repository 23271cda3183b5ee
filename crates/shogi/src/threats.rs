//! Attacks on a board: attackers of a square, checkers and pins, all squares that a side attacks.

use tesuji_game::Side;

use crate::bitboard::Bitboard;
use crate::board::{Board, PieceClass};
use crate::side::{Black, StaticSide, White};
use crate::sliders::{bishop, rook};
use crate::tables::{
    CROSS, DIAGONALS, FORWARD, GOLD, KING, KNIGHT, NO_KING, ONE, PAWN, SALTIRE, SILVER, STRAIGHTS, between,
};

use crate::{PieceKind, Square};

/// The threats against a king.
#[derive(Clone, Copy)]
pub(crate) struct KingThreats {
    /// The pieces that give check.
    pub checkers: Bitboard,
    /// The king's own pieces that are pinned: each alone shields it from a slider.
    pub pinned: Bitboard,
}

/// The squares that the piece of `C` on `from` attacks.
#[inline(always)]
pub(crate) fn attacks_from<C: StaticSide>(board: &Board, from: usize, occupied: Bitboard) -> Bitboard {
    let side = C::SIDE.index();
    match board.kind(Square::trust(from)) {
        PieceKind::Pawn => PAWN[side][from],
        PieceKind::Lance => C::lance(from, occupied),
        PieceKind::Knight => KNIGHT[side][from],
        PieceKind::Silver => SILVER[side][from],
        PieceKind::Bishop => bishop(from, occupied),
        PieceKind::Rook => rook(from, occupied),
        PieceKind::King => KING[from],
        PieceKind::Horse => bishop(from, occupied) | CROSS[from],
        PieceKind::Dragon => rook(from, occupied) | SALTIRE[from],
        _ => GOLD[side][from],
    }
}

/// The pieces of `C` that attack a square, with these squares occupied.
#[inline(always)]
pub(crate) fn attackers<C: StaticSide>(board: &Board, to: usize, occupied: Bitboard) -> Bitboard {
    // A piece attacks `to` from where a like piece of the other side on `to` would attack it.
    let back = C::Other::SIDE.index();
    let mut all = PAWN[back][to] & board.set(PieceClass::Pawn)
        | KNIGHT[back][to] & board.set(PieceClass::Knight)
        | SILVER[back][to] & board.set(PieceClass::Silver)
        | GOLD[back][to] & board.set(PieceClass::Golden)
        | KING[to] & board.set(PieceClass::King)
        | CROSS[to] & board.set(PieceClass::Horse)
        | SALTIRE[to] & board.set(PieceClass::Dragon);
    for from in sliders_towards::<C>(board, to).indices() {
        if (between(to, from) & occupied).is_empty() {
            all |= ONE[from];
        }
    }
    all & board.side(C::SIDE)
}

/// The sliders of `C` that would attack a square on an empty board.
#[inline(always)]
pub(crate) fn sliders_towards<C: StaticSide>(board: &Board, to: usize) -> Bitboard {
    let diagonal = DIAGONALS[to] & (board.set(PieceClass::Bishop) | board.set(PieceClass::Horse));
    let straight = STRAIGHTS[to] & (board.set(PieceClass::Rook) | board.set(PieceClass::Dragon));
    let behind = FORWARD[C::Other::SIDE.index()][to] & board.set(PieceClass::Lance);
    (diagonal | straight | behind) & board.side(C::SIDE)
}

/// The threats against the king of `C`; none against a missing king.
#[inline(always)]
pub(crate) fn threats<C: StaticSide>(board: &Board) -> KingThreats {
    let king = board.king(C::SIDE);
    let own = C::SIDE.index();
    let steps = PAWN[own][king] & board.set(PieceClass::Pawn)
        | KNIGHT[own][king] & board.set(PieceClass::Knight)
        | SILVER[own][king] & board.set(PieceClass::Silver)
        | GOLD[own][king] & board.set(PieceClass::Golden)
        | CROSS[king] & board.set(PieceClass::Horse)
        | SALTIRE[king] & board.set(PieceClass::Dragon);
    let mut checkers = steps & board.side(C::Other::SIDE);
    let mut pinned = Bitboard::EMPTY;
    let occupied = board.occupied();
    for from in sliders_towards::<C::Other>(board, king).indices() {
        let shields = between(king, from) & occupied;
        if shields.is_empty() {
            checkers |= ONE[from];
        } else if !shields.more_than_one() {
            pinned |= shields;
        }
    }
    KingThreats { checkers, pinned: pinned & board.side(C::SIDE) }
}

/// All squares that `C` attacks, with these squares occupied. Bits outside the board may be set.
#[inline(always)]
pub(crate) fn attacked<C: StaticSide>(board: &Board, occupied: Bitboard) -> Bitboard {
    let own = board.side(C::SIDE);
    let silver = own & board.set(PieceClass::Silver);
    let golden = own & board.set(PieceClass::Golden);
    let dragon = own & board.set(PieceClass::Dragon);
    let knight = own & board.set(PieceClass::Knight);
    let cross = golden | own & board.set(PieceClass::Horse);
    let ahead = silver | golden | dragon;
    let behind = silver | dragon;
    C::forward(cross | silver | own & board.set(PieceClass::Pawn))
        | C::forward_left(ahead)
        | C::forward_right(ahead)
        | C::left(cross)
        | C::right(cross)
        | C::back(cross)
        | C::back_left(behind)
        | C::back_right(behind)
        | C::jump_left(knight)
        | C::jump_right(knight)
        | KING[board.king(C::SIDE)]
        | slider_attacks::<C>(board, occupied)
}

/// All squares that the sliders of `C` attack. Bits outside the board may be set.
#[inline(always)]
pub(crate) fn slider_attacks<C: StaticSide>(board: &Board, occupied: Bitboard) -> Bitboard {
    let own = board.side(C::SIDE);
    let mut all = C::lances(own & board.set(PieceClass::Lance), occupied);
    for from in (own & (board.set(PieceClass::Bishop) | board.set(PieceClass::Horse))).indices() {
        all |= bishop(from, occupied);
    }
    for from in (own & (board.set(PieceClass::Rook) | board.set(PieceClass::Dragon))).indices() {
        all |= rook(from, occupied);
    }
    all
}

/// The other side's king, as the mover attacks it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct EnemyKing {
    /// The squares to which the king could step if it were its turn.
    pub flights: Bitboard,
    /// The squares that the mover's sliders attack, also through the king. A piece that leaves one of them may open a
    /// line.
    pub slider_attacks: Bitboard,
    /// The mover's pieces that alone stand between a slider of the mover and the king.
    pub blockers: Bitboard,
}

/// The king of `C`'s opponent, which must exist.
#[inline(always)]
pub(crate) fn enemy_king<C: StaticSide>(board: &Board) -> EnemyKing {
    let king = board.king(C::Other::SIDE);
    let occupied = board.occupied();
    let mut blockers = Bitboard::EMPTY;
    for from in sliders_towards::<C>(board, king).indices() {
        let shields = between(king, from) & occupied;
        if !shields.more_than_one() {
            blockers |= shields;
        }
    }
    let through = occupied & !ONE[king];
    let flights = KING[king] & !board.side(C::Other::SIDE) & !attacked::<C>(board, through);
    EnemyKing { flights, slider_attacks: slider_attacks::<C>(board, through), blockers: blockers & board.side(C::SIDE) }
}

impl Board {
    /// The pieces of `side` that attack a square, with these squares occupied.
    pub(crate) fn attackers(&self, to: usize, side: Side, occupied: Bitboard) -> Bitboard {
        match side {
            Side::First => attackers::<Black>(self, to, occupied),
            Side::Second => attackers::<White>(self, to, occupied),
        }
    }

    /// Whether the king of `side` is in check; a missing king is not.
    pub(crate) fn is_checked(&self, side: Side) -> bool {
        let king = self.king(side);
        king != NO_KING && self.attackers(king, !side, self.occupied()).any()
    }
}
