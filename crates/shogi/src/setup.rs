//! Building a position piece by piece, with checks.

use std::error::Error;
use std::fmt;

use tesuji_game::Side;

use crate::board::Board;
use crate::piece::rank_from_far;
use crate::tables::NO_KING;
use crate::{Piece, PieceKind, Shogi, Square};

/// A builder for positions. Pieces, also kings, may be missing, as in handicap games and problems.
#[derive(Clone, Debug)]
pub struct Setup {
    squares: Vec<(Square, Piece)>,
    hands: [[u32; 8]; 2],
    not_for_hands: Option<PieceKind>,
    side: Side,
    number: u32,
}

/// Why a setup is not a valid position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SetupError {
    /// Two pieces on one square.
    Occupied(Square),
    /// A piece that cannot be held in hand.
    NotForHands(PieceKind),
    /// More pieces of a kind than in a set.
    TooMany(PieceKind),
    /// Two kings of one side.
    TwoKings(Side),
    /// Two unpromoted pawns of one side on a file.
    TwoPawns(Side, u8),
    /// A piece that could never move.
    Dead(Square, PieceKind),
    /// The side that has just moved is in check.
    CheckLeft(Side),
}

impl Setup {
    /// An empty board, black to move.
    pub fn new() -> Setup {
        Setup { squares: Vec::new(), hands: [[0; 8]; 2], not_for_hands: None, side: Side::First, number: 1 }
    }

    /// Puts a piece on a square.
    pub fn put(&mut self, square: Square, piece: Piece) -> &mut Setup {
        self.squares.push((square, piece));
        self
    }

    /// Adds `count` pieces to a hand.
    pub fn hand(&mut self, side: Side, kind: PieceKind, count: u32) -> &mut Setup {
        if PieceKind::HAND.contains(&kind) {
            let held = &mut self.hands[side.index()][kind as usize];
            *held = held.saturating_add(count);
        } else {
            self.not_for_hands = Some(kind);
        }
        self
    }

    /// Sets the side to move.
    pub fn side(&mut self, side: Side) -> &mut Setup {
        self.side = side;
        self
    }

    /// Sets the number of the next move, from 1.
    pub fn number(&mut self, number: u32) -> &mut Setup {
        self.number = number;
        self
    }

    /// Checks the setup and builds the position.
    ///
    /// # Errors
    /// The setup breaks a rule.
    pub fn build(&self) -> Result<Shogi, SetupError> {
        if let Some(kind) = self.not_for_hands {
            return Err(SetupError::NotForHands(kind));
        }
        let mut used = [0_u32; 9];
        for held in self.hands {
            for kind in PieceKind::HAND {
                used[kind as usize] = used[kind as usize].saturating_add(held[kind as usize]);
            }
        }
        let mut board = Board::empty(self.side);
        let mut pawns = [[false; 10]; 2];
        for &(square, piece) in &self.squares {
            let Piece { side, kind } = piece;
            if board.piece(square).is_some() {
                return Err(SetupError::Occupied(square));
            }
            if kind == PieceKind::King && board.king(side) != NO_KING {
                return Err(SetupError::TwoKings(side));
            }
            if rank_from_far(side, square.rank()) <= kind.dead_ranks() {
                return Err(SetupError::Dead(square, kind));
            }
            if kind == PieceKind::Pawn && std::mem::replace(&mut pawns[side.index()][usize::from(square.file())], true)
            {
                return Err(SetupError::TwoPawns(side, square.file()));
            }
            used[kind.unpromoted() as usize] = used[kind.unpromoted() as usize].saturating_add(1);
            board.put(square, piece);
        }
        if let Some(kind) = PieceKind::HAND.into_iter().find(|&kind| used[kind as usize] > kind.supply()) {
            return Err(SetupError::TooMany(kind));
        }
        for side in Side::BOTH {
            for kind in PieceKind::HAND {
                board.give(side, kind, self.hands[side.index()][kind as usize] as u8);
            }
        }
        if board.is_checked(!self.side) {
            return Err(SetupError::CheckLeft(!self.side));
        }
        Ok(Shogi::of(board, self.number))
    }
}

impl Default for Setup {
    fn default() -> Setup {
        Setup::new()
    }
}

/// The name of a side.
pub(crate) const fn colour(side: Side) -> &'static str {
    match side {
        Side::First => "black",
        Side::Second => "white",
    }
}

impl fmt::Display for SetupError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            SetupError::Occupied(square) => write!(f, "two pieces stand on {square}"),
            SetupError::NotForHands(kind) => write!(f, "a {} cannot be held in hand", kind.name()),
            SetupError::TooMany(kind) => {
                write!(f, "there are only {} {}s in a set of pieces", kind.supply(), kind.name())
            }
            SetupError::TwoKings(side) => write!(f, "{} has two kings", colour(side)),
            SetupError::TwoPawns(side, file) => {
                write!(f, "{} has two unpromoted pawns on file {file} (nifu)", colour(side))
            }
            SetupError::Dead(square, kind) => {
                write!(f, "the {} on {square} could never move; it must be promoted there", kind.name())
            }
            SetupError::CheckLeft(side) => {
                write!(f, "{} is in check, but it is the other side's move", colour(side))
            }
        }
    }
}

impl Error for SetupError {}
