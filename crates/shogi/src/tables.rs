//! Steps, rays and directions between squares, worked out by the compiler.

use tesuji_game::Side;

use crate::bits::Bits;
use crate::colour::Colour;
use crate::{Kind, Square};

/// The number of a king that is not on the board: problems often have only one. Its rows are empty.
pub(crate) const NO_KING: usize = Square::NUMBERS;
/// Rows of a table by square, one of them for [`NO_KING`].
const ROWS: usize = Square::NUMBERS + 1;

/// A set of squares for each square.
pub(crate) type Table = [Bits; ROWS];

/// The eight directions as (files, ranks); the opposite of `d` is `d ^ 4`. In 0, 1, 2 and 7 numbers grow.
const DIRECTIONS: [(i32, i32); 8] = [(1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1), (0, -1), (1, -1)];

/// The direction of two squares that no line joins.
const APART: u8 = 8;

const fn beyond(number: usize, files: i32, ranks: i32) -> Option<usize> {
    let (file, rank) = (number as i32 / 10 + files, number as i32 % 10 + ranks);
    if number < Square::NUMBERS && 0 <= file && file < 9 && 0 <= rank && rank < 9 {
        Some((file * 10 + rank) as usize)
    } else {
        None
    }
}

const fn steps(moves: &[(i32, i32)], side: Side) -> Table {
    let mut table = [Bits::NONE; ROWS];
    let mut number = 0;
    while number < Square::NUMBERS {
        let mut at = 0;
        while at < moves.len() && number % 10 != 9 {
            let (files, ranks) = moves[at];
            let ranks = if matches!(side, Side::First) { ranks } else { -ranks };
            if let Some(to) = beyond(number, files, ranks) {
                table[number] = table[number].with(Bits::one(to));
            }
            at += 1;
        }
        number += 1;
    }
    table
}

const fn both(moves: &[(i32, i32)]) -> [Table; 2] {
    [steps(moves, Side::First), steps(moves, Side::Second)]
}

/// Where a pawn of each side steps.
pub(crate) static PAWN: [Table; 2] = both(&[(0, -1)]);
/// Where a knight of each side jumps.
pub(crate) static KNIGHT: [Table; 2] = both(&[(1, -2), (-1, -2)]);
/// Where a silver of each side steps.
pub(crate) static SILVER: [Table; 2] = both(&[(1, -1), (0, -1), (-1, -1), (1, 1), (-1, 1)]);
/// Where a gold of each side, and most of what is promoted, steps.
pub(crate) static GOLD: [Table; 2] = both(&[(1, -1), (0, -1), (-1, -1), (1, 0), (-1, 0), (0, 1)]);
/// Where a king steps.
pub(crate) static KING: Table = steps(&DIRECTIONS, Side::First);
/// Where a horse steps beside its bishop's lines.
pub(crate) static CROSS: Table = steps(&[(1, 0), (0, 1), (-1, 0), (0, -1)], Side::First);
/// Where a dragon steps beside its rook's lines.
pub(crate) static SALTIRE: Table = steps(&[(1, 1), (-1, 1), (-1, -1), (1, -1)], Side::First);
/// From where a piece that steps or jumps may attack a square or one of its neighbours: two files and three
/// ranks away, at most.
pub(crate) static NEAR: Table = {
    let mut table = [Bits::NONE; ROWS];
    let mut number = 0;
    while number < Square::NUMBERS {
        let mut at = 0;
        while at < 5 * 7 && number % 10 != 9 {
            if let Some(to) = beyond(number, at / 7 - 2, at % 7 - 3) {
                table[number] = table[number].with(Bits::one(to));
            }
            at += 1;
        }
        number += 1;
    }
    table
};
/// The set of each square alone.
pub(crate) static ONE: Table = steps(&[(0, 0)], Side::First);

/// The squares from each square to the edge, by direction; a ninth, empty, for no direction.
pub(crate) static RAYS: [[Bits; 9]; ROWS] = {
    let mut rays = [[Bits::NONE; 9]; ROWS];
    let mut number = 0;
    while number < Square::NUMBERS {
        let mut direction = 0;
        while direction < 8 && number % 10 != 9 {
            let (files, ranks) = DIRECTIONS[direction];
            let mut at = beyond(number, files, ranks);
            while let Some(to) = at {
                rays[number][direction] = rays[number][direction].with(Bits::one(to));
                at = beyond(to, files, ranks);
            }
            direction += 1;
        }
        number += 1;
    }
    rays
};

/// The four diagonal rays of each square together.
pub(crate) static DIAGONALS: Table = joined([1, 3, 5, 7]);
/// The four straight rays of each square together.
pub(crate) static STRAIGHTS: Table = joined([0, 2, 4, 6]);
/// The way forward of each side to the edge.
pub(crate) static FORWARD: [Table; 2] = [joined([6; 4]), joined([2; 4])];

const fn joined(directions: [usize; 4]) -> Table {
    let mut table = [Bits::NONE; ROWS];
    let mut number = 0;
    while number < Square::NUMBERS {
        let mut at = 0;
        while at < 4 {
            table[number] = table[number].with(RAYS[number][directions[at]]);
            at += 1;
        }
        number += 1;
    }
    table
}

static NOWHERE: Table = [Bits::NONE; ROWS];

/// The lines, on an empty board, of a piece of this code, by square; nothing for what only steps or jumps.
#[inline(always)]
pub(crate) fn lines<C: Colour>(code: u8) -> &'static Table {
    static LINES: [[&Table; 16]; 2] = {
        let mut lines = [[&NOWHERE; 16]; 2];
        let mut side = 0;
        while side < 2 {
            lines[side][Kind::Lance as usize] = &FORWARD[side];
            lines[side][Kind::Bishop as usize] = &DIAGONALS;
            lines[side][Kind::Horse as usize] = &DIAGONALS;
            lines[side][Kind::Rook as usize] = &STRAIGHTS;
            lines[side][Kind::Dragon as usize] = &STRAIGHTS;
            side += 1;
        }
        lines
    };
    LINES[C::SIDE.index()][usize::from(code & 15)]
}

/// The direction from the first square to the second.
static TOWARDS: [[u8; ROWS]; ROWS] = {
    let mut towards = [[APART; ROWS]; ROWS];
    let mut number = 0;
    while number < Square::NUMBERS {
        let mut direction = 0;
        while direction < 8 && number % 10 != 9 {
            let (files, ranks) = DIRECTIONS[direction];
            let mut at = beyond(number, files, ranks);
            while let Some(to) = at {
                towards[number][to] = direction as u8;
                at = beyond(to, files, ranks);
            }
            direction += 1;
        }
        number += 1;
    }
    towards
};

/// The squares strictly between two on a line; nothing when no line joins them.
#[inline(always)]
pub(crate) fn between(from: usize, to: usize) -> Bits {
    let direction = usize::from(TOWARDS[from][to]);
    // The ray of `to` is the tail of the ray of `from`.
    RAYS[from][direction] & !RAYS[to][direction] & !ONE[to]
}

/// The whole line through two squares, without the first; nothing when no line joins them.
#[inline(always)]
pub(crate) fn line(from: usize, to: usize) -> Bits {
    let direction = usize::from(TOWARDS[from][to]);
    let opposite = if direction < 8 { direction ^ 4 } else { direction };
    RAYS[from][direction] | RAYS[from][opposite]
}
