//! Why a move cannot be played: the rule it breaks, in words. Asked only about moves from outside.

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
pub enum Objection {
    /// Nothing stands there.
    Empty(Square),
    /// The other side's piece stands there.
    NotYours(Square),
    /// An own piece stands on the target.
    OwnPiece(Square),
    /// The piece does not move so, or something is in its way.
    Unreachable(PieceKind, Square, Square),
    /// Nothing to promote: gold, king, or promoted already.
    NeverPromotes(PieceKind),
    /// Promotion needs a move into, within or out of the three far ranks.
    OutsideZone(PieceKind),
    /// The piece could never move again.
    MustPromote(PieceKind, Square),
    /// There is none in hand.
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
    /// The own king is in check and would stay so.
    CheckIgnored,
}

impl Shogi {
    /// What is wrong with a move; `None` when it is legal.
    pub fn objection(&self, mv: Move) -> Option<Objection> {
        let broken = match (mv.from(), mv.dropped()) {
            (Some(from), _) => self.step_objection(from, mv),
            (None, Some(kind)) => self.drop_objection(kind, mv.to()),
            (None, None) => Some(Objection::NotInHand(PieceKind::King)),
        };
        broken.or_else(|| {
            let mut after = self.board.clone();
            after.play(mv);
            if after.is_checked(self.mover()) {
                Some(if self.in_check() { Objection::CheckIgnored } else { Objection::KingAttacked })
            } else {
                let mate = mv.dropped() == Some(PieceKind::Pawn)
                    && after.is_checked(!self.mover())
                    && kernel::count(&after) == 0;
                mate.then_some(Objection::PawnDropMate)
            }
        })
    }

    fn step_objection(&self, from: Square, mv: Move) -> Option<Objection> {
        let (side, to) = (self.mover(), mv.to());
        let Some(piece) = self.piece(from) else { return Some(Objection::Empty(from)) };
        if piece.side != side {
            return Some(Objection::NotYours(from));
        }
        if self.piece(to).is_some_and(|taken| taken.side == side) {
            return Some(Objection::OwnPiece(to));
        }
        let occupied = self.board.occupied();
        let reached = match side {
            Side::First => attacks_from::<Black>(&self.board, from.index(), occupied),
            Side::Second => attacks_from::<White>(&self.board, from.index(), occupied),
        };
        let far = rank_from_far(side, to.rank());
        if !reached.has(to.index()) {
            Some(Objection::Unreachable(piece.kind, from, to))
        } else if !mv.promotes() {
            (far <= piece.kind.dead_ranks()).then_some(Objection::MustPromote(piece.kind, to))
        } else if piece.kind.promoted().is_none() {
            Some(Objection::NeverPromotes(piece.kind))
        } else {
            let outside = far > 3 && rank_from_far(side, from.rank()) > 3;
            outside.then_some(Objection::OutsideZone(piece.kind))
        }
    }

    fn drop_objection(&self, kind: PieceKind, to: Square) -> Option<Objection> {
        let side = self.mover();
        let pawns = self.board.set(PieceClass::Pawn) & self.board.side(side);
        if self.hand(side, kind) == 0 {
            Some(Objection::NotInHand(kind))
        } else if self.piece(to).is_some() {
            Some(Objection::Occupied(to))
        } else if rank_from_far(side, to.rank()) <= kind.dead_ranks() {
            Some(Objection::DeadDrop(kind, to))
        } else if kind == PieceKind::Pawn && !pawns.files_without().has(to.index()) {
            Some(Objection::TwoPawns(to.file()))
        } else {
            None
        }
    }
}

impl fmt::Display for Objection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Objection::Empty(square) => write!(f, "there is no piece on {square}"),
            Objection::NotYours(square) => write!(f, "the piece on {square} is the other side's"),
            Objection::OwnPiece(square) => write!(f, "an own piece stands on {square}"),
            Objection::Unreachable(kind, from, to) => {
                write!(f, "the {} on {from} cannot go to {to}", kind.name())
            }
            Objection::NeverPromotes(kind) => write!(f, "a {} does not promote", kind.name()),
            Objection::OutsideZone(kind) => {
                write!(f, "the {} promotes only on a move into or out of the three far ranks", kind.name())
            }
            Objection::MustPromote(kind, to) => {
                write!(f, "the {} could never move again from {to}: it must promote", kind.name())
            }
            Objection::NotInHand(kind) => write!(f, "there is no {} in hand", kind.name()),
            Objection::Occupied(square) => {
                write!(f, "{square} is occupied: pieces are dropped on empty squares")
            }
            Objection::DeadDrop(kind, to) => write!(f, "a {} on {to} could never move", kind.name()),
            Objection::TwoPawns(file) => {
                write!(f, "an unpromoted pawn stands on file {file} already (nifu)")
            }
            Objection::PawnDropMate => write!(f, "a pawn may not be dropped to give mate (uchifuzume)"),
            Objection::KingAttacked => write!(f, "the king would be left in check"),
            Objection::CheckIgnored => write!(f, "the king is in check and would stay so"),
        }
    }
}

impl Error for Objection {}
