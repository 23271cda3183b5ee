//! The 55-bit code of a board in the published solution of the game, to compare results.

use crate::board::{CELLS, Ostle, SIDE};
use crate::symmetry::{diagonals, image_cell, mirror, transpose};

/// The number of bits of a code.
pub const CODE_BITS: u32 = 55;

impl Ostle {
    /// The board without the ko: `hole | other << 5 | own << 30`.
    #[inline]
    pub fn code(self) -> u64 {
        u64::from(self.hole()) | u64::from(self.other()) << 5 | u64::from(self.own()) << 30
    }

    /// The board of a code; `None` when it is no code of a board.
    pub fn from_code(code: u64) -> Option<Ostle> {
        let set = |code: u64| (code & ((1 << CELLS) - 1)) as u32;
        if code >> CODE_BITS != 0 {
            return None;
        }
        Ostle::new(set(code >> 30), set(code >> 5), (code & 31) as u8)
    }

    /// The smallest code of the eight images.
    #[inline]
    pub fn canonical_code(self) -> u64 {
        self.image_codes().into_iter().fold(u64::MAX, u64::min)
    }

    /// The codes of all images, in the order of the symmetries.
    #[inline]
    pub(crate) fn image_codes(self) -> [u64; 8] {
        let (code, hole) = (self.code(), usize::from(self.hole()));
        // Both sets go through each step together; one transposition leads to four of the images.
        let plain = code >> 5;
        let turned = transpose(plain, DIAGONALS, 4);
        let across = mirror(plain, COLUMN, 1);
        let turned_across = mirror(turned, ROW, 5);
        let sets = [
            plain,
            across,
            mirror(plain, ROW, 5),
            mirror(across, ROW, 5),
            turned,
            turned_across,
            mirror(turned, COLUMN, 1),
            mirror(turned_across, COLUMN, 1),
        ];
        let mut symmetry = 0;
        sets.map(|sets| {
            symmetry += 1;
            sets << 5 | u64::from(HOLES[symmetry - 1][hole & 31])
        })
    }
}

/// Both sets of a code without its hole: cell `c` at bit `c` for the opponent, at `25 + c` for the mover.
const fn both(set: u64) -> u64 {
    set | set << CELLS
}

/// The first column and the first row.
const COLUMN: u64 = both(0x10_8421);
const ROW: u64 = both(0x1f);

const DIAGONALS: [u64; SIDE] = {
    let one = diagonals(1);
    [both(one[0]), both(one[1]), both(one[2]), both(one[3]), both(one[4])]
};

/// The image of every cell.
static HOLES: [[u8; 32]; 8] = {
    let mut images = [[0; 32]; 8];
    let mut symmetry = 0;
    while symmetry < 8 {
        let mut cell = 0;
        while cell < CELLS {
            images[symmetry][cell] = image_cell(cell, symmetry) as u8;
            cell += 1;
        }
        symmetry += 1;
    }
    images
};
