//! hcpe: the positions with evaluations of Apery, cshogi and dlshogi, 38 bytes each without a header.
//!
//! | offset | type | content |
//! |---|---|---|
//! | 0 | 32 bytes | Huffman-coded position |
//! | 32 | i16 | value for the side to move |
//! | 34 | u16 | move |
//! | 36 | u8 | winner: 0 draw, 1 black, 2 white; higher bits say how the game ended |
//! | 37 | u8 | 0 |

use tesuji_game::{Game, Outcome, Packed, Side};

use super::{EntryError, PACKED_BYTES, move16};
use crate::{Move, Shogi};

/// An entry of an hcpe file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Hcpe {
    /// The position. Its move number is not part of the entry.
    pub position: Shogi,
    /// The value for the mover, in centipawns.
    pub value: i16,
    /// The best move or the move played.
    pub mv: Option<Move>,
    /// The result for the mover.
    pub result: Outcome,
}

impl Hcpe {
    /// The bytes of an entry.
    pub const BYTES: usize = 38;

    /// Reads an entry.
    ///
    /// # Errors
    /// No position, a move that is not legal there, or an unknown winner.
    pub fn read(bytes: &[u8; Hcpe::BYTES]) -> Result<Hcpe, EntryError> {
        let (packed, fields) = bytes.split_at(PACKED_BYTES);
        let position = Shogi::unpack(packed).ok_or(EntryError::Position)?;
        let winner = match fields[4] & 3 {
            0 => None,
            1 => Some(Side::First),
            2 => Some(Side::Second),
            _ => return Err(EntryError::Result(fields[4])),
        };
        Ok(Hcpe {
            value: i16::from_le_bytes([fields[0], fields[1]]),
            mv: move16::from_hcpe(u16::from_le_bytes([fields[2], fields[3]]), &position)?,
            result: Outcome::of(winner, position.mover()),
            position,
        })
    }

    /// The bytes of the entry; `None` if the position does not fit.
    pub fn write(&self) -> Option<[u8; Hcpe::BYTES]> {
        let mut bytes = [0; Hcpe::BYTES];
        let (packed, fields) = bytes.split_at_mut(PACKED_BYTES);
        if !self.position.pack(packed) {
            return None;
        }
        fields[..2].copy_from_slice(&self.value.to_le_bytes());
        fields[2..4].copy_from_slice(&self.mv.map_or(0, move16::to_hcpe).to_le_bytes());
        fields[4] = match self.result.winner(self.position.mover()) {
            None => 0,
            Some(Side::First) => 1,
            Some(Side::Second) => 2,
        };
        Some(bytes)
    }
}
