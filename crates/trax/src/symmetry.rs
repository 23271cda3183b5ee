//! The sixteen symmetries: rotations, reflections and an exchange of colours.

use tesuji_game::{Game, Side, Symmetric};

use crate::board::BoundingBox;
use crate::edges::Edges;
use crate::hash;
use crate::identity::board_key;
use crate::moves::{Coordinate, Move};
use crate::position::{LINE, LOOP, STUCK, Trax};
use crate::tile::Glyph;
use crate::variant::Variant;

/// A symmetry: reflect left and right (bit 2), then rotate clockwise by quarter turns (the low two bits); exchange the
/// colours (bit 3).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct TraxSymmetry(u8);

impl TraxSymmetry {
    pub(crate) const NONE: TraxSymmetry = TraxSymmetry(0);
    pub(crate) const COUNT: usize = 16;

    /// The symmetry of this number, if there is one.
    pub(crate) fn new(number: usize) -> Option<TraxSymmetry> {
        (number < TraxSymmetry::COUNT).then_some(TraxSymmetry(number as u8))
    }

    pub(crate) fn number(self) -> u8 {
        self.0
    }

    /// Whether the players change colours.
    pub(crate) fn swaps(self) -> bool {
        self.0 & 8 != 0
    }

    fn mirrors(self) -> bool {
        self.0 & 4 != 0
    }

    fn quarters(self) -> u8 {
        self.0 & 3
    }

    /// This after `first`.
    pub(crate) fn after(self, first: TraxSymmetry) -> TraxSymmetry {
        let quarters = if self.mirrors() { 4 - first.quarters() } else { first.quarters() };
        TraxSymmetry((self.0 ^ first.0) & 12 | (self.quarters() + quarters) & 3)
    }

    /// The inverse.
    pub(crate) fn inverse(self) -> TraxSymmetry {
        if self.mirrors() { self } else { TraxSymmetry(self.0 & 12 | (4 - self.quarters()) & 3) }
    }

    /// The image of a place, relative to a fixed point.
    pub(crate) fn place(self, (x, y): (i16, i16)) -> (i16, i16) {
        let x = if self.mirrors() { -x } else { x };
        match self.quarters() {
            0 => (x, y),
            1 => (-y, x),
            2 => (-x, -y),
            _ => (y, -x),
        }
    }

    pub(crate) fn frame(self, frame: &BoundingBox) -> BoundingBox {
        let (a, b) = self.place((frame.left, frame.top));
        let (c, d) = self.place((frame.right, frame.bottom));
        BoundingBox { left: a.min(c), right: a.max(c), top: b.min(d), bottom: b.max(d) }
    }

    pub(crate) fn edges(self, edges: Edges) -> Edges {
        let edges = if self.mirrors() { edges & 0x33 | edges >> 4 & 0x0c | edges << 4 & 0xc0 } else { edges };
        let edges = edges.rotate_left(2 * u32::from(self.quarters()));
        if self.swaps() { swapped(edges) } else { edges }
    }

    pub(crate) fn glyph(self, glyph: Glyph) -> Glyph {
        match glyph {
            Glyph::Slash if self.tilts() => Glyph::Backslash,
            Glyph::Backslash if self.tilts() => Glyph::Slash,
            same => same,
        }
    }

    /// Whether `/` becomes `\`.
    fn tilts(self) -> bool {
        self.mirrors() != (self.quarters() % 2 == 1)
    }

    pub(crate) fn side(self, side: Side) -> Side {
        if self.swaps() { !side } else { side }
    }

    /// The key of the empty board under this symmetry; no board with tiles has such a key.
    pub(crate) fn key(self) -> u64 {
        hash::mix(1 << 62 | u64::from(self.0))
    }
}

fn swapped(edges: Edges) -> Edges {
    edges << 1 & 0xaa | edges >> 1 & 0x55
}

impl<V: Variant> Symmetric for Trax<V> {
    const SYMMETRIES: usize = TraxSymmetry::COUNT;

    fn image(&self, symmetry: usize) -> Trax<V> {
        let Some(turn) = TraxSymmetry::new(symmetry) else { return self.clone() };
        let mut image = Trax::empty(turn.after(self.turned));
        for entry in &self.board.log {
            let (x, y) = turn.place(self.board.place(entry.cell));
            image.board.make_room(x, y);
            image.board.lay(image.board.cell(x, y), turn.edges(entry.tile), entry.chosen);
        }
        image.board.forced.clear();
        image.mover = turn.side(self.mover);
        let colours = LOOP | LINE;
        image.done = match turn.swaps() {
            true => self.done & STUCK | (self.done & colours) << 1 | self.done >> 1 & colours,
            false => self.done,
        };
        image
    }

    fn image_move(&self, mv: Move, symmetry: usize) -> Move {
        let (Some(turn), Some(glyph)) = (TraxSymmetry::new(symmetry), mv.glyph()) else { return mv };
        let glyph = turn.glyph(glyph);
        if self.is_empty() {
            return Move::new(mv.place(), glyph);
        }
        let ((left, top), Coordinate { column, row }) = (self.corner(), mv.place());
        let (x, y) = turn.place((left + column as i16, top + row as i16));
        let frame = turn.frame(&self.board.frame);
        Move::new(Coordinate { column: (x - frame.left + 1) as u16, row: (y - frame.top + 1) as u16 }, glyph)
    }

    /// The least key of the sixteen images, without building them.
    fn canonical_key(&self) -> u64 {
        let turns = (0..TraxSymmetry::COUNT as u8).map(TraxSymmetry);
        if self.is_empty() {
            return turns.map(TraxSymmetry::key).fold(u64::MAX, u64::min);
        }
        let places = turns.filter(|turn| !turn.swaps()).map(|turn| {
            let BoundingBox { left, top, .. } = turn.frame(&self.board.frame);
            let sums = self.board.log.iter().fold([0, 0], |[same, other], entry| {
                let (x, y) = turn.place(self.board.place(entry.cell));
                let (x, y) = (i32::from(x - left), i32::from(y - top));
                let tile = turn.edges(entry.tile);
                [hash::add(same, tile, x, y), hash::add(other, swapped(tile), x, y)]
            });
            board_key(sums[0], self.mover()).min(board_key(sums[1], !self.mover()))
        });
        places.fold(u64::MAX, u64::min)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::edges::TILES;

    fn all() -> impl Iterator<Item = TraxSymmetry> {
        (0..TraxSymmetry::COUNT).filter_map(TraxSymmetry::new)
    }

    #[test]
    fn turns_are_a_group_that_moves_places_edges_and_glyphs_alike() {
        for first in all() {
            assert_eq!(first.after(first.inverse()), TraxSymmetry::NONE);
            assert_eq!(first.inverse().after(first), TraxSymmetry::NONE);
            for then in all() {
                let both = then.after(first);
                assert_eq!(then.place(first.place((3, -5))), both.place((3, -5)), "{then:?} {first:?}");
                for tile in TILES {
                    assert_eq!(then.edges(first.edges(tile)), both.edges(tile), "{then:?} {first:?}");
                }
                for glyph in Glyph::ALL {
                    assert_eq!(then.glyph(first.glyph(glyph)), both.glyph(glyph), "{then:?} {first:?}");
                }
            }
        }
    }

    #[test]
    fn a_side_moves_with_the_neighbour_it_faces() {
        const STEPS: [(i16, i16); 4] = [(0, -1), (1, 0), (0, 1), (-1, 0)];
        for turn in all().filter(|turn| !turn.swaps()) {
            for (dir, &step) in STEPS.iter().enumerate() {
                let moved = STEPS.iter().position(|&to| to == turn.place(step));
                assert_eq!(Some(turn.edges(1 << (2 * dir))), moved.map(|to| 1 << (2 * to)), "{turn:?} {dir}");
            }
        }
    }
}
