//! Trax positions as bytes: the turns that led to them.
//!
//! A position keeps its turns for the notation, and the tiles alone do not tell them. So the bytes are the symmetry of the
//! view, the number of turns, and ten bits for each turn, the lowest bits first: `3 * (18 * row + column) + glyph`. There is
//! room for a hundred turns in a box of 16 × 16 tiles, the window of the [planes](tesuji_game::Planes). Nothing longer or
//! larger is packed.

use tesuji_game::{Game, Packed, Symmetric};

use crate::planes::WINDOW;
use crate::symmetry::TraxSymmetry;
use crate::tile::Glyph;
use crate::{Coordinate, Move, Trax, Variant};

const TURN_BITS: usize = 10;
const MAX_TURNS: usize = 100;
/// The columns of moves: those of the largest box and one on either side.
const COLUMNS: u16 = WINDOW as u16 + 2;
const HEAD: usize = 2;

impl<V: Variant> Packed for Trax<V> {
    const PACKING: &'static str = "trax/turns/1";
    const BYTES: usize = HEAD + (MAX_TURNS * TURN_BITS).div_ceil(8);

    fn pack(&self, bytes: &mut [u8]) -> bool {
        let (width, height) = self.size();
        let turns = self.history();
        if bytes.len() != Self::BYTES || width.max(height) > WINDOW || turns.len() > MAX_TURNS {
            return false;
        }
        bytes.fill(0);
        bytes[0] = self.turned.number();
        bytes[1] = turns.len() as u8;
        for (turn, mv) in turns.into_iter().enumerate() {
            let Coordinate { column, row } = mv.place();
            let Some(glyph) = mv.glyph() else { return false };
            let [low, high] = (3 * (COLUMNS * row + column) + glyph as u16).to_le_bytes();
            let (byte, shift) = (HEAD + turn * TURN_BITS / 8, turn * TURN_BITS % 8);
            let bits = u32::from_le_bytes([low, high, 0, 0]) << shift;
            bytes[byte] |= bits as u8;
            bytes[byte + 1] |= (bits >> 8) as u8;
        }
        true
    }

    fn unpack(bytes: &[u8]) -> Option<Trax<V>> {
        let (&[symmetry, turns], packed) = bytes.split_first_chunk::<HEAD>()?;
        let symmetry = TraxSymmetry::new(symmetry.into())?;
        if bytes.len() != Self::BYTES || usize::from(turns) > MAX_TURNS {
            return None;
        }
        let mut game = Trax::start();
        for turn in 0..MAX_TURNS {
            let (byte, shift) = (turn * TURN_BITS / 8, turn * TURN_BITS % 8);
            let bits = u16::from_le_bytes([packed[byte], packed[byte + 1]]) >> shift & ((1 << TURN_BITS) - 1);
            if turn >= usize::from(turns) {
                if bits != 0 {
                    return None;
                }
                continue;
            }
            let place = Coordinate { column: bits / 3 % COLUMNS, row: bits / 3 / COLUMNS };
            let mv = Move::new(place, Glyph::ALL[usize::from(bits % 3)]);
            game.check(mv).ok()?;
            game.play(mv);
        }
        let (width, height) = game.size();
        let game = if symmetry == TraxSymmetry::NONE { game } else { game.image(symmetry.number().into()) };
        (width.max(height) <= WINDOW).then_some(game)
    }
}

#[cfg(test)]
mod tests {
    use tesuji_game::Notation;

    use super::*;
    use crate::Unlimited;

    #[test]
    fn the_turns_survive() {
        for text in ["", r"@0/ A2\ B1\", "~9 @0/ B1+", "~5"] {
            let game = Trax::<Unlimited>::parse(text).unwrap();
            let mut bytes = [0; Trax::<Unlimited>::BYTES];
            assert!(game.pack(&mut bytes));
            let again = Trax::<Unlimited>::unpack(&bytes).unwrap();
            assert_eq!((again.print(), &again), (text.to_owned(), &game));
            assert_eq!(again.outcome(), game.outcome());
        }
    }

    #[test]
    fn a_box_beyond_the_window_does_not_pack() {
        let mut game = Trax::<Unlimited>::start();
        let mut bytes = [0; Trax::<Unlimited>::BYTES];
        let mut list = Vec::new();
        while game.size().0 <= WINDOW {
            assert!(game.pack(&mut bytes), "{game:?}");
            game.moves(&mut list);
            let eastern = usize::from(!game.is_empty()) * (game.size().0 + 1);
            let goes_on = |mv: &&Move| {
                let mut next = game.clone();
                next.play(**mv);
                usize::from(mv.place().column) == eastern && next.outcome().is_none()
            };
            let mv = *list.iter().find(goes_on).unwrap();
            game.play(mv);
        }
        assert!(!game.pack(&mut bytes), "{game:?}");
    }
}
