//! The 55-bit code of a board, that of the published solution of the game, so that results can be compared.

use tesuji_game::Symmetric;

use crate::board::{CELLS, Ostle};

/// How many bits a code has.
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
    pub fn canonical_code(self) -> u64 {
        (0..Ostle::SYMMETRIES)
            .map(|symmetry| self.without_ko().image(symmetry).code())
            .fold(u64::MAX, u64::min)
    }
}
