//! Ostle positions as eight bytes: the code of the board, the ko and the mover.
//!
//! ```text
//! bit 0     55                             62
//!     code | one more than the forbidden move | 1: the second player moves
//! ```

use tesuji_game::{Game, Packed, Side};

use crate::{CODE_BITS, Move, Ostle, Previous};

const MOVER_BIT: u32 = CODE_BITS + 7;

impl Packed for Ostle {
    const PACKING: &'static str = "ostle/code/1";
    const BYTES: usize = 8;

    fn pack(&self, bytes: &mut [u8]) -> bool {
        let Ok(bytes) = <&mut [u8; 8]>::try_from(bytes) else { return false };
        let ko = self.ko().map_or(0, |ko| u64::from(ko.index()) + 1);
        *bytes = (self.code() | ko << CODE_BITS | (self.mover().index() as u64) << MOVER_BIT).to_le_bytes();
        true
    }

    fn unpack(bytes: &[u8]) -> Option<Ostle> {
        let bits = u64::from_le_bytes(bytes.try_into().ok()?);
        let mover = match bits >> MOVER_BIT {
            0 => Side::First,
            1 => Side::Second,
            _ => return None,
        };
        let board = Ostle::from_code(bits & ((1 << CODE_BITS) - 1))?.with_mover(mover);
        let Some(ko) = ((bits >> CODE_BITS & 0x7f) as u8).checked_sub(1).map(Move::of) else { return Some(board) };
        if !board.is_legal(ko) {
            return None;
        }
        // The forbidden move would recreate the board from which the last move came.
        match board.with_previous(board.after(ko)) {
            (position, Previous::Ko) if position.ko() == Some(ko) => Some(position),
            _ => None,
        }
    }
}
