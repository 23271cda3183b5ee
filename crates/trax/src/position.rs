//! The position: whole turns, loops and lines.

use std::fmt;
use std::marker::PhantomData;

use tesuji_game::{Ending, Game, Notation, Outcome, Path, Side};

use crate::board::{Board, BoundingBox, CLOSED, CellIndex};
use crate::edges::{Edges, FORCED, NUMBER, TILES, matching};
use crate::inspect::WinKind;
use crate::moves::{Coordinate, Move};
use crate::symmetry::TraxSymmetry;
use crate::tile::{Dir, Glyph};
use crate::variant::{LARGEST, Variant};

/// A position of Trax, and the turns that led to it.
///
/// Two positions are equal when they have the same tiles *relative to their bounding box* and the same player to move. The
/// history is kept for the notation and ignored by comparison.
#[derive(Clone)]
pub struct Trax<V: Variant> {
    pub(crate) board: Board,
    pub(crate) mover: Side,
    /// The completed wins: see [`LOOP`], [`LINE`] and [`STUCK`].
    pub(crate) done: u8,
    /// The symmetry of the view. Only two first tiles are allowed, so a transformed empty board is another position. After
    /// the first tile this only affects the notation.
    pub(crate) turned: TraxSymmetry,
    variant: PhantomData<V>,
}

/// A loop of white; shifted by one, of red.
pub(crate) const LOOP: u8 = 1;
/// A line of white; shifted by one, of red.
pub(crate) const LINE: u8 = 1 << 2;
/// No move is left.
pub(crate) const STUCK: u8 = 1 << 4;

/// A line must be at least this long.
pub(crate) const SHORTEST_LINE: usize = 8;

/// The data that `undo` needs besides the log of tiles.
#[derive(Clone, Copy, Debug)]
pub struct Undo {
    sum: u64,
    frame: BoundingBox,
    ends: u32,
    tiles: u32,
}

impl<V: Variant> Trax<V> {
    /// An empty board under a symmetry.
    pub(crate) fn empty(turned: TraxSymmetry) -> Trax<V> {
        let mover = if turned.swaps() { Side::Second } else { Side::First };
        Trax { board: Board::new(), mover, done: 0, turned, variant: PhantomData }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.board.log.is_empty()
    }

    /// The two allowed first tiles: a white curve in the north-west, or straight tracks.
    pub(crate) fn first_tiles(&self) -> [Edges; 2] {
        [TILES[2], TILES[0]].map(|tile| self.turned.edges(tile))
    }

    /// Whether the box may gain a column; whether it may gain a row.
    pub(crate) fn may_grow(&self) -> (bool, bool) {
        let (width, height) = (self.board.frame.width(), self.board.frame.height());
        (width < V::LONGEST && (width + 1) * height <= LARGEST, height < V::LONGEST && width * (height + 1) <= LARGEST)
    }

    /// Where a tile may be chosen; `None` for everywhere.
    #[inline]
    pub(crate) fn within(&self) -> Option<BoundingBox> {
        match self.may_grow() {
            (true, true) => None,
            (wider, higher) => {
                let BoundingBox { left, right, top, bottom } = self.board.frame;
                let (wider, higher) = (i16::from(wider), i16::from(higher));
                Some(BoundingBox {
                    left: left - wider,
                    right: right + wider,
                    top: top - higher,
                    bottom: bottom + higher,
                })
            }
        }
    }

    /// Column 0 and row 0 of the notation, counted from the first tile.
    #[inline]
    pub(crate) fn corner(&self) -> (i16, i16) {
        (self.board.frame.left - 1, self.board.frame.top - 1)
    }

    /// The coordinate of a cell in or next to the bounding box.
    pub(crate) fn named(&self, cell: CellIndex) -> Coordinate {
        let ((x, y), (left, top)) = (self.board.place(cell), self.corner());
        Coordinate { column: (x - left) as u16, row: (y - top) as u16 }
    }

    /// The cell of a coordinate in or next to the bounding box.
    pub(crate) fn cell(&self, place: Coordinate) -> Option<CellIndex> {
        if self.is_empty() {
            return (place == Coordinate { column: 0, row: 0 }).then_some(self.board.origin);
        }
        let (width, height) = (self.board.frame.width(), self.board.frame.height());
        let inside = usize::from(place.column) <= width + 1 && usize::from(place.row) <= height + 1;
        let (left, top) = self.corner();
        inside.then(|| self.board.cell(left + place.column as i16, top + place.row as i16))
    }

    /// The tile that `glyph` stands for on an empty cell, if one matches there.
    #[inline]
    pub(crate) fn tile_for(&self, cell: CellIndex, glyph: Glyph) -> Option<Edges> {
        if self.is_empty() {
            self.first_tiles().into_iter().find(|&tile| NUMBER[usize::from(tile)] / 2 == glyph as u8)
        } else {
            matching(self.board.edges(cell), glyph)
        }
    }

    /// The undo of a turn that has laid nothing yet.
    #[inline]
    pub(crate) fn undo_of_nothing(&self) -> Undo {
        let Board { sum, frame, ends, ref log, .. } = self.board;
        Undo { sum, frame, ends, tiles: log.len() as u32 }
    }

    /// Plays the turn that chooses this legal tile on a playable cell.
    #[inline]
    pub(crate) fn play_tile(&mut self, cell: CellIndex, tile: Edges) -> Undo {
        let undo = self.undo_of_nothing();
        let (x, y) = self.board.place(cell);
        self.board.make_room(x, y);
        // The grid may have grown.
        self.turn(self.board.cell(x, y), tile);
        undo
    }

    /// Lays a tile and all it forces, and passes the turn. The tile must be legal.
    fn turn(&mut self, cell: CellIndex, tile: Edges) {
        let from = self.board.log.len();
        let mut closed = self.board.lay(cell, tile, true);
        while let Some(cell) = self.board.forced.pop() {
            if !self.board.is_laid(cell) {
                let tile = FORCED[usize::from(self.board.edges(cell))];
                closed |= self.board.lay(cell, tile, false);
            }
        }
        self.done = closed;
        let frame = &self.board.frame;
        if V::LINES && (frame.width() >= SHORTEST_LINE || frame.height() >= SHORTEST_LINE) {
            self.done |= self.lines(from);
        }
        self.mover = !self.mover;
        // While the box may grow, the cell beyond the end of its outermost row or column takes some tile
        // that forces nothing.
        if self.done == 0 && self.may_grow() == (false, false) && !self.can_move() {
            self.done = STUCK;
        }
    }

    /// The lines among the tracks through tiles laid since `from`.
    fn lines(&self, from: usize) -> u8 {
        let BoundingBox { left, right, top, bottom } = self.board.frame;
        let wide = self.board.frame.width() >= SHORTEST_LINE;
        let high = self.board.frame.height() >= SHORTEST_LINE;
        // The side of the box that an end leaves by: the tile behind it lies the other way.
        let leaves = |end: u32| {
            let (x, y) = self.board.place(end / 4);
            match Dir::ALL[(end % 4) as usize] {
                Dir::East if wide && x < left => Some(Dir::West),
                Dir::West if wide && x > right => Some(Dir::East),
                Dir::South if high && y < top => Some(Dir::North),
                Dir::North if high && y > bottom => Some(Dir::South),
                _ => None,
            }
        };
        let mut found = 0;
        for entry in &self.board.log[from..] {
            for (colour, &end) in entry.ends.iter().enumerate() {
                // An end that a later tile of this turn met is no end any more; that tile knows the track.
                if end != CLOSED
                    && let Some(side) = leaves(end)
                    && !self.board.is_laid(end / 4)
                    && leaves(self.board.partner[end as usize]) == Some(side.opposite())
                {
                    found |= LINE << colour;
                }
            }
        }
        found
    }

    fn can_move(&mut self) -> bool {
        let mut can = false;
        self.board.each_cell(self.within(), |_, legal| {
            can = legal != 0;
            !can
        });
        can
    }

    /// The winner and the kind of win.
    pub(crate) fn winner(&self) -> Option<(Side, WinKind)> {
        let last = !self.mover;
        [last, self.mover].into_iter().find_map(|side| Some((side, self.completed(side)?)))
    }
}

impl<V: Variant> Game for Trax<V> {
    type Move = Move;
    type Moves = Vec<Move>;
    type Undo = Undo;
    type Rules = ();

    const NAME: &'static str = V::NAME;
    const REASONS: &'static [&'static str] = &["loop", "line", "no-moves"];
    const RECURS: bool = false;

    fn start() -> Trax<V> {
        Trax::empty(TraxSymmetry::NONE)
    }

    #[inline]
    fn mover(&self) -> Side {
        self.mover
    }

    fn moves(&mut self, out: &mut Vec<Move>) {
        out.clear();
        if self.done != 0 {
            return;
        }
        if self.is_empty() {
            let place = Coordinate { column: 0, row: 0 };
            out.extend(self.first_tiles().map(|tile| Move::new(place, glyph(NUMBER[usize::from(tile)]))));
            return;
        }
        let corner = self.board.cell(self.corner().0, self.corner().1);
        let mask = (1 << self.board.shift) - 1;
        let shift = self.board.shift;
        self.board.each_cell(self.within(), |cell, mut legal| {
            let column = ((cell & mask) - (corner & mask)) as u16;
            let row = ((cell >> shift) - (corner >> shift)) as u16;
            while legal != 0 {
                out.push(Move::new(Coordinate { column, row }, glyph(legal.trailing_zeros() as u8)));
                legal &= legal - 1;
            }
            true
        });
    }

    fn count(&mut self) -> u64 {
        match (self.done, self.is_empty()) {
            (0, false) => self.board.count(self.within()),
            (0, true) => 2,
            _ => 0,
        }
    }

    fn play(&mut self, mv: Move) -> Undo {
        let undo = self.undo_of_nothing();
        let place = mv.place();
        let (x, y) = match self.is_empty() {
            true => (0, 0),
            false => {
                let (left, top) = self.corner();
                (left + place.column as i16, top + place.row as i16)
            }
        };
        let tile = mv.glyph().and_then(|glyph| self.tile_for(self.board.cell(x, y), glyph));
        debug_assert!(tile.is_some(), "{mv:?} is not legal in {self:?}");
        if let Some(tile) = tile {
            self.board.make_room(x, y);
            self.turn(self.board.cell(x, y), tile);
        }
        undo
    }

    fn undo(&mut self, undo: Undo) {
        while self.board.log.len() > undo.tiles as usize {
            self.board.take_up();
        }
        self.board.frame = undo.frame;
        self.board.sum = undo.sum;
        self.board.ends = undo.ends;
        self.done = 0;
        self.mover = !self.mover;
    }

    fn outcome(&self) -> Option<Outcome> {
        match self.done {
            0 => None,
            _ => Some(Outcome::of(self.winner().map(|(side, _)| side), self.mover)),
        }
    }

    fn key(&self) -> u64 {
        self.identity_key()
    }

    fn ending(&self, _: &Path<Self>) -> Option<Ending> {
        match self.winner() {
            Some((side, way)) => Some(Ending { winner: Some(side), reason: way.name() }),
            None if self.done != 0 => Some(Ending { winner: None, reason: "no-moves" }),
            None => None,
        }
    }
}

#[inline]
fn glyph(number: u8) -> Glyph {
    Glyph::ALL[usize::from(number / 2)]
}

impl<V: Variant> fmt::Debug for Trax<V> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}({})", V::NAME, self.print())
    }
}
