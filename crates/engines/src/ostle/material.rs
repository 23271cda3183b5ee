//! `material`: pieces, their distance from the edge and the hole, and threats to drop a piece.

use tesuji_ostle::{Move, Ostle};
use tesuji_search::{Eval, Value};

/// Piece values by cell. There is no incremental state.
#[derive(Clone, Copy, Debug, Default)]
pub struct Material;

/// A piece in the open, in thousandths.
const PIECE: i16 = 1000;
/// The penalty on an edge, twice in a corner: the piece can be pushed off.
const EDGE: i16 = 60;
/// The penalty one and two steps from the hole: the piece can be pushed in.
const NEAR_HOLE: [i16; 2] = [80, 25];
/// The bonus in the middle.
const MIDDLE: i16 = 25;
/// The bonus for a threat to drop a piece, for the mover and for the opponent.
const CAN_DROP: i32 = 450;
const COULD_DROP: i32 = 120;

const SIDE: usize = 5;
const CELLS: usize = SIDE * SIDE;

impl Eval<Ostle> for Material {
    type Accumulator = ();

    #[inline]
    fn begin(&self, _: &Ostle) {}

    #[inline]
    fn advance(&self, (): &(), _: Move, _: &Ostle, _: &Ostle, (): &mut ()) {}

    #[inline]
    fn value(&self, game: &Ostle, (): &()) -> Value {
        let worth = &WORTH[usize::from(game.hole())];
        let (own, other) = (game.own(), game.other());
        let turned = Ostle::new(other, own, game.hole());
        let can = i32::from(game.can_drop_other());
        let could = i32::from(turned.is_some_and(Ostle::can_drop_other));
        Value::estimate(sum(worth, own) - sum(worth, other) + CAN_DROP * can - COULD_DROP * could)
    }
}

#[inline]
fn sum(worth: &[i16; CELLS], mut set: u32) -> i32 {
    let mut sum = 0;
    while set != 0 {
        sum += i32::from(worth[set.trailing_zeros() as usize % CELLS]);
        set &= set - 1;
    }
    sum
}

/// The value of a piece on a cell, by the cell of the hole.
static WORTH: [[i16; CELLS]; CELLS] = {
    let mut table = [[0; CELLS]; CELLS];
    let mut hole = 0;
    while hole < CELLS {
        let mut cell = 0;
        while cell < CELLS {
            table[hole][cell] = worth(cell, hole);
            cell += 1;
        }
        hole += 1;
    }
    table
};

const fn worth(cell: usize, hole: usize) -> i16 {
    let (row, column) = (cell / SIDE, cell % SIDE);
    let edges = is_outer(row) as i16 + is_outer(column) as i16;
    let distance = row.abs_diff(hole / SIDE) + column.abs_diff(hole % SIDE);
    let near = if distance == 1 || distance == 2 { NEAR_HOLE[distance - 1] } else { 0 };
    let middle = if row.abs_diff(2) + column.abs_diff(2) <= 1 { MIDDLE } else { 0 };
    PIECE - EDGE * edges - near + middle
}

const fn is_outer(line: usize) -> bool {
    line == 0 || line == SIDE - 1
}
