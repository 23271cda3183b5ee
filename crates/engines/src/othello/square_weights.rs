//! `squares`: a weight for each square, early and late in the game, updated incrementally.

use tesuji_game::Outcome;
use tesuji_othello::{Move, Othello};
use tesuji_search::{Eval, Value};

use super::terminal::{estimate, final_value};

/// One number for each class of squares that are symmetric to each other:
///
/// ```text
/// 0 1 2 3     corner  C  A  B
///   4 5 6             X
///     7 8
///       9
/// ```
pub(super) type SquareClasses = [i16; 10];

/// A table of all squares, a1 first, from the numbers of their classes.
pub(super) const fn symmetric(classes: SquareClasses) -> [i16; 64] {
    const FIRST: [usize; 4] = [0, 4, 7, 9];
    let mut board = [0; 64];
    let mut square = 0;
    while square < 64 {
        let (column, row) = (edge_distance(square % 8), edge_distance(square / 8));
        let (near, far) = if column < row { (column, row) } else { (row, column) };
        board[square] = classes[FIRST[near] + far - near];
        square += 1;
    }
    board
}

/// The distance of a row or column from the nearer edge.
const fn edge_distance(line: usize) -> usize {
    if line < 4 { line } else { 7 - line }
}

/// Square weights, interpolated from the opening to the end of the game. In the opening every disc costs something,
/// because it gives the opponent moves; at the end each disc counts.
#[derive(Clone, Copy, Debug, Default)]
pub struct SquareWeights;

const EARLY: [i16; 64] = symmetric([
    900, -250, 60, 20, //
    -450, -80, -50, //
    -10, -20, -20,
]);

const LATE: [i16; 64] = symmetric([
    450, 110, 150, 130, //
    40, 90, 95, //
    100, 95, 95,
]);

/// Up to this many discs the early weights hold; then they change linearly until the board is full.
const OPENING: i32 = 24;

/// The incremental state: sums over the mover's discs minus the opponent's, and the number of discs.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct SquareSums {
    early: i32,
    late: i32,
    discs: i32,
}

impl SquareSums {
    fn add(&mut self, mut set: u64, times: i32) {
        while set != 0 {
            let square = set.trailing_zeros() as usize;
            self.early += times * i32::from(EARLY[square]);
            self.late += times * i32::from(LATE[square]);
            set &= set - 1;
        }
    }
}

impl Eval<Othello> for SquareWeights {
    type Accumulator = SquareSums;

    fn begin(&self, game: &Othello) -> SquareSums {
        let mut sums = SquareSums { discs: 64 - game.empties().count_ones() as i32, ..SquareSums::default() };
        sums.add(game.own(), 1);
        sums.add(game.other(), -1);
        sums
    }

    #[inline]
    fn advance(&self, sums: &SquareSums, mv: Move, before: &Othello, after: &Othello, next: &mut SquareSums) {
        // For the next mover the new disc counts once against him, a flipped one twice.
        *next = SquareSums { early: -sums.early, late: -sums.late, discs: sums.discs };
        if let Some(square) = mv.square() {
            next.add(square.bit(), -1);
            next.add(before.other() & !after.own(), -2);
            next.discs += 1;
        }
    }

    #[inline]
    fn value(&self, _: &Othello, sums: &SquareSums) -> Value {
        let late = (sums.discs - OPENING).max(0);
        estimate((sums.early * (64 - OPENING - late) + sums.late * late) / (64 - OPENING))
    }

    #[inline]
    fn terminal_value(&self, game: &Othello, _: Outcome) -> Value {
        final_value(game)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_are_symmetric() {
        let board = symmetric([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
        assert_eq!(board[..8], [0, 1, 2, 3, 3, 2, 1, 0]);
        assert_eq!(board[8..16], [1, 4, 5, 6, 6, 5, 4, 1]);
        assert_eq!(board[24..32], [3, 6, 8, 9, 9, 8, 6, 3]);
        assert!((0..64).all(|square| board[square] == board[63 - square]));
        assert!((0..64).all(|square| board[square] == board[square % 8 * 8 + square / 8]));
    }
}
