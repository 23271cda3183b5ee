//! Who attacks what: one square seen from there, or everything a side attacks at once.

use tesuji_game::Side;

use crate::bits::Bits;
use crate::board::Board;
use crate::class::Class;
use crate::colour::{Black, Colour, White};
use crate::sliders::{bishop, rook};
use crate::tables::{
    CROSS, DIAGONALS, FORWARD, GOLD, KING, KNIGHT, NO_KING, ONE, PAWN, SALTIRE, SILVER, STRAIGHTS, between,
};

/// What stands against the mover's king.
#[derive(Clone, Copy)]
pub(crate) struct Threats {
    /// The pieces that give check.
    pub checkers: Bits,
    /// The king's own pieces that alone shield it from a line piece.
    pub pinned: Bits,
}

/// The pieces of `C` that attack a square, with these squares occupied.
#[inline(always)]
pub(crate) fn attackers<C: Colour>(board: &Board, to: usize, occupied: Bits) -> Bits {
    // A piece attacks `to` from where a like piece of the other side on `to` would attack it.
    let back = C::Other::SIDE.index();
    let mut all = PAWN[back][to] & board.set(Class::Pawn)
        | KNIGHT[back][to] & board.set(Class::Knight)
        | SILVER[back][to] & board.set(Class::Silver)
        | GOLD[back][to] & board.set(Class::Golden)
        | KING[to] & board.set(Class::King)
        | CROSS[to] & board.set(Class::Horse)
        | SALTIRE[to] & board.set(Class::Dragon);
    for from in liners::<C>(board, to) {
        if (between(to, from) & occupied).is_empty() {
            all |= ONE[from];
        }
    }
    all & board.side(C::SIDE)
}

/// The line pieces of `C` that would attack a square on an empty board.
#[inline(always)]
pub(crate) fn liners<C: Colour>(board: &Board, to: usize) -> Bits {
    let diagonal = DIAGONALS[to] & (board.set(Class::Bishop) | board.set(Class::Horse));
    let straight = STRAIGHTS[to] & (board.set(Class::Rook) | board.set(Class::Dragon));
    let behind = FORWARD[C::Other::SIDE.index()][to] & board.set(Class::Lance);
    (diagonal | straight | behind) & board.side(C::SIDE)
}

/// What stands against the king of `C`; nothing against one that is not there.
#[inline(always)]
pub(crate) fn threats<C: Colour>(board: &Board) -> Threats {
    let king = board.king(C::SIDE);
    let own = C::SIDE.index();
    let steps = PAWN[own][king] & board.set(Class::Pawn)
        | KNIGHT[own][king] & board.set(Class::Knight)
        | SILVER[own][king] & board.set(Class::Silver)
        | GOLD[own][king] & board.set(Class::Golden)
        | CROSS[king] & board.set(Class::Horse)
        | SALTIRE[king] & board.set(Class::Dragon);
    let mut checkers = steps & board.side(C::Other::SIDE);
    let mut pinned = Bits::NONE;
    let occupied = board.occupied();
    for from in liners::<C::Other>(board, king) {
        let shields = between(king, from) & occupied;
        if shields.is_empty() {
            checkers |= ONE[from];
        } else if !shields.many() {
            pinned |= shields;
        }
    }
    Threats { checkers, pinned: pinned & board.side(C::SIDE) }
}

/// All that `C` attacks, with these squares occupied; bits outside the board may be set.
#[inline(always)]
pub(crate) fn attacked<C: Colour>(board: &Board, occupied: Bits) -> Bits {
    let own = board.side(C::SIDE);
    let silver = own & board.set(Class::Silver);
    let golden = own & board.set(Class::Golden);
    let dragon = own & board.set(Class::Dragon);
    let knight = own & board.set(Class::Knight);
    let cross = golden | own & board.set(Class::Horse);
    let ahead = silver | golden | dragon;
    let behind = silver | dragon;
    C::forward(cross | silver | own & board.set(Class::Pawn))
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
        | seen::<C>(board, occupied)
}

/// All that `C` attacks along lines, up to and with the first piece; bits outside the board may be set.
#[inline(always)]
pub(crate) fn seen<C: Colour>(board: &Board, occupied: Bits) -> Bits {
    let own = board.side(C::SIDE);
    let mut all = C::lances(own & board.set(Class::Lance), occupied);
    for from in own & (board.set(Class::Bishop) | board.set(Class::Horse)) {
        all |= bishop(from, occupied);
    }
    for from in own & (board.set(Class::Rook) | board.set(Class::Dragon)) {
        all |= rook(from, occupied);
    }
    all
}

impl Board {
    /// The pieces of `side` that attack a square, with these squares occupied.
    pub(crate) fn attackers(&self, to: usize, side: Side, occupied: Bits) -> Bits {
        match side {
            Side::First => attackers::<Black>(self, to, occupied),
            Side::Second => attackers::<White>(self, to, occupied),
        }
    }

    /// Whether the king of `side` is attacked; a king that is not there is not.
    pub(crate) fn is_checked(&self, side: Side) -> bool {
        let king = self.king(side);
        king != NO_KING && self.attackers(king, !side, self.occupied()).any()
    }
}
