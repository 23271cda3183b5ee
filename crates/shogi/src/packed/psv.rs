//! PSV: the packed SFENs with values of YaneuraOu, 40 bytes each without a header.
//!
//! | offset | type | content |
//! |---|---|---|
//! | 0 | 32 bytes | packed SFEN |
//! | 32 | i16 | value for the side to move |
//! | 34 | u16 | move |
//! | 36 | u16 | number of the move, from 1 |
//! | 38 | i8 | result for the side to move: 1 win, 0 draw, −1 loss |
//! | 39 | u8 | 0 |

use tesuji_game::Outcome;

use super::{EntryError, PACKED_BYTES, move16};
use crate::{Move, Shogi};

/// An entry of a PSV file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Psv {
    /// The position.
    pub position: Shogi,
    /// The number of the move, from 1.
    pub number: u16,
    /// The value for the mover, in centipawns.
    pub value: i16,
    /// The best move or the move played.
    pub mv: Option<Move>,
    /// The result for the mover.
    pub result: Outcome,
}

impl Psv {
    /// The bytes of an entry.
    pub const BYTES: usize = 40;

    /// Reads an entry.
    ///
    /// # Errors
    /// No position, a move that is not legal there, or an unknown result.
    pub fn read(bytes: &[u8; Psv::BYTES]) -> Result<Psv, EntryError> {
        let (packed, fields) = bytes.split_at(PACKED_BYTES);
        let mut position = Shogi::from_packed_sfen(packed).ok_or(EntryError::Position)?;
        let number = u16::from_le_bytes([fields[4], fields[5]]);
        position.number = number.into();
        let result = match fields[6].cast_signed() {
            1 => Outcome::Win,
            0 => Outcome::Draw,
            -1 => Outcome::Loss,
            _ => return Err(EntryError::Result(fields[6])),
        };
        Ok(Psv {
            value: i16::from_le_bytes([fields[0], fields[1]]),
            mv: move16::from_psv(u16::from_le_bytes([fields[2], fields[3]]), &position)?,
            result,
            number,
            position,
        })
    }

    /// The bytes of the entry; `None` if the position does not fit.
    pub fn write(&self) -> Option<[u8; Psv::BYTES]> {
        let mut bytes = [0; Psv::BYTES];
        let (packed, fields) = bytes.split_at_mut(PACKED_BYTES);
        packed.copy_from_slice(&self.position.packed_sfen()?);
        fields[..2].copy_from_slice(&self.value.to_le_bytes());
        fields[2..4].copy_from_slice(&self.mv.map_or(0, move16::to_psv).to_le_bytes());
        fields[4..6].copy_from_slice(&self.number.to_le_bytes());
        fields[6] = match self.result {
            Outcome::Win => 1,
            Outcome::Draw => 0,
            Outcome::Loss => (-1_i8).cast_unsigned(),
        };
        Some(bytes)
    }
}
