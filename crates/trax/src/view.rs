//! The board view: the bounding box and the cells around it.

use tesuji_game::{BoardView, Ground, View};

use crate::moves::{Coordinate, Move, column_name};
use crate::position::Trax;
use crate::tile::Dir;
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
    fn view(&self) -> View {
        let (columns, rows) = self.picture_size();
        let mut cells = vec![tesuji_game::ViewCell::Empty; usize::from(columns) * usize::from(rows)];
        for laid in self.tiles() {
            let sides = Dir::ALL.map(|dir| laid.tile.side(dir));
            cells[self.picture_cell(laid.place)] = tesuji_game::ViewCell::Tile(sides);
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
}
