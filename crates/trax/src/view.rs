//! The board view: the bounding box and the cells around it.

use tesuji_game::{BoardView, Ground, Highlight, HighlightKind, Side, View, ViewCell};

use crate::moves::{Coordinate, Move, column_name};
use crate::position::Trax;
use crate::tile::{Dir, Tile};
use crate::variant::Variant;

impl<V: Variant> Trax<V> {
    /// Columns of the picture: the box and a column on either side, or the one cell of an empty board.
    fn picture_size(&self) -> (u16, u16) {
        match self.size() {
            (0, _) => (1, 1),
            (width, height) => (width as u16 + 2, height as u16 + 2),
        }
    }

    fn picture_cell(&self, place: Coordinate) -> usize {
        usize::from(place.row) * usize::from(self.picture_size().0) + usize::from(place.column)
    }
}

impl<V: Variant> BoardView for Trax<V> {
    const HIGHLIGHTS: Option<HighlightKind> = Some(HighlightKind::Attack);

    fn view(&self) -> View {
        let (columns, rows) = self.picture_size();
        let mut cells = vec![ViewCell::Empty; usize::from(columns) * usize::from(rows)];
        for laid in self.tiles() {
            cells[self.picture_cell(laid.place)] = picture_tile(laid.tile);
        }
        View {
            columns: (0..columns).map(column_name).collect(),
            rows: (0..rows).map(|row| row.to_string()).collect(),
            cells,
            hands: [Vec::new(), Vec::new()],
            last: self.last_turn().map(|laid| self.picture_cell(laid.place)).collect(),
            ground: Ground::Table,
        }
    }

    fn cells(&self, mv: Move) -> Vec<usize> {
        vec![self.picture_cell(mv.place())]
    }

    fn players() -> [&'static str; 2] {
        ["white", "red"]
    }

    /// The chosen tile and those it forces.
    fn preview(&self, mv: Move) -> Vec<(usize, ViewCell)> {
        let laid = self.clone().chain(mv).unwrap_or_default();
        laid.into_iter().map(|laid| (self.picture_cell(laid.place), picture_tile(laid.tile))).collect()
    }

    /// Counted from the first tile.
    fn origin(&self) -> (i32, i32) {
        let (column, row) = if self.is_empty() { (0, 0) } else { self.corner() };
        (column.into(), row.into())
    }

    fn winning_cells(&self) -> Option<(Side, Vec<usize>)> {
        let (winner, tiles) = self.winning_tiles()?;
        Some((winner, tiles.into_iter().map(|place| self.picture_cell(place)).collect()))
    }

    /// The attacks of both sides: where a tile would complete a track.
    fn highlights(&self) -> Vec<Highlight> {
        let attacks = |side: Side| {
            let moves = self.clone().wins_in_one(side);
            let mut cells: Vec<usize> = moves.into_iter().map(|mv| self.picture_cell(mv.place())).collect();
            cells.sort_unstable();
            cells.dedup();
            Highlight { side, cells }
        };
        Side::BOTH.map(attacks).into_iter().filter(|highlight| !highlight.cells.is_empty()).collect()
    }
}

fn picture_tile(tile: Tile) -> ViewCell {
    ViewCell::Tile(Dir::ALL.map(|dir| tile.side(dir)))
}
