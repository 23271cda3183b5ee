//! Tiles on a grid, laid and removed one by one, with edges, playable cells and the ends of tracks.
//!
//! Turns, movers and wins are in `position`.

use crate::edges::{Edges, FORCED, FREE, paint, tracks};
use crate::hash;

/// The index of a cell in the grid.
pub(crate) type CellIndex = u32;

/// An open end of a track: `4 * cell + side`, where the track's last tile shows its colour to `side` of the
/// empty `cell`.
pub(crate) type EndIndex = u32;

/// No end: the track is closed.
pub(crate) const CLOSED: EndIndex = EndIndex::MAX;

/// In `slot`: the cell is laid; the other bits are its former place in the list.
const LAID: u32 = 1 << 31;

/// A laid tile.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LaidEntry {
    pub(crate) cell: CellIndex,
    pub(crate) tile: Edges,
    /// The edges of the cell before.
    pub(crate) before: Edges,
    /// Whether it was chosen; forced tiles follow.
    pub(crate) chosen: bool,
    /// One end of its white and of its red track just after it was laid. The other is the end's partner.
    pub(crate) ends: [EndIndex; 2],
}

/// The smallest rectangle around all tiles, relative to the first one. Empty when `right < left`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct BoundingBox {
    pub(crate) left: i16,
    pub(crate) right: i16,
    pub(crate) top: i16,
    pub(crate) bottom: i16,
}

impl BoundingBox {
    pub(crate) const EMPTY: BoundingBox = BoundingBox { left: 0, right: -1, top: 0, bottom: -1 };

    #[inline]
    pub(crate) fn width(&self) -> usize {
        (self.right - self.left + 1) as usize
    }

    #[inline]
    pub(crate) fn height(&self) -> usize {
        (self.bottom - self.top + 1) as usize
    }

    #[inline]
    pub(crate) fn holds(&self, x: i16, y: i16) -> bool {
        (self.left..=self.right).contains(&x) && (self.top..=self.bottom).contains(&y)
    }

    #[inline]
    pub(crate) fn with(&self, x: i16, y: i16) -> BoundingBox {
        if *self == BoundingBox::EMPTY {
            return BoundingBox { left: x, right: x, top: y, bottom: y };
        }
        BoundingBox {
            left: self.left.min(x),
            right: self.right.max(x),
            top: self.top.min(y),
            bottom: self.bottom.max(y),
        }
    }
}

/// The board. Its grid is wider than the bounding box by at least two cells on every side, so that all neighbours of
/// playable cells are inside. `make_room` maintains this.
#[derive(Clone, Debug)]
pub(crate) struct Board {
    /// The grid has `1 << shift` columns.
    pub(crate) shift: u32,
    /// The cell of the first tile, the origin of places.
    pub(crate) origin: CellIndex,
    /// Steps to the north, east, south and west.
    pub(crate) steps: [u32; 4],
    /// The edges of each cell.
    pub(crate) edges: Vec<Edges>,
    /// The partners of open ends. Entries of laid cells keep their old value, which `take_up` needs, as in Knuth's dancing
    /// links.
    pub(crate) partner: Vec<EndIndex>,
    /// The place of a cell in `playable`, or its place when it was laid.
    pub(crate) slot: Vec<u32>,
    /// The empty cells that touch a tile; the origin while there is none.
    pub(crate) playable: Vec<CellIndex>,
    /// All tiles in the order of laying.
    pub(crate) log: Vec<LaidEntry>,
    pub(crate) frame: BoundingBox,
    /// One bit per cell: whether a tile lies there.
    pub(crate) laid: Vec<u64>,
    /// The number of open ends.
    pub(crate) ends: u32,
    /// The hash sum of all tiles, see `hash`.
    pub(crate) sum: u64,
    /// Cells that await their forced tile; empty between turns.
    pub(crate) forced: Vec<CellIndex>,
    /// The cells that a trial of forced play has changed, with their old edges; empty between trials.
    pub(crate) overwritten: Vec<(CellIndex, Edges)>,
}

impl Board {
    /// The column and row of a cell, counted from the first tile.
    #[inline]
    pub(crate) fn place(&self, cell: CellIndex) -> (i16, i16) {
        let mask = (1 << self.shift) - 1;
        let x = (cell & mask) as i32 - (self.origin & mask) as i32;
        let y = (cell >> self.shift) as i32 - (self.origin >> self.shift) as i32;
        (x as i16, y as i16)
    }

    /// The cell at a place inside the frame or at most two steps from it.
    #[inline]
    pub(crate) fn cell(&self, x: i16, y: i16) -> CellIndex {
        self.origin.wrapping_add_signed((i32::from(y) << self.shift) + i32::from(x))
    }

    #[inline]
    pub(crate) fn neighbour(&self, cell: CellIndex, dir: usize) -> CellIndex {
        cell.wrapping_add(self.steps[dir])
    }

    #[inline]
    pub(crate) fn edges(&self, cell: CellIndex) -> Edges {
        self.edges[cell as usize]
    }

    /// Whether a tile lies on a cell that has edges.
    #[inline]
    pub(crate) fn is_laid(&self, cell: CellIndex) -> bool {
        self.slot[cell as usize] & LAID != 0
    }

    /// Lays a matching tile on a playable cell and adds the cells that it forces. Returns the colours whose tracks it closed
    /// (bit 0 white, bit 1 red). The bounding box must contain the cell.
    #[inline]
    pub(crate) fn lay(&mut self, cell: CellIndex, tile: Edges, chosen: bool) -> u8 {
        let before = self.edges(cell);
        debug_assert_eq!(tile & before, before, "the edges do not match");
        self.leave_playable(cell);
        self.edges[cell as usize] = tile;
        self.laid[cell as usize / 64] |= 1 << (cell % 64);
        let mut open = 0;
        for dir in 0..4 {
            if (before >> (2 * dir)) & 3 == 0 {
                open += 1;
                let next = self.neighbour(cell, dir);
                self.partner[(4 * cell) as usize + dir] = 4 * next + (dir as u32 ^ 2);
                let shown = self.edges[next as usize];
                let now = shown | paint(tile >> (2 * dir) & 3, dir ^ 2);
                self.edges[next as usize] = now;
                if shown == 0 {
                    self.slot[next as usize] = self.playable.len() as u32;
                    self.playable.push(next);
                } else if FORCED[usize::from(now)] != FREE {
                    self.forced.push(next);
                }
            }
        }
        self.ends = self.ends + 2 * open - 4;
        let [a, b, c, d] = tracks(tile);
        let white = self.join(4 * cell + u32::from(a), 4 * cell + u32::from(b));
        let red = self.join(4 * cell + u32::from(c), 4 * cell + u32::from(d));
        let (x, y) = self.place(cell);
        self.sum = hash::add(self.sum, tile, x.into(), y.into());
        self.log.push(LaidEntry { cell, tile, before, chosen, ends: [white, red] });
        u8::from(white == CLOSED) | u8::from(red == CLOSED) << 1
    }

    /// Removes the last tile. The caller restores the bounding box, the number of ends and the sum.
    #[inline]
    pub(crate) fn take_up(&mut self) {
        let Some(LaidEntry { cell, tile, before, .. }) = self.log.pop() else { return };
        let [a, b, c, d] = tracks(tile);
        self.part(4 * cell + u32::from(c), 4 * cell + u32::from(d));
        self.part(4 * cell + u32::from(a), 4 * cell + u32::from(b));
        for dir in (0..4).rev() {
            if (before >> (2 * dir)) & 3 == 0 {
                let next = self.neighbour(cell, dir);
                let now = self.edges[next as usize] & !paint(3, dir ^ 2);
                self.edges[next as usize] = now;
                if now == 0 {
                    self.playable.pop();
                }
            }
        }
        self.edges[cell as usize] = before;
        self.laid[cell as usize / 64] &= !(1 << (cell % 64));
        self.return_playable(cell);
    }

    /// Joins the tracks at the ends `a` and `b` of a cell. Returns one end of the joined track.
    #[inline]
    fn join(&mut self, a: EndIndex, b: EndIndex) -> EndIndex {
        let (x, y) = (self.partner[a as usize], self.partner[b as usize]);
        self.partner[x as usize] = y;
        self.partner[y as usize] = x;
        if x == b { CLOSED } else { x }
    }

    /// Undoes `join`: the entries of the cell still have the far ends.
    #[inline]
    fn part(&mut self, a: EndIndex, b: EndIndex) {
        let (x, y) = (self.partner[a as usize], self.partner[b as usize]);
        self.partner[x as usize] = a;
        self.partner[y as usize] = b;
    }

    #[inline]
    fn leave_playable(&mut self, cell: CellIndex) {
        let place = self.slot[cell as usize];
        self.slot[cell as usize] = place | LAID;
        if let Some(last) = self.playable.pop()
            && last != cell
        {
            self.playable[place as usize] = last;
            self.slot[last as usize] = place;
        }
    }

    #[inline]
    fn return_playable(&mut self, cell: CellIndex) {
        let place = self.slot[cell as usize] & !LAID;
        self.slot[cell as usize] = place;
        let count = self.playable.len() as u32;
        match self.playable.get_mut(place as usize) {
            Some(there) => {
                let moved = std::mem::replace(there, cell);
                self.slot[moved as usize] = count;
                self.playable.push(moved);
            }
            None => self.playable.push(cell),
        }
    }
}
