//! A start position while it is being read: pieces put on squares and into hands, not yet checked.

use tesuji_game::{Game, RecordError, Side};

use crate::{Piece, PieceKind, Setup, Shogi, Square};

/// An unchecked board.
#[derive(Clone, Debug)]
pub(super) struct Diagram {
    squares: [[Option<Piece>; 9]; 9],
    hands: [[u32; PieceKind::HAND.len()]; 2],
    /// The side to move.
    pub(super) mover: Side,
    /// The number of the next move, from 1.
    pub(super) number: u32,
}

impl Diagram {
    /// An empty board.
    pub(super) fn empty() -> Diagram {
        Diagram { squares: [[None; 9]; 9], hands: [[0; PieceKind::HAND.len()]; 2], mover: Side::First, number: 1 }
    }

    /// The pieces of a position.
    pub(super) fn of(position: &Shogi) -> Diagram {
        let mut diagram = Diagram { mover: position.mover(), number: position.number(), ..Diagram::empty() };
        for square in Square::all() {
            *diagram.at_mut(square) = position.piece(square);
        }
        for side in Side::BOTH {
            diagram.hands[side.index()] = PieceKind::HAND.map(|kind| position.hand(side, kind));
        }
        diagram
    }

    /// The same with this side to move.
    pub(super) fn moved_by(self, mover: Side) -> Diagram {
        Diagram { mover, ..self }
    }

    /// The piece on a square.
    pub(super) fn at(&self, square: Square) -> Option<Piece> {
        self.squares[usize::from(square.rank() - 1)][usize::from(square.file() - 1)]
    }

    /// The place of a square.
    pub(super) fn at_mut(&mut self, square: Square) -> &mut Option<Piece> {
        &mut self.squares[usize::from(square.rank() - 1)][usize::from(square.file() - 1)]
    }

    /// The hand of a side, the strongest piece first.
    pub(super) fn hand(&self, side: Side) -> impl Iterator<Item = (PieceKind, u32)> {
        PieceKind::HAND.into_iter().zip(self.hands[side.index()]).filter(|&(_, count)| count > 0)
    }

    /// Adds pieces to a hand; `false` for kinds that cannot be in hand, or for too many.
    #[must_use]
    pub(super) fn give(&mut self, side: Side, kind: PieceKind, count: u32) -> bool {
        let Some(place) = PieceKind::HAND.iter().position(|&held| held == kind) else { return false };
        if count > self.left(kind) {
            return false;
        }
        self.hands[side.index()][place] += count;
        true
    }

    /// Adds all remaining pieces of the set except kings to a hand.
    pub(super) fn give_rest(&mut self, side: Side) {
        for (place, kind) in PieceKind::HAND.into_iter().enumerate() {
            self.hands[side.index()][place] += self.left(kind);
        }
    }

    /// The number of pieces of an unpromoted kind that are neither on the board nor in a hand.
    fn left(&self, kind: PieceKind) -> u32 {
        let board = self.squares.iter().flatten().flatten().filter(|piece| piece.kind.unpromoted() == kind);
        let held = Side::BOTH.into_iter().flat_map(|side| self.hand(side)).filter(|&(held, _)| held == kind);
        kind.supply().saturating_sub(board.count() as u32 + held.map(|(_, count)| count).sum::<u32>())
    }

    /// Checks the board and builds the position.
    pub(super) fn position(&self) -> Result<Shogi, RecordError> {
        let mut setup = Setup::new();
        for square in Square::all() {
            if let Some(piece) = self.at(square) {
                setup.put(square, piece);
            }
        }
        for side in Side::BOTH {
            for (kind, count) in self.hand(side) {
                setup.hand(side, kind, count);
            }
        }
        let built = setup.side(self.mover).number(self.number).build();
        built.map_err(|error| RecordError::outside("start position", error.to_string()))
    }
}
