//! Othello positions as bytes: the mover's discs, the opponent's discs, and 1 if white is to move.

use tesuji_game::{Game, Packed, Side};

use crate::Othello;

impl Packed for Othello {
    const PACKING: &'static str = "othello/discs/1";
    const BYTES: usize = 17;

    fn pack(&self, bytes: &mut [u8]) -> bool {
        let [own @ .., side] = bytes else { return false };
        let Some((own, other)) = own.split_first_chunk_mut::<8>() else { return false };
        let Ok(other) = <&mut [u8; 8]>::try_from(other) else { return false };
        *own = self.own().to_le_bytes();
        *other = self.other().to_le_bytes();
        *side = self.mover().index() as u8;
        true
    }

    fn unpack(bytes: &[u8]) -> Option<Othello> {
        let (own, rest) = bytes.split_first_chunk::<8>()?;
        let (other, side) = rest.split_first_chunk::<8>()?;
        let mover = match side {
            [0] => Side::First,
            [1] => Side::Second,
            _ => return None,
        };
        Othello::new(u64::from_le_bytes(*own), u64::from_le_bytes(*other), mover)
    }
}
