//! Queries for evaluations and searches: tiles, the bounding box, the ends of tracks and forced chains. Coordinates are
//! relative to the current bounding box.

use tesuji_game::Side;

use crate::board::{CellIndex, LaidEntry};
use crate::edges::colour;
use crate::moves::{Coordinate, Move};
use crate::position::{LINE, LOOP, Trax};
use crate::tile::{Dir, Tile};
use crate::variant::Variant;

/// A laid tile.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LaidTile {
    /// Its coordinate.
    pub place: Coordinate,
    /// The tile.
    pub tile: Tile,
    /// Whether it was chosen or forced.
    pub chosen: bool,
}

/// An open end of a track, at an empty cell.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TrackEnd {
    /// The empty cell.
    pub place: Coordinate,
    /// The side of that cell where the last tile of the track is.
    pub dir: Dir,
    /// The owner of the track.
    pub side: Side,
    /// The empty cell and its side at the track's other end.
    pub other: (Coordinate, Dir),
}

/// The kind of a win.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum WinKind {
    /// A closed track.
    Loop,
    /// A track from one side of the box to the opposite one, eight or more apart.
    Line,
}

impl WinKind {
    /// Its name in records.
    #[inline]
    pub fn name(self) -> &'static str {
        match self {
            WinKind::Loop => "loop",
            WinKind::Line => "line",
        }
    }
}

impl<V: Variant> Trax<V> {
    /// Columns and rows of the box of all tiles.
    #[inline]
    pub fn size(&self) -> (usize, usize) {
        (self.board.frame.width(), self.board.frame.height())
    }

    /// The tile at a place, if one lies there.
    #[inline]
    pub fn tile(&self, place: Coordinate) -> Option<Tile> {
        let cell = self.cell(place)?;
        let edges = self.board.edges(cell);
        (edges != 0 && self.board.is_laid(cell)).then(|| Tile::of(edges))
    }

    /// All tiles, in the order in which they were laid.
    #[inline]
    pub fn tiles(&self) -> impl DoubleEndedIterator<Item = LaidTile> + ExactSizeIterator + '_ {
        self.board.log.iter().map(|entry| self.laid(entry))
    }

    /// The tiles of the last turn, the chosen one first.
    #[inline]
    pub fn last_turn(&self) -> impl ExactSizeIterator<Item = LaidTile> + '_ {
        let from = self.board.log.iter().rposition(|entry| entry.chosen).unwrap_or(0);
        self.board.log[from..].iter().map(|entry| self.laid(entry))
    }

    #[inline]
    fn laid(&self, entry: &LaidEntry) -> LaidTile {
        LaidTile { place: self.named(entry.cell), tile: Tile::of(entry.tile), chosen: entry.chosen }
    }

    /// The number of turns played.
    #[inline]
    pub fn turns(&self) -> usize {
        self.board.log.iter().filter(|entry| entry.chosen).count()
    }

    /// The empty cells that touch a tile; each takes some tile, unless its forced play is illegal.
    #[inline]
    pub fn playable(&self) -> impl Iterator<Item = Coordinate> + '_ {
        let cells = if self.is_empty() { &[] } else { self.board.playable.as_slice() };
        cells.iter().map(|&cell| self.named(cell))
    }

    /// The track that enters an empty cell by this side, if one does.
    #[inline]
    pub fn end(&self, place: Coordinate, dir: Dir) -> Option<TrackEnd> {
        let cell = self.cell(place)?;
        self.end_at(cell, dir)
    }

    /// All open ends: every track that has not closed is seen from both.
    #[inline]
    pub fn ends(&self) -> impl Iterator<Item = TrackEnd> + '_ {
        self.board
            .playable
            .iter()
            .flat_map(move |&cell| Dir::ALL.into_iter().filter_map(move |dir| self.end_at(cell, dir)))
    }

    #[inline]
    fn end_at(&self, cell: CellIndex, dir: Dir) -> Option<TrackEnd> {
        let edges = self.board.edges(cell) >> (2 * dir as u8);
        if edges & 3 == 0 || self.board.is_laid(cell) {
            return None;
        }
        let other = self.board.partner[4 * cell as usize + dir as usize];
        let other = (self.named(other / 4), Dir::ALL[(other % 4) as usize]);
        Some(TrackEnd { place: self.named(cell), dir, side: colour(edges), other })
    }

    /// Whether a move is legal; cheaper than generating all moves.
    #[inline]
    pub fn is_legal(&mut self, mv: Move) -> bool {
        self.check(mv).is_ok()
    }

    /// The tiles that a move would lay, the chosen one first, at places of the box before the move; `None`
    /// when it is not legal.
    #[inline]
    pub fn chain(&mut self, mv: Move) -> Option<Vec<LaidTile>> {
        let (cell, tile) = self.check(mv).ok()?;
        let forced = if self.is_empty() { Vec::new() } else { self.board.chain(cell, tile).ok()? };
        let chosen = LaidTile { place: mv.place(), tile: Tile::of(tile), chosen: true };
        let forced = forced.into_iter().map(|(cell, tile)| LaidTile {
            place: self.named(cell),
            tile: Tile::of(tile),
            chosen: false,
        });
        Some([chosen].into_iter().chain(forced).collect())
    }

    /// The completed win of a player; a loop comes before a line. When a turn completes wins of both players, the player who
    /// made it has won.
    #[inline]
    pub fn completed(&self, side: Side) -> Option<WinKind> {
        match self.done >> side.index() {
            done if done & LOOP != 0 => Some(WinKind::Loop),
            done if done & LINE != 0 => Some(WinKind::Line),
            _ => None,
        }
    }
}
