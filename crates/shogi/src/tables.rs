//! Attack tables, computed at compile time. [`attacks`](crate::attacks) is the public interface.

use tesuji_game::Side;

use crate::attacks::Direction;
use crate::bitboard::Bitboard;
use crate::side::StaticSide;
use crate::{PieceKind, Square};

/// The index of a king that is not on the board: problems often have only one king. Its rows are empty.
pub(crate) const NO_KING: usize = Square::INDICES;
/// Rows of a table by square, one of them for [`NO_KING`].
const ROWS: usize = Square::INDICES + 1;

/// A set of squares for each square.
pub(crate) type SquareTable = [Bitboard; ROWS];

/// The offsets of the eight directions, as (files, ranks).
const OFFSETS: [(i32, i32); 8] = {
    let mut offsets = [(0, 0); 8];
    let mut at = 0;
    while at < 8 {
        offsets[at] = Direction::ALL[at].offset();
        at += 1;
    }
    offsets
};

/// The direction between two squares that are not on a line.
const NOT_ALIGNED: u8 = 8;

const fn offset(index: usize, files: i32, ranks: i32) -> Option<usize> {
    let Some(square) = Square::from_index(index) else { return None };
    match square.offset(files, ranks) {
        Some(to) => Some(to.index()),
        None => None,
    }
}

const fn steps(moves: &[(i32, i32)], side: Side) -> SquareTable {
    let mut table = [Bitboard::EMPTY; ROWS];
    let mut number = 0;
    while number < Square::INDICES {
        let mut at = 0;
        while at < moves.len() && number % 10 != 9 {
            let (files, ranks) = moves[at];
            let ranks = if matches!(side, Side::First) { ranks } else { -ranks };
            if let Some(to) = offset(number, files, ranks) {
                table[number] = table[number].with(Bitboard::one(to));
            }
            at += 1;
        }
        number += 1;
    }
    table
}

const fn both(moves: &[(i32, i32)]) -> [SquareTable; 2] {
    [steps(moves, Side::First), steps(moves, Side::Second)]
}

/// The neighbour in each direction; [`NO_SQUARE`] beyond the edge.
pub(crate) static NEXT: [[u8; 8]; Square::INDICES] = {
    let mut next = [[NO_SQUARE; 8]; Square::INDICES];
    let mut at = 0;
    while at < 8 * Square::INDICES {
        let (files, ranks) = OFFSETS[at % 8];
        if let Some(to) = offset(at / 8, files, ranks) {
            next[at / 8][at % 8] = to as u8;
        }
        at += 1;
    }
    next
};
/// In [`NEXT`]: there is no square.
pub(crate) const NO_SQUARE: u8 = Square::INDICES as u8;

/// Pawn attacks, by side.
pub(crate) static PAWN: [SquareTable; 2] = both(&[(0, -1)]);
/// Knight attacks, by side.
pub(crate) static KNIGHT: [SquareTable; 2] = both(&[(1, -2), (-1, -2)]);
/// Silver attacks, by side.
pub(crate) static SILVER: [SquareTable; 2] = both(&[(1, -1), (0, -1), (-1, -1), (1, 1), (-1, 1)]);
/// Gold attacks, by side. Most promoted pieces move like a gold.
pub(crate) static GOLD: [SquareTable; 2] = both(&[(1, -1), (0, -1), (-1, -1), (1, 0), (-1, 0), (0, 1)]);
/// King attacks.
pub(crate) static KING: SquareTable = steps(&OFFSETS, Side::First);
/// The orthogonal steps of a horse.
pub(crate) static CROSS: SquareTable = steps(&[(1, 0), (0, 1), (-1, 0), (0, -1)], Side::First);
/// The diagonal steps of a dragon.
pub(crate) static SALTIRE: SquareTable = steps(&[(1, 1), (-1, 1), (-1, -1), (1, -1)], Side::First);
/// The squares from which a piece that does not slide may attack a square or one of its neighbours: at most two
/// files and three ranks away.
pub(crate) static NEAR: SquareTable = {
    let mut table = [Bitboard::EMPTY; ROWS];
    let mut number = 0;
    while number < Square::INDICES {
        let mut at = 0;
        while at < 5 * 7 && number % 10 != 9 {
            if let Some(to) = offset(number, at / 7 - 2, at % 7 - 3) {
                table[number] = table[number].with(Bitboard::one(to));
            }
            at += 1;
        }
        number += 1;
    }
    table
};
/// The set of one square.
pub(crate) static ONE: SquareTable = steps(&[(0, 0)], Side::First);

/// Rays: the squares from each square to the edge, by direction. The ninth, for no direction, is empty.
pub(crate) static RAYS: [[Bitboard; 9]; ROWS] = {
    let mut rays = [[Bitboard::EMPTY; 9]; ROWS];
    let mut number = 0;
    while number < Square::INDICES {
        let mut direction = 0;
        while direction < 8 && number % 10 != 9 {
            let (files, ranks) = OFFSETS[direction];
            let mut at = offset(number, files, ranks);
            while let Some(to) = at {
                rays[number][direction] = rays[number][direction].with(Bitboard::one(to));
                at = offset(to, files, ranks);
            }
            direction += 1;
        }
        number += 1;
    }
    rays
};

/// The union of the four diagonal rays.
pub(crate) static DIAGONALS: SquareTable = joined([1, 3, 5, 7]);
/// The union of the four orthogonal rays.
pub(crate) static STRAIGHTS: SquareTable = joined([0, 2, 4, 6]);
/// The ray forward, by side.
pub(crate) static FORWARD: [SquareTable; 2] = [joined([0; 4]), joined([4; 4])];

const fn joined(directions: [usize; 4]) -> SquareTable {
    let mut table = [Bitboard::EMPTY; ROWS];
    let mut number = 0;
    while number < Square::INDICES {
        let mut at = 0;
        while at < 4 {
            table[number] = table[number].with(RAYS[number][directions[at]]);
            at += 1;
        }
        number += 1;
    }
    table
}

static NO_SLIDES: SquareTable = [Bitboard::EMPTY; ROWS];

/// The slides of a piece on an empty board, by square; empty for pieces that do not slide.
#[inline(always)]
pub(crate) fn lines<C: StaticSide>(code: u8) -> &'static SquareTable {
    static LINES: [[&SquareTable; 16]; 2] = {
        let mut lines = [[&NO_SLIDES; 16]; 2];
        let mut side = 0;
        while side < 2 {
            lines[side][PieceKind::Lance as usize] = &FORWARD[side];
            lines[side][PieceKind::Bishop as usize] = &DIAGONALS;
            lines[side][PieceKind::Horse as usize] = &DIAGONALS;
            lines[side][PieceKind::Rook as usize] = &STRAIGHTS;
            lines[side][PieceKind::Dragon as usize] = &STRAIGHTS;
            side += 1;
        }
        lines
    };
    LINES[C::SIDE.index()][usize::from(code & 15)]
}

/// The direction from the first square to the second, or [`NOT_ALIGNED`].
pub(crate) static TOWARDS: [[u8; ROWS]; ROWS] = {
    let mut towards = [[NOT_ALIGNED; ROWS]; ROWS];
    let mut number = 0;
    while number < Square::INDICES {
        let mut direction = 0;
        while direction < 8 && number % 10 != 9 {
            let (files, ranks) = OFFSETS[direction];
            let mut at = offset(number, files, ranks);
            while let Some(to) = at {
                towards[number][to] = direction as u8;
                at = offset(to, files, ranks);
            }
            direction += 1;
        }
        number += 1;
    }
    towards
};

/// The squares strictly between two squares; empty when they are not on a line.
#[inline(always)]
pub(crate) fn between(from: usize, to: usize) -> Bitboard {
    let direction = usize::from(TOWARDS[from][to]);
    // The ray of `to` is the tail of the ray of `from`.
    RAYS[from][direction] & !RAYS[to][direction] & !ONE[to]
}

/// The line through two squares, without the first; empty when they are not on a line.
#[inline(always)]
pub(crate) fn line(from: usize, to: usize) -> Bitboard {
    let direction = usize::from(TOWARDS[from][to]);
    let opposite = if direction < 8 { direction ^ 4 } else { direction };
    RAYS[from][direction] | RAYS[from][opposite]
}
