//! Generation of legal turns without playing them.
//!
//! Only a board with a cave (see `cave`) has illegal turns. There, a tile that forces nothing is legal; the edges of its
//! four neighbours decide that. A tile is also legal when no empty cell gets two new tiles of its chain: three edges of one
//! colour need two. Short chains are checked without changes; the others are tried on the edges.

use crate::board::{Board, BoundingBox, CellIndex};
use crate::cave::Caves;
use crate::edges::{BROKEN, Edges, FORCED, FREE, MATCHING, SHOWING, SIZE, TILES, Tiles, paint};

impl Board {
    /// Calls `found` with each playable cell inside `within` and its legal tiles, until it returns `false`.
    #[inline]
    pub(crate) fn each_cell(&mut self, within: Option<BoundingBox>, mut found: impl FnMut(CellIndex, Tiles) -> bool) {
        let caves = self.caves();
        let corner = self.cell(self.frame.left - 1, self.frame.top - 1);
        let (shift, mask) = (self.shift, (1 << self.shift) - 1);
        for at in 0..self.playable.len() {
            let cell = self.playable[at];
            if let Some(frame) = &within {
                let (x, y) = self.place(cell);
                if !frame.holds(x, y) {
                    continue;
                }
            }
            let suspect = match &caves {
                Caves::None => false,
                Caves::Here(cells) => {
                    let row = (cell >> shift) - (corner >> shift);
                    cells[row as usize] >> ((cell & mask) - (corner & mask)) & 1 != 0
                }
                Caves::Anywhere => true,
            };
            let legal = if suspect { self.legal(cell) } else { MATCHING[usize::from(self.edges(cell))] };
            if !found(cell, legal) {
                return;
            }
        }
    }

    /// The number of legal tiles on the cells inside `within`.
    #[inline]
    pub(crate) fn count(&mut self, within: Option<BoundingBox>) -> u64 {
        if within.is_none() && self.is_open() {
            // Between turns a playable cell is shown one edge, which three tiles match, or two of different
            // colours, which two match: four less the number of edges.
            return 4 * self.playable.len() as u64 - u64::from(self.ends);
        }
        let mut count = 0;
        self.each_cell(within, |_, legal| {
            count += u64::from(SIZE[usize::from(legal)]);
            true
        });
        count
    }

    /// The tiles that may be chosen on a playable cell.
    #[inline]
    fn legal(&mut self, cell: CellIndex) -> Tiles {
        let edges = self.edges(cell);
        let colours = self.forcing_colours(cell, edges);
        let mut legal = MATCHING[usize::from(edges)];
        let mut forcing = legal & SHOWING[usize::from(colours)];
        while forcing != 0 {
            let number = forcing.trailing_zeros();
            forcing &= forcing - 1;
            let tile = TILES[number as usize];
            if !self.is_simple(cell, tile & colours) && self.breaks(cell, tile).is_some() {
                legal &= !(1 << number);
            }
        }
        legal
    }

    /// The colours on the open sides of a playable cell that would force a neighbour: a tile that shows none of them
    /// forces nothing.
    #[inline]
    pub(crate) fn forcing(&self, cell: CellIndex) -> Edges {
        self.forcing_colours(cell, self.edges(cell))
    }

    /// The colours on the open sides of a cell with these edges that would force the neighbour there: those
    /// it is shown already.
    #[inline]
    fn forcing_colours(&self, cell: CellIndex, edges: Edges) -> Edges {
        let shown = |dir: usize| u32::from(self.edges(self.neighbour(cell, dir)));
        // One byte per neighbour; each folds to the two bits of the colours in it.
        let all = shown(0) | shown(1) << 8 | shown(2) << 16 | shown(3) << 24;
        let all = all | (all >> 4 & 0x0f0f_0f0f);
        let all = (all | all >> 2) & 0x0303_0303;
        let colours = (all | all >> 6 | all >> 12 | all >> 18) as u8;
        let met = (edges | edges >> 1) & 0x55;
        colours & !(met | met << 1)
    }

    /// Whether the chain that begins with the colours `hit`, which force neighbours of `cell`, is so short and
    /// straight that no empty cell lies beside two of its tiles.
    #[inline]
    fn is_simple(&self, cell: CellIndex, hit: Edges) -> bool {
        let dir = (hit.trailing_zeros() / 2) as usize;
        let rest = hit & (hit - 1);
        if rest == 0 {
            return self.is_thread(cell, dir, hit);
        }
        let other = (rest.trailing_zeros() / 2) as usize;
        if rest & (rest - 1) != 0
            || (dir ^ 2 != other && !self.is_full(self.neighbour(self.neighbour(cell, dir), other)))
        {
            return false;
        }
        let ends = |dir: usize| {
            let next = self.neighbour(cell, dir);
            let edges = self.edges(next) | paint(hit >> (2 * dir) & 3, dir ^ 2);
            FORCED[usize::from(edges)] & self.forcing_colours(next, edges) == 0
        };
        ends(dir) && ends(other)
    }

    /// Whether a chain that leaves `cell` by one side goes on by one side at a time and ends within three
    /// tiles, with no empty cell in the crook of a bend.
    ///
    /// The next but one tile of such a thread shares with a tile the cell between them, which is laid, and in a
    /// bend the crook. The third shares none, being an odd number of steps away.
    #[inline]
    fn is_thread(&self, cell: CellIndex, dir: usize, hit: Edges) -> bool {
        let (mut cell, mut dir, mut hit) = (cell, dir, hit);
        for _ in 0..3 {
            let next = self.neighbour(cell, dir);
            let edges = self.edges(next) | paint(hit >> (2 * dir), dir ^ 2);
            hit = FORCED[usize::from(edges)] & self.forcing_colours(next, edges);
            if hit == 0 {
                return true;
            }
            let onward = (hit.trailing_zeros() / 2) as usize;
            if hit & (hit - 1) != 0 || (onward != dir && !self.is_full(self.neighbour(cell, onward))) {
                return false;
            }
            (cell, dir) = (next, onward);
        }
        false
    }

    /// Whether all four sides of a cell have colours: between turns, whether a tile lies there.
    #[inline]
    fn is_full(&self, cell: CellIndex) -> bool {
        let edges = self.edges(cell);
        (edges | edges >> 1) & 0x55 == 0x55
    }

    /// The cell that forced play would give three edges of one colour, if any: the turn is illegal then.
    ///
    /// Plays the chain on the edges and undoes it. Laid cells need no special case: their edges do not change.
    #[inline]
    pub(crate) fn breaks(&mut self, cell: CellIndex, tile: Edges) -> Option<CellIndex> {
        let broken = self.spread(cell, tile);
        self.undo_spread();
        broken
    }

    /// The tiles forced play would add to this one, in the order in which it reaches them; `Err` names a cell with
    /// three edges of one colour.
    #[inline]
    pub(crate) fn chain(&mut self, cell: CellIndex, tile: Edges) -> Result<Vec<(CellIndex, Edges)>, CellIndex> {
        let broken = self.spread(cell, tile);
        // The last colours of a changed cell are its tile, unless it only lies beside the chain.
        let mut laid = Vec::new();
        for &(changed, _) in &self.overwritten {
            let now = FORCED[usize::from(self.edges(changed))];
            if changed != cell && now != FREE && !laid.contains(&(changed, now)) {
                laid.push((changed, now));
            }
        }
        self.undo_spread();
        broken.map_or(Ok(laid), Err)
    }

    /// Undoes `spread`.
    #[inline]
    fn undo_spread(&mut self) {
        while let Some((cell, before)) = self.overwritten.pop() {
            self.edges[cell as usize] = before;
        }
        self.forced.clear();
    }

    /// Propagates the edges of a tile and of all tiles that it forces, until nothing changes or a cell breaks.
    #[inline]
    fn spread(&mut self, cell: CellIndex, tile: Edges) -> Option<CellIndex> {
        self.overwritten.push((cell, self.edges(cell)));
        self.edges[cell as usize] = tile;
        let (mut cell, mut tile) = (cell, tile);
        loop {
            for dir in 0..4 {
                let next = self.neighbour(cell, dir);
                let shown = self.edges(next);
                let now = shown | paint(tile >> (2 * dir) & 3, dir ^ 2);
                if now == shown {
                    continue;
                }
                self.overwritten.push((next, shown));
                self.edges[next as usize] = now;
                match FORCED[usize::from(now)] {
                    FREE => {}
                    BROKEN => return Some(next),
                    _ => self.forced.push(next),
                }
            }
            cell = self.forced.pop()?;
            let before = self.edges(cell);
            tile = FORCED[usize::from(before)];
            self.overwritten.push((cell, before));
            self.edges[cell as usize] = tile;
        }
    }
}
