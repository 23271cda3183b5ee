//! The board of the move generator: bitboards, a mailbox, the hands and the Zobrist key. No rules.

mod scratch;

use std::hash::{Hash, Hasher};

use tesuji_game::Side;

use crate::bitboard::Bitboard;
use crate::side::StaticSide;
use crate::tables::{self, NO_KING, ONE, SquareTable};
use crate::zobrist;
use crate::{Move, Piece, PieceKind, Square};

/// A piece as one byte: the code of its kind, and 16 for white; 0 is no piece.
pub(crate) type Code = u8;
pub(crate) const WHITE: Code = 16;
const PROMOTION: Code = 8;

/// Pieces with the same moves share a bitboard: everything that moves like a gold is one class.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(usize)]
pub(crate) enum PieceClass {
    Pawn,
    Lance,
    Knight,
    Silver,
    Golden,
    Bishop,
    Rook,
    King,
    Horse,
    Dragon,
}

/// The class of each kind, by its code.
const CLASS: [PieceClass; 16] = {
    let mut class = [PieceClass::Golden; 16];
    class[PieceKind::Pawn as usize] = PieceClass::Pawn;
    class[PieceKind::Lance as usize] = PieceClass::Lance;
    class[PieceKind::Knight as usize] = PieceClass::Knight;
    class[PieceKind::Silver as usize] = PieceClass::Silver;
    class[PieceKind::Bishop as usize] = PieceClass::Bishop;
    class[PieceKind::Rook as usize] = PieceClass::Rook;
    class[PieceKind::King as usize] = PieceClass::King;
    class[PieceKind::Horse as usize] = PieceClass::Horse;
    class[PieceKind::Dragon as usize] = PieceClass::Dragon;
    class
};

/// The index of the bitboard of a piece code.
#[inline(always)]
pub(crate) fn class(code: u8) -> usize {
    CLASS[usize::from(code & 15)] as usize
}

/// The board, the hands and whose move it is.
#[derive(Clone)]
pub(crate) struct Board {
    sets: [Bitboard; 10],
    sides: [Bitboard; 2],
    squares: [Code; Square::INDICES],
    hands: [[u8; 8]; 2],
    kings: [u8; 2],
    mover: Side,
    key: u64,
}

/// The data that `undo` needs.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Undo {
    mv: Move,
    captured: Code,
    key: u64,
}

impl Undo {
    /// The captured piece, before demotion.
    #[inline(always)]
    pub(crate) fn captured(self) -> Option<PieceKind> {
        PieceKind::of(self.captured & 15)
    }
}

impl Board {
    pub(crate) fn empty(mover: Side) -> Board {
        Board {
            sets: [Bitboard::EMPTY; 10],
            sides: [Bitboard::EMPTY; 2],
            squares: [0; Square::INDICES],
            hands: [[0; 8]; 2],
            kings: [NO_KING as u8; 2],
            mover,
            key: if mover == Side::First { 0 } else { zobrist::WHITE_TO_MOVE },
        }
    }

    #[inline(always)]
    pub(crate) fn mover(&self) -> Side {
        self.mover
    }

    #[inline(always)]
    pub(crate) fn key(&self) -> u64 {
        self.key
    }

    /// The key of the position after white has given all pieces in hand to black.
    pub(crate) fn key_without_hands(&self) -> u64 {
        (0..8).fold(self.key, |key, kind| {
            let given = u64::from(self.hands[Side::Second.index()][usize::from(kind)]);
            let change = zobrist::held(Side::First, kind).wrapping_sub(zobrist::held(Side::Second, kind));
            key.wrapping_add(given.wrapping_mul(change))
        })
    }

    /// All pieces of a class, of both sides.
    #[inline(always)]
    pub(crate) fn set(&self, class: PieceClass) -> Bitboard {
        self.sets[class as usize]
    }

    /// All pieces of a side.
    #[inline(always)]
    pub(crate) fn side(&self, side: Side) -> Bitboard {
        self.sides[side.index()]
    }

    #[inline(always)]
    pub(crate) fn occupied(&self) -> Bitboard {
        self.sides[0] | self.sides[1]
    }

    /// The index of the king's square, or `NO_KING`.
    #[inline(always)]
    pub(crate) fn king(&self, side: Side) -> usize {
        usize::from(self.kings[side.index()])
    }

    #[inline(always)]
    pub(crate) fn hand(&self, side: Side, kind: PieceKind) -> u8 {
        self.hands[side.index()][usize::from(kind as u8 & 7)]
    }

    #[inline(always)]
    pub(crate) fn hand_counts(&self, side: Side) -> [u8; 8] {
        self.hands[side.index()]
    }

    pub(crate) fn piece(&self, square: Square) -> Option<Piece> {
        let code = self.squares[square.index()];
        let side = if code & WHITE == 0 { Side::First } else { Side::Second };
        PieceKind::of(code & 15).map(|kind| Piece { side, kind })
    }

    /// The code of the piece on a square; 0 for none.
    #[inline(always)]
    pub(crate) fn code(&self, square: Square) -> Code {
        self.squares[square.index()]
    }

    /// The kind of the piece on an occupied square.
    #[inline(always)]
    pub(crate) fn kind(&self, square: Square) -> PieceKind {
        match PieceKind::of(self.squares[square.index()] & 15) {
            Some(kind) => kind,
            None => PieceKind::Gold,
        }
    }

    /// The slides, on an empty board, of the piece on a square, as a table by square.
    #[inline(always)]
    pub(crate) fn lines<C: StaticSide>(&self, number: usize) -> &'static SquareTable {
        tables::lines::<C>(self.squares[number])
    }

    #[inline(always)]
    pub(crate) fn hand_is_empty(&self, side: Side) -> bool {
        u64::from_ne_bytes(self.hands[side.index()]) == 0
    }

    /// Adds a piece to an empty square.
    pub(crate) fn put(&mut self, square: Square, piece: Piece) {
        self.put_code(square, piece.kind as u8 | if piece.side == Side::First { 0 } else { WHITE });
    }

    /// Adds a piece, by its code, to an empty square.
    #[inline(always)]
    pub(crate) fn put_code(&mut self, square: Square, code: Code) {
        let side = if code & WHITE == 0 { Side::First } else { Side::Second };
        self.toggle(square.index(), code, side);
        self.squares[square.index()] = code;
        self.key = self.key.wrapping_add(zobrist::piece(code, square.index()));
        if code & 15 == PieceKind::King as u8 {
            self.kings[side.index()] = square.index() as u8;
        }
    }

    /// Adds `count` pieces of an unpromoted kind to a hand.
    pub(crate) fn give(&mut self, side: Side, kind: PieceKind, count: u8) {
        for _ in 0..count {
            self.pick_up(side, kind as u8 & 7);
        }
    }

    #[inline(always)]
    fn toggle(&mut self, number: usize, code: Code, side: Side) {
        self.sets[class(code)] ^= ONE[number];
        self.sides[side.index()] ^= ONE[number];
    }

    /// Adds a piece of a kind, by its code, to a hand.
    #[inline(always)]
    pub(crate) fn pick_up(&mut self, side: Side, kind: u8) {
        let held = &mut self.hands[side.index()][usize::from(kind)];
        *held += 1;
        self.key = self.key.wrapping_add(zobrist::held(side, kind));
    }

    #[inline(always)]
    fn lay_down(&mut self, side: Side, kind: u8) {
        self.hands[side.index()][usize::from(kind)] -= 1;
        self.key = self.key.wrapping_sub(zobrist::held(side, kind));
    }

    /// Plays a pseudo-legal move.
    #[inline(always)]
    pub(crate) fn play(&mut self, mv: Move) -> Undo {
        let side = self.mover;
        let white = if side == Side::First { 0 } else { WHITE };
        let to = mv.to().index();
        let mut undo = Undo { mv, captured: 0, key: self.key };
        let code = if let Some(from) = mv.from() {
            let from = from.index();
            let code = self.squares[from];
            self.toggle(from, code, side);
            self.squares[from] = 0;
            self.key = self.key.wrapping_sub(zobrist::piece(code, from));
            undo.captured = self.squares[to];
            if undo.captured != 0 {
                self.toggle(to, undo.captured, !side);
                self.key = self.key.wrapping_sub(zobrist::piece(undo.captured, to));
                self.pick_up(side, undo.captured & 7);
            }
            if code & 15 == PieceKind::King as u8 {
                self.kings[side.index()] = to as u8;
            }
            if mv.promotes() { code | PROMOTION } else { code }
        } else {
            let kind = mv.dropped_code();
            self.lay_down(side, kind);
            kind | white
        };
        self.toggle(to, code, side);
        self.squares[to] = code;
        self.key = self.key.wrapping_add(zobrist::piece(code, to));
        self.mover = !side;
        self.key = match side {
            Side::First => self.key.wrapping_add(zobrist::WHITE_TO_MOVE),
            Side::Second => self.key.wrapping_sub(zobrist::WHITE_TO_MOVE),
        };
        undo
    }

    /// Passes the move, for null-move search.
    pub(crate) fn pass(&mut self) -> Undo {
        let undo = Undo { mv: Move::PASS, captured: 0, key: self.key };
        self.key = match self.mover {
            Side::First => self.key.wrapping_add(zobrist::WHITE_TO_MOVE),
            Side::Second => self.key.wrapping_sub(zobrist::WHITE_TO_MOVE),
        };
        self.mover = !self.mover;
        undo
    }

    /// Undoes the last move.
    #[inline(always)]
    pub(crate) fn undo(&mut self, undo: Undo) {
        let side = !self.mover;
        if undo.mv == Move::PASS {
            self.mover = side;
            self.key = undo.key;
            return;
        }
        let to = undo.mv.to().index();
        let code = self.squares[to];
        self.toggle(to, code, side);
        self.squares[to] = undo.captured;
        if let Some(from) = undo.mv.from() {
            let from = from.index();
            let code = if undo.mv.promotes() { code & !PROMOTION } else { code };
            self.toggle(from, code, side);
            self.squares[from] = code;
            if undo.captured != 0 {
                self.toggle(to, undo.captured, !side);
                self.hands[side.index()][usize::from(undo.captured & 7)] -= 1;
            }
            if code & 15 == PieceKind::King as u8 {
                self.kings[side.index()] = from as u8;
            }
        } else {
            self.hands[side.index()][usize::from(undo.mv.dropped_code())] += 1;
        }
        self.mover = side;
        self.key = undo.key;
    }

    /// The key, computed from scratch.
    #[cfg(test)]
    pub(crate) fn key_from_scratch(&self) -> u64 {
        let mut again = Board::empty(self.mover);
        for square in Square::all() {
            if let Some(piece) = self.piece(square) {
                again.put(square, piece);
            }
        }
        for side in Side::BOTH {
            for kind in PieceKind::HAND {
                again.give(side, kind, self.hand(side, kind));
            }
        }
        again.key
    }
}

/// The other fields follow from the squares, the hands and the mover.
impl PartialEq for Board {
    fn eq(&self, other: &Board) -> bool {
        self.key == other.key && self.mover == other.mover && self.squares == other.squares && self.hands == other.hands
    }
}

impl Eq for Board {}

impl Hash for Board {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.squares.hash(state);
        self.hands.hash(state);
        self.mover.hash(state);
    }
}
