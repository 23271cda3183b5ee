//! Playing moves: one at a time, or all successors of a position at once.

use crate::board::{CELLS, COLUMN, KO, LOSSES, LOW, MOVER, Ostle, ROW, SIDE, swap};
use crate::lines::{Change, KINDS, changes, reply};
use crate::moves::{Direction, Move, Moves};

/// The owner of a piece that a move drops, from the point of view of the side that moves.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Fallen {
    /// Nothing falls.
    Nothing,
    /// The mover's own piece.
    Own,
    /// The opponent's.
    Other,
}

/// Brings the five digits of a column together, at bit 32: 8 bits fewer for each row down.
const TOGETHER: u64 = 0x0000_0001_0101_0101;

impl Ostle {
    /// Calls `visit` with every legal move, the position after it and what fell.
    ///
    /// The order is that of [`Moves`]. A suicide comes with `Fallen::Own` and a finished position.
    #[inline]
    pub fn successors(self, mut visit: impl FnMut(Move, Ostle, Fallen)) {
        if self.is_over() {
            return;
        }
        // Told apart once, so that without a ko the four moves of a piece are one straight piece of code.
        if self.ko().is_none() {
            self.pushes::<false>(&mut visit);
        } else {
            self.pushes::<true>(&mut visit);
        }
        let handed = self.handed_over();
        let (hole, mut ways) = (self.hole_bit().trailing_zeros() as usize, self.hole_ways());
        while ways != 0 {
            let direction = ways.trailing_zeros() as usize & 3;
            ways &= ways - 1;
            let to = (hole + TO[direction]) & 63;
            let back = (2 * to + (direction ^ 1) + 1) as u64;
            let next = handed ^ 3 << hole ^ 3 << to ^ back << KO;
            visit(Move::of((2 * hole + direction) as u8), Ostle(next), Fallen::Nothing);
        }
    }

    /// The moves of the pieces.
    #[inline(always)]
    fn pushes<const KO: bool>(self, visit: &mut impl FnMut(Move, Ostle, Fallen)) {
        let (handed, traces) = (self.handed_over(), self.traces());
        let mut own = self.own_bits();
        while own != 0 {
            let cell = own.trailing_zeros() as usize / 2;
            own &= own - 1;
            let RowColumn { row, column } = RowColumn::of(cell);
            let forbidden = self.ko_index().wrapping_sub(4 * cell);
            let mut arrive = |change: Change, digits: u64, direction: usize, line: usize| {
                if !KO || forbidden != direction {
                    let next = handed ^ digits ^ traces[direction][line][change.kind()];
                    visit(Move::of((4 * cell + direction) as u8), Ostle(next), change.fallen);
                }
            };
            let &[up, down] = changes(self.column(column), row);
            arrive(up, SPREAD[up.digits()] << (2 * column), 0, column);
            arrive(down, SPREAD[down.digits()] << (2 * column), 1, column);
            let &[left, right] = changes(self.row(row), column);
            arrive(left, (left.digits() as u64) << (10 * row), 2, row);
            arrive(right, (right.digits() as u64) << (10 * row), 3, row);
        }
    }

    /// The position after a move that is legal but for the ko.
    #[inline]
    pub(crate) fn after(self, mv: Move) -> Ostle {
        let RowColumn { row, column } = RowColumn::of(mv.cell());
        let direction = usize::from(mv.index() & 3);
        // No branch on the direction: it could not be foretold.
        let vertical = direction < 2;
        let (line, place) = if vertical { (column, row) } else { (row, column) };
        let digits = if vertical { self.column(column) } else { self.row(row) };
        let change = changes(digits, place)[direction & 1];
        let spread = if vertical { SPREAD[change.digits()] } else { change.digits() as u64 };
        let shift = if vertical { 2 * column } else { 10 * row };
        Ostle(self.handed_over() ^ spread << (shift & 63) ^ self.traces()[direction][line][change.kind()])
    }

    /// Whether the rules allow this move here.
    pub fn is_legal(self, mv: Move) -> bool {
        if self.is_over() || mv.cell() >= CELLS || self.ko() == Some(mv) {
            return false;
        }
        match self.digit(mv.cell()) {
            1 => true,
            3 => mv.direction().step(mv.cell()).is_some_and(|to| self.digit(to) == 0),
            _ => false,
        }
    }

    /// Replaces the contents of `out` by the legal moves.
    #[inline]
    pub(crate) fn list(self, out: &mut Moves) {
        out.clear();
        if self.is_over() {
            return;
        }
        let mut own = self.own_bits();
        while own != 0 {
            out.push_piece(own.trailing_zeros() / 2);
            own &= own - 1;
        }
        if let Some(ko) = self.ko() {
            out.remove(ko);
        }
        let (hole, mut ways) = (usize::from(self.hole()), self.hole_ways());
        while ways != 0 {
            out.push(Move::new(hole, Direction::ALL[ways.trailing_zeros() as usize & 3]));
            ways &= ways - 1;
        }
    }

    /// The number of legal moves. A push is never blocked, so only the hole depends on its neighbours.
    #[inline]
    pub(crate) fn mobility(self) -> u64 {
        if self.is_over() {
            return 0;
        }
        // The product adds the bits 0, 8, 12 and 20 up at bit 20.
        let ways = self.around_hole().wrapping_mul(0x10_1101) >> 20 & 7;
        4 * u64::from(self.pieces().0) + ways - u64::from(self.ko().is_some())
    }

    /// The empty cells around the hole: above at bit 0, left at 8, right at 12, below at 20.
    #[inline(always)]
    fn around_hole(self) -> u64 {
        let hole = self.hole_bit().trailing_zeros();
        let free = !(self.0 | self.0 >> 1) & AROUND[(hole as usize / 2) & 31];
        free << 10 >> hole
    }

    /// The directions of the hole, without the ko: a bit for each.
    #[inline(always)]
    fn hole_ways(self) -> u32 {
        let free = self.around_hole() as u32;
        let ways = (free & 1) | (free >> 19 & 2) | (free >> 6 & 4) | (free >> 9 & 8);
        let forbidden = self.ko_index().wrapping_sub(4 * usize::from(self.hole()));
        if forbidden < 4 { ways & !(1 << forbidden) } else { ways }
    }

    /// The forbidden move, or a number that no move has.
    #[inline(always)]
    fn ko_index(self) -> usize {
        (self.0 >> KO & 0x7f).wrapping_sub(1) as usize
    }

    #[inline(always)]
    fn row(self, row: usize) -> u64 {
        self.0 >> ((10 * row) & 63) & ROW
    }

    #[inline(always)]
    fn column(self, column: usize) -> u64 {
        (self.0 >> ((2 * column) & 63) & COLUMN).wrapping_mul(TOGETHER) >> 32 & ROW
    }

    /// The position from the opponent's point of view, before any change.
    #[inline(always)]
    fn handed_over(self) -> u64 {
        swap(self.0) | !self.0 & MOVER
    }

    #[inline(always)]
    fn traces(self) -> &'static Traces {
        &TRACES[(self.0 >> LOSSES) as usize & 3]
    }
}

/// How far the hole goes in each direction, in bits and modulo 64.
const TO: [usize; 4] = [64 - 10, 10, 64 - 2, 2];

/// Row and column of a cell, both below 8 whatever the cell.
#[derive(Clone, Copy)]
struct RowColumn {
    row: usize,
    column: usize,
}

impl RowColumn {
    #[inline(always)]
    fn of(cell: usize) -> RowColumn {
        let place = usize::from(PLACES[cell & 31]);
        RowColumn { row: place >> 3 & 7, column: place & 7 }
    }
}

/// `8 * row + column` of each cell.
static PLACES: [u8; 32] = {
    let mut places = [0; 32];
    let mut cell = 0;
    while cell < CELLS {
        places[cell] = (8 * (cell / SIDE) + cell % SIDE) as u8;
        cell += 1;
    }
    places
};

/// Ten bits of digits with eight blank bits after each digit: a column, once shifted to its place.
static SPREAD: [u64; 1 << 10] = {
    let mut table = [0; 1 << 10];
    let mut digits = 0;
    while digits < 1 << 10 {
        let mut place = 0;
        while place < SIDE {
            table[digits] |= (digits as u64 >> (2 * place) & 3) << (10 * place);
            place += 1;
        }
        digits += 1;
    }
    table
};

/// What a move leaves behind besides moved digits, by its direction, its line and the kind of its change: a ko
/// or a loss, where `next` has them.
type Traces = [[[u64; KINDS]; 8]; 4];

/// One for each digit of first losses, because what a fall adds depends on it.
static TRACES: [Traces; 4] = [traces(0), traces(1), traces(2), traces(3)];

const fn traces(lost: u64) -> Traces {
    let mut table = [[[0; KINDS]; 8]; 4];
    let mut direction = 0;
    while direction < 4 {
        let mut line = 0;
        while line < SIDE {
            // Losses are digits: those of the mover are the opponent's once the move is handed over.
            table[direction][line][1] = 2 << (LOSSES + 2 * (lost & 1) as u32);
            table[direction][line][2] = 1 << (LOSSES + (lost & 2) as u32);
            let mut place = 0;
            while place < SIDE {
                let cell = if direction < 2 { SIDE * place + line } else { SIDE * line + place };
                table[direction][line][reply(place)] = ((4 * cell + (direction ^ 1) + 1) as u64) << KO;
                place += 1;
            }
            line += 1;
        }
        direction += 1;
    }
    table
}

/// The lower bits of the digits around a cell.
static AROUND: [u64; 32] = {
    let mut around = [0; 32];
    let mut cell = 0;
    while cell < CELLS {
        let at = 1 << (2 * cell);
        let (row, column) = (cell / SIDE, cell % SIDE);
        let vertical = if row > 0 { at >> 10 } else { 0 } | at << 10 & LOW;
        let left = if column > 0 { at >> 2 } else { 0 };
        let right = if column + 1 < SIDE { at << 2 } else { 0 };
        around[cell] = vertical | left | right;
        cell += 1;
    }
    around
};
