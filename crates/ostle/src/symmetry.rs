//! The eight symmetries of the board, numbered as in the published solution.
//!
//! Bit 0 mirrors the columns, then bit 1 mirrors the rows, then bit 2 exchanges rows and columns.

use tesuji_game::{Game, Symmetric};

use crate::board::{CELLS, DIGITS, Ostle, SIDE};
use crate::moves::Move;

/// The digits of the first column, and of the first row.
const COLUMN: u64 = 0x0000_0300_c030_0c03;
const ROW: u64 = 0x3ff;

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
            digits = transpose(digits);
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
        let order = |image: Ostle| image.code() << 7 | image.ko().map_or(0, |ko| u64::from(ko.index()) + 1);
        let mut best = (order(self), self, 0);
        for symmetry in 1..Ostle::SYMMETRIES {
            let image = self.image(symmetry);
            let found = (order(image), image, symmetry);
            if found.0 < best.0 {
                best = found;
            }
        }
        (best.1, best.2)
    }

    /// The cell that `cell` becomes.
    pub fn image_cell(cell: usize, symmetry: usize) -> usize {
        image_cell(cell, symmetry)
    }
}

/// Exchanges the first line with the last and the second with the last but one; lines are `step` bits apart.
#[inline]
fn mirror(digits: u64, first: u64, step: u32) -> u64 {
    let second = first << step;
    let middle = second << step;
    digits & middle
        | (digits & first) << (4 * step)
        | digits >> (4 * step) & first
        | (digits & second) << (2 * step)
        | digits >> (2 * step) & second
}

/// Exchanges rows and columns: a digit `k` columns right of the diagonal goes `k` rows below it, four cells
/// further for each.
#[inline]
fn transpose(digits: u64) -> u64 {
    let mut turned = digits & DIAGONALS[0];
    for k in 1..SIDE {
        turned |= (digits & DIAGONALS[k]) << (8 * k) | digits >> (8 * k) & DIAGONALS[k];
    }
    turned
}

/// The digits that lie `k` columns right of the diagonal.
const DIAGONALS: [u64; SIDE] = {
    let mut diagonals = [0; SIDE];
    let mut cell = 0;
    while cell < CELLS {
        let (row, column) = (cell / SIDE, cell % SIDE);
        if row <= column {
            diagonals[column - row] |= 3 << (2 * cell);
        }
        cell += 1;
    }
    diagonals
};

const fn image_cell(cell: usize, symmetry: usize) -> usize {
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
