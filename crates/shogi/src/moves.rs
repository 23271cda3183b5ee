//! Moves in 16 bits, and the list of legal moves.

use std::fmt;

use tesuji_game::MoveList;

use crate::{PieceKind, Square};

/// A move: a board move with or without promotion, or a drop.
///
/// Bits 0–6 are the target, 7–13 the origin or, from 90 on, the kind dropped, 14 the promotion.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Move(u16);

impl Move {
    const DROPS: usize = Square::INDICES;
    const PROMOTION: u16 = 1 << 14;
    /// The null move, for `undo`. No other move equals it.
    pub(crate) const PASS: Move = Move(u16::MAX);

    /// Moves the piece on `from` to `to`.
    #[inline(always)]
    pub const fn board(from: Square, to: Square, promote: bool) -> Move {
        Move(to.index() as u16 | (from.index() as u16) << 7 | (promote as u16) << 14)
    }

    /// Drops a piece from the hand. A promoted kind is demoted.
    #[inline(always)]
    pub const fn drop(kind: PieceKind, to: Square) -> Move {
        Move(to.index() as u16 | ((Move::DROPS + kind.unpromoted() as usize) as u16) << 7)
    }

    #[inline(always)]
    const fn origin(self) -> usize {
        (self.0 >> 7 & 127) as usize
    }

    /// The origin; `None` for a drop.
    #[inline(always)]
    pub const fn from(self) -> Option<Square> {
        if self.is_drop() { None } else { Some(Square::trust(self.origin())) }
    }

    /// The target.
    #[inline(always)]
    pub const fn to(self) -> Square {
        Square::trust((self.0 & 127) as usize)
    }

    /// Whether it is a drop.
    #[inline(always)]
    pub const fn is_drop(self) -> bool {
        self.origin() >= Move::DROPS
    }

    /// Whether the piece promotes.
    #[inline(always)]
    pub const fn promotes(self) -> bool {
        self.0 & Move::PROMOTION != 0
    }

    /// The code of the dropped kind; meaningless for a board move.
    #[inline(always)]
    pub(crate) const fn dropped_code(self) -> u8 {
        (self.origin() - Move::DROPS) as u8 & 7
    }

    /// The dropped kind; `None` for a board move.
    #[inline]
    pub const fn dropped(self) -> Option<PieceKind> {
        if self.is_drop() { PieceKind::of((self.origin() - Move::DROPS) as u8) } else { None }
    }
}

impl tesuji_game::Move for Move {
    #[inline]
    fn to_bits(self) -> u32 {
        u32::from(self.0)
    }

    #[inline]
    fn from_bits(bits: u32) -> Move {
        let to = Square::from_bits((bits & 127) as usize);
        let origin = (bits >> 7 & 127) as usize;
        match PieceKind::of(origin.saturating_sub(Move::DROPS) as u8) {
            Some(kind) if !kind.is_promoted() => Move::drop(kind, to),
            _ => Move::board(Square::from_bits(origin), to, bits & u32::from(Move::PROMOTION) != 0),
        }
    }
}

/// USI notation: `7g7f`, `8h2b+`, `P*5e`.
impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.from(), self.dropped()) {
            (Some(from), _) => {
                write!(f, "{from}{}{}", self.to(), if self.promotes() { "+" } else { "" })
            }
            (None, kind) => write!(f, "{}*{}", kind.map_or("?", PieceKind::letters), self.to()),
        }
    }
}

impl fmt::Debug for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// A list of legal moves in an inline array.
#[derive(Clone)]
pub struct Moves {
    len: usize,
    moves: [Move; Moves::MOST],
}

impl Moves {
    /// The capacity, enough for every position that [`Setup`](crate::Setup) accepts. With both kings there are at most
    /// 593 moves. Without kings: seven kinds in hand have 7·81 − 36 drops, and each piece on the board instead takes
    /// seven drops away and adds at most 32 moves (rook, bishop), 10 (silver, lance) or 8 (king): 600.
    pub const MOST: usize = 600;

    /// Clears the list.
    #[inline(always)]
    pub(crate) fn clear(&mut self) {
        self.len = 0;
    }

    /// Appends a move.
    #[inline(always)]
    pub(crate) fn push(&mut self, mv: Move) {
        if let Some(place) = self.moves.get_mut(self.len) {
            *place = mv;
            self.len += 1;
        }
    }

    /// The moves as a slice.
    #[inline(always)]
    pub fn as_slice(&self) -> &[Move] {
        self.moves.get(..self.len).unwrap_or_default()
    }
}

impl Default for Moves {
    fn default() -> Moves {
        Moves { len: 0, moves: [Move(0); Moves::MOST] }
    }
}

impl fmt::Debug for Moves {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.as_slice().fmt(f)
    }
}

impl MoveList for Moves {
    type Move = Move;

    #[inline]
    fn each(&self) -> impl Iterator<Item = Move> + '_ {
        self.as_slice().iter().copied()
    }

    #[inline]
    fn len(&self) -> usize {
        self.len
    }
}

#[cfg(test)]
mod tests {
    use tesuji_game::Move as _;

    use super::*;

    #[test]
    fn any_bits_are_a_move() {
        for bits in (0..=u32::from(u16::MAX)).chain([u32::MAX]) {
            let mv = Move::from_bits(bits);
            assert_eq!(Move::from_bits(mv.to_bits()), mv);
            assert_eq!(mv.is_drop(), mv.dropped().is_some());
            assert_eq!(mv.is_drop(), mv.from().is_none());
            assert!(!mv.to_string().contains('?'));
        }
    }
}
