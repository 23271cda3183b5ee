//! Trax for neural networks: a window of 16 × 16 cells with the bounding box in its centre.
//!
//! There is a plane for each of the six tiles, with the colours as the mover sees them, and one for the cells next to a
//! tile. A label is a cell and a glyph. What lies outside the window is not encoded, and a move there has no label; a
//! search gives such moves the mean of the others.

use tesuji_game::{Encoding, Game, PlaneInput, Planes};

use crate::tile::{Dir, Glyph};
use crate::{Coordinate, Move, Trax, Variant};

/// Cells of the window in a row.
pub(crate) const WINDOW: usize = 16;

impl<V: Variant> Planes for Trax<V> {
    const ENCODING: Encoding =
        Encoding { name: "trax-7/1", height: WINDOW, width: WINDOW, planes: 7, policy_planes: Glyph::ALL.len() };

    fn planes(&self, input: &mut impl PlaneInput) {
        let mover = self.mover();
        for laid in self.tiles() {
            if let Some(square) = self.square(laid.place) {
                // The two tiles of a glyph differ by an exchange of colours.
                let swapped = laid.tile.side(Dir::North) != mover;
                input.square(2 * laid.tile.glyph() as usize + usize::from(swapped), square);
            }
        }
        for place in self.playable() {
            if let Some(square) = self.square(place) {
                input.square(6, square);
            }
        }
    }

    fn label(&self, mv: Move) -> Option<usize> {
        Some(mv.glyph()? as usize * WINDOW * WINDOW + self.square(mv.place())?)
    }
}

impl<V: Variant> Trax<V> {
    /// The square of the window; `None` outside. The box of all tiles lies in the centre.
    fn square(&self, place: Coordinate) -> Option<usize> {
        let (width, height) = self.size();
        let within = |at: u16, size: usize| {
            let square = (usize::from(at) + WINDOW / 2).checked_sub(size / 2 + 1)?;
            (square < WINDOW).then_some(square)
        };
        Some(within(place.row, height)? * WINDOW + within(place.column, width)?)
    }
}
