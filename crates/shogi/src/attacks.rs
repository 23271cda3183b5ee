//! Who attacks what.

use tesuji_game::Side;

use crate::bits::Bits;
use crate::board::{Board, Class};
use crate::sliders::{bishop, lance, rook};
use crate::tables::{CROSS, GOLD, KING, KNIGHT, NO_KING, PAWN, SALTIRE, SILVER};

impl Board {
    /// The pieces of `side` that attack a square, seen from that square, with these squares occupied.
    #[inline(always)]
    pub(crate) fn attackers(&self, to: usize, side: Side, occupied: Bits) -> Bits {
        // A piece of `side` attacks `to` where a like piece of the other side on `to` would attack it.
        let back = (!side).index();
        let diagonal = self.set(Class::Bishop) | self.set(Class::Horse);
        let straight = self.set(Class::Rook) | self.set(Class::Dragon);
        let behind = match side {
            Side::First => lance::<false>(to, occupied),
            Side::Second => lance::<true>(to, occupied),
        };
        let all = PAWN[back][to] & self.set(Class::Pawn)
            | KNIGHT[back][to] & self.set(Class::Knight)
            | SILVER[back][to] & self.set(Class::Silver)
            | GOLD[back][to] & self.set(Class::Golden)
            | KING[to] & self.set(Class::King)
            | CROSS[to] & self.set(Class::Horse)
            | SALTIRE[to] & self.set(Class::Dragon)
            | behind & self.set(Class::Lance)
            | bishop(to, occupied) & diagonal
            | rook(to, occupied) & straight;
        all & self.side(side)
    }

    /// Whether the king of `side` is attacked; a king that is not there is not.
    pub(crate) fn is_checked(&self, side: Side) -> bool {
        let king = self.king(side);
        king != NO_KING && self.attackers(king, !side, self.occupied()).any()
    }
}
