//! The grid: creation, and growth when the bounding box nears the rim.
//!
//! Growth only renumbers cells. Places are relative to the first tile, and all cell indices are inside the board, so that
//! earlier turns can still be undone.

use crate::board::{Board, BoundingBox, CLOSED, CellIndex, EndIndex, LaidEntry};

/// Columns and rows of a new grid: enough for nearly every game.
const SIDE: u32 = 1 << SHIFT;
const SHIFT: u32 = 5;

/// Empty cells around the bounding box: one to play on, and its neighbour.
const RIM: u32 = 2;

impl Board {
    /// An empty board.
    #[inline]
    pub(crate) fn new() -> Board {
        let origin = (SIDE / 2) * SIDE + SIDE / 2;
        let cells = (SIDE * SIDE) as usize;
        let mut board = Board {
            shift: SHIFT,
            origin,
            steps: steps(SHIFT),
            edges: vec![0; cells],
            partner: vec![0; 4 * cells],
            slot: vec![0; cells],
            playable: Vec::with_capacity(32),
            log: Vec::with_capacity(32),
            laid: vec![0; cells / 64],
            ends: 0,
            frame: BoundingBox::EMPTY,
            sum: 0,
            forced: Vec::new(),
            overwritten: Vec::new(),
        };
        board.playable.push(origin);
        board
    }

    /// Extends the bounding box to include this place, at most one step outside, and the grid if needed.
    #[inline]
    pub(crate) fn make_room(&mut self, x: i16, y: i16) {
        if !self.frame.holds(x, y) {
            self.extend(x, y);
        }
    }

    #[inline]
    fn extend(&mut self, x: i16, y: i16) {
        let frame = self.frame.with(x, y);
        let (left, top) = (self.column(frame.left), self.row(frame.top));
        let (right, bottom) = (self.column(frame.right), self.row(frame.bottom));
        let columns = 1 << self.shift;
        let rows = self.edges.len() as i32 >> self.shift;
        let rim = RIM as i32;
        if left < rim || top < rim || right + rim >= columns || bottom + rim >= rows {
            self.relay(&frame);
        }
        self.frame = frame;
    }

    /// Enlarges the grid so that the box can grow by this many steps without another renumbering of cells.
    #[inline]
    pub(crate) fn reserve(&mut self, steps: i16) {
        let BoundingBox { left, right, top, bottom } = self.frame;
        let rim = RIM as i32 + i32::from(steps);
        if self.column(left) < rim
            || self.row(top) < rim
            || self.column(right) + rim >= 1 << self.shift
            || self.row(bottom) + rim >= self.edges.len() as i32 >> self.shift
        {
            let frame =
                BoundingBox { left: left - steps, right: right + steps, top: top - steps, bottom: bottom + steps };
            self.relay(&frame);
        }
    }

    #[inline]
    fn column(&self, x: i16) -> i32 {
        (self.origin & ((1 << self.shift) - 1)) as i32 + i32::from(x)
    }

    #[inline]
    fn row(&self, y: i16) -> i32 {
        (self.origin >> self.shift) as i32 + i32::from(y)
    }

    /// Moves everything to a larger grid, with the bounding box in its middle.
    #[cold]
    fn relay(&mut self, frame: &BoundingBox) {
        let (width, height) = (frame.width() as u32, frame.height() as u32);
        let columns = (width + width / 2 + SIDE / 2).next_power_of_two().max(SIDE);
        let rows = (height + height / 2 + SIDE / 2).max(SIDE);
        let shift = columns.trailing_zeros();
        let east = ((columns - width) / 2) as i32 - self.column(frame.left);
        let south = ((rows - height) / 2) as i32 - self.row(frame.top);
        let old = self.shift;
        // Indices that were never set may be anything: they wrap, and are never used.
        let moved = |cell: CellIndex| -> CellIndex {
            let x = (cell & ((1 << old) - 1)) as i32 + east;
            let y = (cell >> old) as i32 + south;
            (y << shift).wrapping_add(x) as CellIndex
        };
        let moved_end = |end: EndIndex| if end == CLOSED { CLOSED } else { moved(end / 4).wrapping_mul(4) + end % 4 };

        let cells = (columns * rows) as usize;
        let (mut edges, mut partner, mut slot) = (vec![0; cells], vec![0; 4 * cells], vec![0; cells]);
        for (from, &shown) in self.edges.iter().enumerate().filter(|&(_, &shown)| shown != 0) {
            let to = moved(from as CellIndex) as usize;
            edges[to] = shown;
            slot[to] = self.slot[from];
            for dir in 0..4 {
                partner[4 * to + dir] = moved_end(self.partner[4 * from + dir]);
            }
        }
        self.playable.iter_mut().for_each(|cell| *cell = moved(*cell));
        let mut laid = vec![0; cells / 64 + 1];
        for LaidEntry { cell, ends, .. } in &mut self.log {
            *cell = moved(*cell);
            laid[*cell as usize / 64] |= 1 << (*cell % 64);
            *ends = ends.map(moved_end);
        }
        self.origin = moved(self.origin);
        (self.shift, self.steps) = (shift, steps(shift));
        (self.edges, self.partner, self.slot, self.laid) = (edges, partner, slot, laid);
    }
}

#[inline]
fn steps(shift: u32) -> [u32; 4] {
    let row = 1u32 << shift;
    [row.wrapping_neg(), 1, row, 1u32.wrapping_neg()]
}
