//! Caves: the only regions where forced play can make a turn illegal, found with bit operations.
//!
//! A turn is illegal when an empty cell comes to show three edges of one colour. Before the turn it showed at
//! most one, so two tiles of the turn lie beside it. Consider the *first* empty cell, `f`, with two tiles of
//! the turn beside it. Until then every forced tile had one new neighbour, hence also an old one; and the
//! chosen tile has an old one by the rules. The turn's tiles hang together, so `f` and some of them make a
//! ring of cells that were empty before, all but `f` beside an old tile.
//!
//! - A tile chosen outside the box has its one old neighbour inside, and the tiles forced next to it too, so
//!   they run along the outside and never make a ring: **turns outside the box are legal**. A turn inside the
//!   box stays there.
//! - The old tiles hang together as well, so none of them lies inside the ring, and all that the ring
//!   encloses is empty.
//! - Its upper left corner (the leftmost cell of its top row), the next cells of the ring to the right and
//!   below, and the cell between those are a 2x2 block of empty cells; the other three corners are alike. No
//!   cell is in the ring at or next to all four corners, so one of these blocks has three cells of the ring
//!   without `f`: three cells beside tiles.
//!
//! So a board without a 2x2 block of empty cells, at least three of them beside tiles, has no illegal turn. On
//! the others only those tiles are suspect that lie inside the box, in such blocks or connected with one over
//! empty cells beside tiles.

use crate::board::{Board, CellIndex};

/// The most rows of an analysed box; larger ones are suspect throughout.
const ROWS: usize = 62;

/// The cells of a box: a word for each row from the one above the box, bit 0 left of it.
type BoxCells = [u64; ROWS + 2];

/// The cells where a chosen tile may make its turn illegal.
#[allow(clippy::large_enum_variant, reason = "one lives on the stack for a moment; a box would be allocated")]
pub(crate) enum Caves {
    /// Nowhere: every tile that matches is legal.
    None,
    /// On these cells.
    Here(BoxCells),
    /// Not analysed: all cells.
    Anywhere,
}

/// The tiles of a box as bits.
struct BoxBits<'a> {
    laid: &'a [u64],
    shift: u32,
    /// The cell above and left of the box.
    corner: CellIndex,
    height: usize,
    /// The columns of the box.
    inside: u64,
}

impl Board {
    /// The caves of the board between turns.
    #[inline]
    pub(crate) fn caves(&self) -> Caves {
        match self.plan() {
            None => Caves::Anywhere,
            Some(plan) if plan.is_open() => Caves::None,
            Some(plan) => Caves::Here(plan.suspects()),
        }
    }

    /// Whether no turn is illegal, for certain.
    #[inline]
    pub(crate) fn is_open(&self) -> bool {
        self.plan().is_some_and(|plan| plan.is_open())
    }

    /// `None` when the rows of the grid do not fit into words.
    #[inline]
    fn plan(&self) -> Option<BoxBits<'_>> {
        let (width, height) = (self.frame.width(), self.frame.height());
        let fits = self.shift <= u64::BITS.trailing_zeros() && height <= ROWS;
        fits.then(|| BoxBits {
            laid: &self.laid,
            shift: self.shift,
            corner: self.cell(self.frame.left - 1, self.frame.top - 1),
            height,
            inside: !(u64::MAX << width) << 1,
        })
    }
}

impl BoxBits<'_> {
    /// The tiles of a row; the first of the box is number 1.
    #[inline]
    fn tiles(&self, row: usize) -> u64 {
        let cell = self.corner as usize + (row << self.shift);
        self.laid[cell / 64] >> (cell % 64) & self.inside
    }

    /// Whether no block has three cells beside tiles.
    #[inline]
    fn is_open(&self) -> bool {
        let mut rows = RowWindow::top(self);
        (1..self.height).all(|row| rows.step(self, row) == 0)
    }

    /// The empty cells of the box that lie beside a tile and are connected, over such cells, with a block that
    /// has three of them.
    #[inline]
    fn suspects(&self) -> BoxCells {
        let (mut beside, mut found) = ([0; ROWS + 2], [0; ROWS + 2]);
        let mut rows = RowWindow::top(self);
        beside[1] = rows.beside;
        for row in 1..self.height {
            let block = rows.step(self, row);
            beside[row + 1] = rows.beside;
            found[row] = (found[row] | block | block << 1) & beside[row];
            found[row + 1] = (block | block << 1) & beside[row + 1];
        }
        loop {
            let mut grown = false;
            for row in 1..=self.height {
                let mut cells = found[row] | (found[row - 1] | found[row + 1]) & beside[row];
                while cells != cells | (cells << 1 | cells >> 1) & beside[row] {
                    cells |= (cells << 1 | cells >> 1) & beside[row];
                }
                grown |= cells != found[row];
                found[row] = cells;
            }
            if !grown {
                return found;
            }
        }
    }
}

/// A window that moves down the rows of a box.
struct RowWindow {
    here: u64,
    below: u64,
    /// The empty cells of the row beside tiles.
    beside: u64,
}

impl RowWindow {
    /// At the first row of the box.
    #[inline]
    fn top(plan: &BoxBits<'_>) -> RowWindow {
        let (here, below) = (plan.tiles(1), plan.tiles(2));
        RowWindow { here, below, beside: plan.inside & !here & (here << 1 | here >> 1 | below) }
    }

    /// Moves on from `row`, and gives the upper left cells of the empty blocks there, and one row further,
    /// that have three cells beside tiles.
    #[inline]
    fn step(&mut self, plan: &BoxBits<'_>, row: usize) -> u64 {
        let RowWindow { here, below, beside } = *self;
        let beyond = plan.tiles(row + 2);
        let next = plan.inside & !below & (below << 1 | below >> 1 | here | beyond);
        *self = RowWindow { here: below, below: beyond, beside: next };
        let empty = plan.inside & !here & !below;
        let (upper, lower) = (beside & beside >> 1, next & next >> 1);
        let three = upper & (next | next >> 1) | lower & (beside | beside >> 1);
        empty & empty >> 1 & three
    }
}

#[cfg(test)]
mod tests {
    use tesuji_game::Game;

    use crate::edges::{MATCHING, TILES};
    use crate::{Loops, Trax};

    /// Long games without a winner, so that boards grow wide and ragged: legality by caves agrees with a trial of each
    /// chain.
    #[test]
    fn nothing_outside_a_cave_breaks() {
        let (mut seed, mut illegal, mut open, mut positions) = (3u64, 0, 0, 0);
        for _ in 0..tesuji_laws::effort() {
            let mut game = Trax::<Loops>::start();
            let mut list = Vec::new();
            for _ in 0..100 {
                game.moves(&mut list);
                list.retain(|&mv| {
                    let undo = game.play(mv);
                    let goes_on = game.outcome().is_none();
                    game.undo(undo);
                    goes_on
                });
                if list.is_empty() {
                    break;
                }
                seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                game.play(list[(seed >> 33) as usize % list.len()]);
                positions += 1;
                open += u32::from(game.board.is_open());
                let mut found = Vec::new();
                game.board.each_cell(None, |cell, legal| {
                    found.push((cell, legal));
                    true
                });
                for (cell, legal) in found {
                    for (number, &tile) in TILES.iter().enumerate() {
                        let matches = MATCHING[usize::from(game.board.edges(cell))] >> number & 1 == 1;
                        let breaks = matches && game.board.breaks(cell, tile).is_some();
                        illegal += u32::from(breaks);
                        assert_eq!(legal >> number & 1 == 1, matches && !breaks, "{} in {game:?}", game.named(cell));
                    }
                }
            }
        }
        assert!(illegal > positions / 10, "{illegal} illegal turns in {positions} positions");
        assert!(open > positions / 20 && open < positions, "{open} open boards among {positions}");
    }
}
