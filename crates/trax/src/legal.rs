//! Whether one given move is legal, and if not, why not.

use tesuji_game::{Game, MoveList};

use crate::board::CellIndex;
use crate::edges::Edges;
use crate::moves::{Move, column_name};
use crate::position::Trax;
use crate::tile::Glyph;
use crate::variant::{LARGEST, LONGEST, Variant};

/// Why a move cannot be played.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Illegal {
    /// The game has ended.
    Over,
    /// Not allowed as the first tile.
    First,
    /// The coordinate is not in or next to the bounding box.
    Nowhere,
    /// The cell has a tile.
    Occupied,
    /// The cell has no neighbouring tile.
    Apart,
    /// The bounding box would be too large.
    TooLarge,
    /// No tile of this glyph has the edges of this cell.
    Mismatch(CellIndex),
    /// This cell would get three edges of one colour.
    Broken(CellIndex),
}

impl<V: Variant> Trax<V> {
    /// The cell and the tile of a move, or why it is illegal.
    #[inline]
    pub(crate) fn check(&mut self, mv: Move) -> Result<(CellIndex, Edges), Illegal> {
        if self.done != 0 {
            return Err(Illegal::Over);
        }
        let (Some(cell), Some(glyph)) = (self.cell(mv.place()), mv.glyph()) else {
            return Err(Illegal::Nowhere);
        };
        if self.is_empty() {
            return self.tile_for(cell, glyph).map(|tile| (cell, tile)).ok_or(Illegal::First);
        }
        if self.board.edges(cell) == 0 {
            return Err(Illegal::Apart);
        }
        if self.board.is_laid(cell) {
            return Err(Illegal::Occupied);
        }
        let (x, y) = self.board.place(cell);
        if self.within().is_some_and(|frame| !frame.holds(x, y)) {
            return Err(Illegal::TooLarge);
        }
        let tile = self.tile_for(cell, glyph).ok_or(Illegal::Mismatch(cell))?;
        match self.board.breaks(cell, tile) {
            Some(broken) => Err(Illegal::Broken(broken)),
            None => Ok((cell, tile)),
        }
    }

    /// The error message, with what is expected.
    #[inline]
    pub(crate) fn explain(&mut self, illegal: Illegal) -> String {
        match illegal {
            Illegal::Over => "the game is over".to_owned(),
            Illegal::Nowhere if !self.is_empty() => {
                let (columns, rows) = self.size();
                let last = column_name(columns as u16 + 1);
                format!("there is no such cell: columns run from @ to {last}, rows from 0 to {}", rows + 1)
            }
            Illegal::First | Illegal::Nowhere => {
                let mut moves = Vec::new();
                self.moves(&mut moves);
                let moves: Vec<String> = moves.each().map(|mv| mv.to_string()).collect();
                format!("the first move must be {}", moves.join(" or "))
            }
            Illegal::Occupied => "a tile lies there already; play on an empty cell beside one".to_owned(),
            Illegal::Apart => "the cell is not adjacent to a tile; play on an empty cell beside one".to_owned(),
            Illegal::TooLarge if V::LONGEST < LONGEST => {
                format!("the box would exceed {0}x{0}", V::LONGEST)
            }
            Illegal::TooLarge => {
                format!("the box would exceed {LONGEST} columns or rows, or {LARGEST} cells")
            }
            Illegal::Mismatch(cell) => {
                let fits = |glyph: &Glyph| self.tile_for(cell, *glyph).is_some();
                let signs: Vec<String> =
                    Glyph::ALL.into_iter().filter(fits).map(|glyph| glyph.sign().to_string()).collect();
                format!("the edges do not match; here {} would", signs.join(" or "))
            }
            Illegal::Broken(cell) => {
                let place = self.named(cell);
                format!("the turn is illegal: forced play gives {place} three edges of one colour")
            }
        }
    }
}
