//! Legality of a single move, with the rule that an illegal move breaks. For moves from outside; not used in searches.

use std::error::Error;
use std::fmt;

use tesuji_game::{Game, Side};

use crate::board::PieceClass;
use crate::piece::rank_from_far;
use crate::side::{Black, White};
use crate::threats::attacks_from;
use crate::{Move, PieceKind, Shogi, Square, kernel};

/// The rule a move breaks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum IllegalMove {
    /// The origin is empty.
    Empty(Square),
    /// The piece belongs to the other side.
    NotYours(Square),
    /// The target holds an own piece.
    OwnPiece(Square),
    /// The piece does not move there, or the way is blocked.
    Unreachable(PieceKind, Square, Square),
    /// The piece does not promote: gold, king, or promoted already.
    NeverPromotes(PieceKind),
    /// Promotion needs a move into, within or out of the three far ranks.
    OutsideZone(PieceKind),
    /// The piece could never move again.
    MustPromote(PieceKind, Square),
    /// The piece is not in hand.
    NotInHand(PieceKind),
    /// A drop on an occupied square.
    Occupied(Square),
    /// A drop where the piece could never move.
    DeadDrop(PieceKind, Square),
    /// Nifu: a second unpromoted pawn on the file.
    TwoPawns(u8),
    /// Uchifuzume: a pawn dropped to give mate.
    PawnDropMate,
    /// The own king would be attacked.
    KingAttacked,
    /// The own king stays in check.
    CheckIgnored,
}

impl Shogi {
    /// Why a move is illegal; `None` when it is legal.
    pub fn why_illegal(&self, mv: Move) -> Option<IllegalMove> {
        let broken = match (mv.from(), mv.dropped()) {
            (Some(from), _) => self.why_illegal_step(from, mv),
            (None, Some(kind)) => self.why_illegal_drop(kind, mv.to()),
            (None, None) => Some(IllegalMove::NotInHand(PieceKind::King)),
        };
        broken.or_else(|| {
            let mut after = self.board.clone();
            after.play(mv);
            if after.is_checked(self.mover()) {
                Some(if self.in_check() { IllegalMove::CheckIgnored } else { IllegalMove::KingAttacked })
            } else {
                let mate = mv.dropped() == Some(PieceKind::Pawn)
                    && after.is_checked(!self.mover())
                    && kernel::count(&after) == 0;
                mate.then_some(IllegalMove::PawnDropMate)
            }
        })
    }

    fn why_illegal_step(&self, from: Square, mv: Move) -> Option<IllegalMove> {
        let (side, to) = (self.mover(), mv.to());
        let Some(piece) = self.piece(from) else { return Some(IllegalMove::Empty(from)) };
        if piece.side != side {
            return Some(IllegalMove::NotYours(from));
        }
        if self.piece(to).is_some_and(|taken| taken.side == side) {
            return Some(IllegalMove::OwnPiece(to));
        }
        let occupied = self.board.occupied();
        let reached = match side {
            Side::First => attacks_from::<Black>(&self.board, from.index(), occupied),
            Side::Second => attacks_from::<White>(&self.board, from.index(), occupied),
        };
        let far = rank_from_far(side, to.rank());
        if !reached.has(to.index()) {
            Some(IllegalMove::Unreachable(piece.kind, from, to))
        } else if !mv.promotes() {
            (far <= piece.kind.dead_ranks()).then_some(IllegalMove::MustPromote(piece.kind, to))
        } else if piece.kind.promoted().is_none() {
            Some(IllegalMove::NeverPromotes(piece.kind))
        } else {
            let outside = far > 3 && rank_from_far(side, from.rank()) > 3;
            outside.then_some(IllegalMove::OutsideZone(piece.kind))
        }
    }

    fn why_illegal_drop(&self, kind: PieceKind, to: Square) -> Option<IllegalMove> {
        let side = self.mover();
        let pawns = self.board.set(PieceClass::Pawn) & self.board.side(side);
        if self.hand(side, kind) == 0 {
            Some(IllegalMove::NotInHand(kind))
        } else if self.piece(to).is_some() {
            Some(IllegalMove::Occupied(to))
        } else if rank_from_far(side, to.rank()) <= kind.dead_ranks() {
            Some(IllegalMove::DeadDrop(kind, to))
        } else if kind == PieceKind::Pawn && !pawns.files_without().has(to.index()) {
            Some(IllegalMove::TwoPawns(to.file()))
        } else {
            None
        }
    }
}

impl fmt::Display for IllegalMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            IllegalMove::Empty(square) => write!(f, "there is no piece on {square}"),
            IllegalMove::NotYours(square) => write!(f, "the piece on {square} is the other side's"),
            IllegalMove::OwnPiece(square) => write!(f, "an own piece stands on {square}"),
            IllegalMove::Unreachable(kind, from, to) => {
                write!(f, "the {} on {from} cannot go to {to}", kind.name())
            }
            IllegalMove::NeverPromotes(kind) => write!(f, "a {} does not promote", kind.name()),
            IllegalMove::OutsideZone(kind) => {
                write!(f, "the {} promotes only on a move into or out of the three far ranks", kind.name())
            }
            IllegalMove::MustPromote(kind, to) => {
                write!(f, "the {} could never move again from {to}: it must promote", kind.name())
            }
            IllegalMove::NotInHand(kind) => write!(f, "there is no {} in hand", kind.name()),
            IllegalMove::Occupied(square) => {
                write!(f, "{square} is occupied: pieces are dropped on empty squares")
            }
            IllegalMove::DeadDrop(kind, to) => write!(f, "a {} on {to} could never move", kind.name()),
            IllegalMove::TwoPawns(file) => {
                write!(f, "an unpromoted pawn stands on file {file} already (nifu)")
            }
            IllegalMove::PawnDropMate => write!(f, "a pawn may not be dropped to give mate (uchifuzume)"),
            IllegalMove::KingAttacked => write!(f, "the king would be left in check"),
            IllegalMove::CheckIgnored => write!(f, "the king is in check and would stay so"),
        }
    }
}

impl Error for IllegalMove {}
