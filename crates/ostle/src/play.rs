//! Making moves: one at a time, or all successors of a position in one sweep.

use crate::board::{CELLS, COLUMN, DIGITS, KO, LOSSES, LOW, MOVER, Ostle, ROW, SIDE, swap};
use crate::lines::{Change, changes};
use crate::moves::{Direction, Move, Moves};

/// Whose piece a move drops, seen by the side that makes it.
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
        let turn = Turn::new(self);
        let mut own = self.own_bits();
        while own != 0 {
            let cell = own.trailing_zeros() as usize / 2;
            own &= own - 1;
            turn.of_cell(cell, |mv, change, next| {
                if !turn.forbids(mv) {
                    visit(mv, next, change);
                }
            });
        }
        turn.of_cell(usize::from(self.hole()), |mv, fallen, next| {
            // A hole that stays leaves the board as it was: no digit would change.
            if !turn.stays(next) && !turn.forbids(mv) {
                visit(mv, next, fallen);
            }
        });
    }

    /// The position after a move that is legal but for the ko.
    #[inline]
    pub(crate) fn after(self, mv: Move) -> Ostle {
        let turn = Turn::new(self);
        let cell = mv.cell();
        let (row, column) = (cell / SIDE, cell % SIDE);
        let direction = mv.direction();
        let index = direction as usize;
        if index < 2 {
            let change = changes(turn.column(column), row)[index];
            Ostle(turn.by(change, SPREAD[change.digits() as usize & 0x3ff] << (2 * column), index, column))
        } else {
            let change = changes(turn.row(row), column)[index - 2];
            Ostle(turn.by(change, change.digits() << (10 * row), index, row))
        }
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
        let hole = usize::from(self.hole());
        for direction in Direction::ALL {
            if direction.step(hole).is_some_and(|to| self.digit(to) == 0) {
                out.push(Move::new(hole, direction).index());
            }
        }
        if let Some(ko) = self.ko() {
            out.remove(ko);
        }
    }

    /// How many legal moves there are: a push is never blocked, so only the hole has to look around.
    #[inline]
    pub(crate) fn mobility(self) -> u64 {
        if self.is_over() {
            return 0;
        }
        let hole = self.hole_bit().trailing_zeros();
        let free = !(self.0 | self.0 >> 1) & AROUND[(hole as usize / 2) & 31];
        // The four neighbours now lie at bits 0, 8, 12 and 20, and the product adds them up at bit 20.
        let ways = (free << 10 >> hole).wrapping_mul(0x10_1101) >> 20 & 7;
        4 * u64::from(self.pieces().0) + ways - u64::from(self.ko().is_some())
    }
}

/// A position with what all its moves have in common.
struct Turn {
    now: Ostle,
    /// The position handed over with nothing moved yet, by the digit of what will have fallen.
    handed: [u64; 4],
}

impl Turn {
    #[inline]
    fn new(now: Ostle) -> Turn {
        let kept = now.without_ko().0;
        let lost = kept >> LOSSES & 3;
        let handed = |fallen: u64| {
            let losses = fallen << LOSSES | (lost & fallen) << (LOSSES + 2);
            swap(kept | losses) | !kept & MOVER
        };
        Turn { now, handed: [handed(0), handed(1), handed(2), 0] }
    }

    #[inline]
    fn row(&self, row: usize) -> u64 {
        self.now.0 >> (10 * row) & ROW
    }

    #[inline]
    fn column(&self, column: usize) -> u64 {
        (self.now.0 >> (2 * column) & COLUMN).wrapping_mul(TOGETHER) >> 32 & ROW
    }

    #[inline]
    fn forbids(&self, mv: Move) -> bool {
        self.now.0 >> KO & 0x7f == u64::from(mv.index()) + 1
    }

    #[inline]
    fn stays(&self, next: Ostle) -> bool {
        (next.0 ^ self.handed[0]) & DIGITS == 0
    }

    /// The four moves of the piece or hole on `cell`.
    #[inline]
    fn of_cell(&self, cell: usize, mut visit: impl FnMut(Move, Fallen, Ostle)) {
        let (row, column) = PLACES[cell & 31];
        let (row, column) = (usize::from(row), usize::from(column));
        let along_column = changes(self.column(column), row);
        let along_row = changes(self.row(row), column);
        let mut arrive = |change: Change, digits: u64, index: usize, line: usize| {
            let fallen = [Fallen::Nothing, Fallen::Own, Fallen::Other, Fallen::Nothing][change.fallen()];
            visit(Move::of((4 * cell + index) as u8), fallen, Ostle(self.by(change, digits, index, line)));
        };
        for (index, change) in along_column.into_iter().enumerate() {
            arrive(change, SPREAD[change.digits() as usize] << (2 * column), index, column);
        }
        for (index, change) in along_row.into_iter().enumerate() {
            arrive(change, change.digits() << (10 * row), index + 2, row);
        }
    }

    /// The position after `change`, whose `digits` already lie in their places.
    #[inline]
    fn by(&self, change: Change, digits: u64, direction: usize, line: usize) -> u64 {
        let ko = REPLIES[(direction << 3 | line) & 31][change.reply() & 7];
        self.handed[change.fallen()] ^ digits ^ u64::from(ko) << KO
    }
}

/// Row and column of each cell.
static PLACES: [(u8, u8); 32] = {
    let mut places = [(0, 0); 32];
    let mut cell = 0;
    while cell < CELLS {
        places[cell] = ((cell / SIDE) as u8, (cell % SIDE) as u8);
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

/// The ko after a move in `direction` along `line`, by the place of the reply: one more than the move that
/// would take it back, or 0.
static REPLIES: [[u8; 8]; 32] = {
    let mut table = [[0; 8]; 32];
    let mut direction = 0;
    while direction < 4 {
        let mut line = 0;
        while line < SIDE {
            let mut place = 0;
            while place < SIDE {
                let cell = if direction < 2 { SIDE * place + line } else { SIDE * line + place };
                table[direction << 3 | line][place + 1] = (4 * cell + (direction ^ 1) + 1) as u8;
                place += 1;
            }
            line += 1;
        }
        direction += 1;
    }
    table
};

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
