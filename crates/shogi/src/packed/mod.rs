//! Positions as bytes: the Huffman-coded position (hcp) of Apery and cshogi, the packed SFEN of YaneuraOu, and the files
//! of training data made of them, [`Hcpe`] and [`Psv`].
//!
//! Both codes are a string of 256 bits, the lowest bit of a byte first: the side to move (1 for white), the squares of the
//! black and of the white king (7 bits each), a code for every other square, file by file from 1a to 9i, then the pieces
//! in hand. They differ in the codes of the pieces.
//!
//! A piece costs as many bits in hand as on the board with the empty square it leaves, so every full set of pieces fills
//! the 256 bits. Pieces that are missing from the game follow the hands with codes of their own, as cshogi and YaneuraOu
//! write them. A missing king is square 81. That takes a bit more for each king, so such a position fits only if the bits
//! beyond the 256 are zero. A mate problem without the attacker's king often does not fit.

mod hcpe;
mod huffman;
mod move16;
mod psv;

use std::error::Error;
use std::fmt;

use tesuji_game::Packed;

use crate::Shogi;
pub use hcpe::Hcpe;
use huffman::{Huffman, PACKED_BYTES};
pub use psv::Psv;

/// Why bytes are no entry of training data.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum EntryError {
    /// The position is none.
    Position,
    /// The move is not legal.
    Move(u16),
    /// The result is none.
    Result(u8),
}

impl fmt::Display for EntryError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            EntryError::Position => write!(f, "the first {PACKED_BYTES} bytes are not a packed position"),
            EntryError::Move(bits) => write!(f, "{bits:#06x} is not a legal move there; 0x0000 would be none"),
            EntryError::Result(byte) => write!(f, "there is no result {byte:#04x}"),
        }
    }
}

impl Error for EntryError {}

impl Packed for Shogi {
    const PACKING: &'static str = "shogi/hcp/1";
    const BYTES: usize = PACKED_BYTES;

    fn pack(&self, bytes: &mut [u8]) -> bool {
        Huffman::HCP.pack(&self.board, bytes)
    }

    /// The number of the next move is not part of the bytes; it is 1.
    fn unpack(bytes: &[u8]) -> Option<Shogi> {
        Huffman::HCP.unpack(bytes).map(|board| Shogi::of(board, 1))
    }
}

impl Shogi {
    /// The packed SFEN of YaneuraOu. `None` for the few positions without a king that do not fit.
    pub fn packed_sfen(&self) -> Option<[u8; PACKED_BYTES]> {
        let mut bytes = [0; PACKED_BYTES];
        Huffman::PACKED_SFEN.pack(&self.board, &mut bytes).then_some(bytes)
    }

    /// Reads a packed SFEN. The number of the next move is 1. `None` if there is no such position.
    pub fn from_packed_sfen(bytes: &[u8]) -> Option<Shogi> {
        Huffman::PACKED_SFEN.unpack(bytes).map(|board| Shogi::of(board, 1))
    }
}

#[cfg(test)]
mod tests {
    use tesuji_game::{Game, Notation};

    use super::*;

    fn hex(bytes: &[u8]) -> String {
        bytes.iter().map(|byte| format!("{byte:02x}")).collect()
    }

    #[test]
    fn the_start_has_its_known_bytes() {
        let mut bytes = [0; 32];
        assert!(Shogi::start().pack(&mut bytes));
        assert_eq!(hex(&bytes), "58a449210cd757217e8e4d212caf427814c2ab109e4d212cd75f213e8e49210c");
        let sfen = Shogi::start().packed_sfen().unwrap();
        assert_eq!(hex(&sfen), "58a451220ceb67227e9653221caf447824c22b119e53221ceb6f223e9651220c");
    }

    #[test]
    fn missing_pieces_and_kings_are_expressed_where_they_fit() {
        for (fits, text) in [
            (true, "4k4/9/9/9/9/9/9/9/4K4 b P 1"),
            (true, "lnsgkgsnl/7b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1"),
            (true, "4k4/9/9/9/9/9/9/9/9 b 2R2B4G4S4N4L18P 1"),
            (false, "4k4/9/9/9/9/9/9/9/9 b 2r2B4G4S4N4L18P 1"),
            (false, "9/9/9/9/9/9/9/9/9 w - 1"),
        ] {
            let game = Shogi::parse(text).unwrap();
            let mut bytes = [0; 32];
            assert_eq!(game.pack(&mut bytes), fits, "{text}");
            assert_eq!(Shogi::unpack(&bytes), Some(game.clone()).filter(|_| fits), "{text}");
            let sfen = game.packed_sfen();
            assert_eq!(sfen.and_then(|sfen| Shogi::from_packed_sfen(&sfen)), Some(game).filter(|_| fits), "{text}");
        }
    }
}
