//! Images of sets of cells under the eight symmetries, by three look-ups that stay in the nearest cache.

use crate::board::CELLS;
use crate::symmetry::image_cell;

/// Where the three parts of a set begin.
const PARTS: [usize; 4] = [0, 9, 17, CELLS];
/// How many symmetries there are.
pub(super) const SYMMETRIES: usize = 8;

/// The images of every part of a set.
pub(super) struct Images {
    first: [[u32; 512]; SYMMETRIES],
    middle: [[u32; 256]; SYMMETRIES],
    last: [[u32; 256]; SYMMETRIES],
    after: [[u8; SYMMETRIES]; SYMMETRIES],
}

impl Images {
    pub(super) fn new() -> Images {
        let image = |set: usize, part: usize, symmetry: usize| {
            let cells = (PARTS[part]..PARTS[part + 1]).filter(|cell| set >> (cell - PARTS[part]) & 1 != 0);
            cells.fold(0, |image, cell| image | 1 << image_cell(cell, symmetry))
        };
        // The images of two cells in general position identify a symmetry.
        let trace = |cells: [usize; 2], symmetry: usize| cells.map(|cell| image_cell(cell, symmetry));
        let composed = |first: usize, second: usize| {
            let twice = trace(trace([0, 1], first), second);
            (0..SYMMETRIES).find(|&symmetry| trace([0, 1], symmetry) == twice).unwrap_or(0) as u8
        };
        use std::array::from_fn;
        Images {
            first: from_fn(|symmetry| from_fn(|set| image(set, 0, symmetry))),
            middle: from_fn(|symmetry| from_fn(|set| image(set, 1, symmetry))),
            last: from_fn(|symmetry| from_fn(|set| image(set, 2, symmetry))),
            after: from_fn(|first| from_fn(|second| composed(first, second))),
        }
    }

    /// The image of a set of the 25 cells.
    #[inline(always)]
    pub(super) fn of(&self, set: u32, symmetry: u8) -> u32 {
        let symmetry = usize::from(symmetry & 7);
        self.first[symmetry][set as usize & 0x1ff]
            | self.middle[symmetry][set as usize >> PARTS[1] & 0xff]
            | self.last[symmetry][set as usize >> PARTS[2] & 0xff]
    }

    /// The symmetry that does what `first` and then `second` do.
    #[inline(always)]
    pub(super) fn compose(&self, first: u8, second: u8) -> u8 {
        self.after[usize::from(first & 7)][usize::from(second & 7)]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_go_where_their_cells_go() {
        let images = Images::new();
        for symmetry in 0..8u8 {
            for cell in 0..CELLS {
                assert_eq!(images.of(1 << cell, symmetry), 1 << image_cell(cell, usize::from(symmetry)));
                for second in 0..8u8 {
                    let twice = images.of(images.of(1 << cell | 1, symmetry), second);
                    assert_eq!(images.of(1 << cell | 1, images.compose(symmetry, second)), twice);
                }
            }
        }
    }
}
