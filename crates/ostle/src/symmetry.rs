//! The eight symmetries of the board, numbered as in the published solution.
//!
//! Bit 0 mirrors the columns, then bit 1 mirrors the rows, then bit 2 exchanges rows and columns.

use tesuji_game::{Game, Symmetric};

use crate::board::{CELLS, COLUMN, DIGITS, Ostle, ROW, SIDE};
use crate::moves::Move;

impl Symmetric for Ostle {
    const SYMMETRIES: usize = 8;

    fn image(&self, symmetry: usize) -> Ostle {
        let mut digits = self.0 & DIGITS;
        if symmetry & 1 != 0 {
            digits = mirror(digits, COLUMN, 2);
        }
        if symmetry & 2 != 0 {
            digits = mirror(digits, ROW, 10);
        }
        if symmetry & 4 != 0 {
            digits = transpose(digits, DIAGONALS, 8);
        }
        let board = Ostle(self.0 & !DIGITS | digits);
        self.ko().map_or(board, |ko| board.with_ko(self.image_move(ko, symmetry)))
    }

    #[inline]
    fn image_move(&self, mv: Move, symmetry: usize) -> Move {
        Move::of(MOVES[symmetry & 7][usize::from(mv.index() & 0x7f)])
    }

    fn canonical_key(&self) -> u64 {
        self.canonical().0.key()
    }
}

impl Ostle {
    /// The image with the smallest code, among those with the smallest ko, and the symmetry that leads
    /// there.
    pub fn canonical(self) -> (Ostle, usize) {
        let codes = self.image_codes();
        let ko = |symmetry: usize| self.ko().map(|ko| self.image_move(ko, symmetry));
        let mut best = 0;
        for symmetry in 1..Ostle::SYMMETRIES {
            let (code, least) = (codes[symmetry], codes[best]);
            if code < least || code == least && ko(symmetry) < ko(best) {
                best = symmetry;
            }
        }
        (self.image(best), best)
    }

    /// The cell that `cell` becomes.
    pub fn image_cell(cell: usize, symmetry: usize) -> usize {
        image_cell(cell, symmetry)
    }
}

/// Exchanges the first line with the last and the second with the last but one; lines are `step` bits apart.
#[inline]
pub(crate) fn mirror(cells: u64, first: u64, step: u32) -> u64 {
    let second = first << step;
    let middle = second << step;
    (cells & middle)
        | (cells & first) << (4 * step)
        | (cells >> (4 * step) & first)
        | (cells & second) << (2 * step)
        | (cells >> (2 * step) & second)
}

/// Exchanges rows and columns: a cell `k` columns right of the diagonal goes `k` rows below it, four cells or
/// `step` bits further for each.
#[inline]
pub(crate) fn transpose(cells: u64, diagonals: [u64; SIDE], step: usize) -> u64 {
    let [diagonal, above @ ..] = diagonals;
    above.iter().zip(1..).fold(cells & diagonal, |turned, (&above, k)| {
        turned | (cells & above) << (k * step) | (cells >> (k * step) & above)
    })
}

/// The cells that lie 0, 1, … columns right of the diagonal, each `width` bits wide.
pub(crate) const fn diagonals(width: usize) -> [u64; SIDE] {
    let mut diagonals = [0; SIDE];
    let mut cell = 0;
    while cell < CELLS {
        let (row, column) = (cell / SIDE, cell % SIDE);
        if row <= column {
            diagonals[column - row] |= ((1 << width) - 1) << (width * cell);
        }
        cell += 1;
    }
    diagonals
}

const DIAGONALS: [u64; SIDE] = diagonals(2);

pub(crate) const fn image_cell(cell: usize, symmetry: usize) -> usize {
    let (mut row, mut column) = (cell / SIDE, cell % SIDE);
    if symmetry & 1 != 0 {
        column = SIDE - 1 - column;
    }
    if symmetry & 2 != 0 {
        row = SIDE - 1 - row;
    }
    if symmetry & 4 != 0 {
        (row, column) = (column, row);
    }
    row * SIDE + column
}

/// Directions come in pairs, up and down, left and right: a mirror turns one pair round, the exchange of
/// rows and columns swaps the pairs.
const fn image_direction(direction: usize, symmetry: usize) -> usize {
    let vertical = direction < 2;
    let turned = if vertical { symmetry >> 1 & 1 } else { symmetry & 1 };
    direction ^ turned ^ (symmetry >> 2 & 1) << 1
}

/// The image of every move.
static MOVES: [[u8; 128]; 8] = {
    let mut images = [[0; 128]; 8];
    let mut symmetry = 0;
    while symmetry < 8 {
        let mut index = 0;
        while index < 4 * CELLS {
            let (cell, direction) = (image_cell(index / 4, symmetry), image_direction(index % 4, symmetry));
            images[symmetry][index] = (4 * cell + direction) as u8;
            index += 1;
        }
        symmetry += 1;
    }
    images
};
