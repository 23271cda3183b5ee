//! Positions as a network reads them: a bit per square, each plane from a new word on.

use tesuji_game::{PlaneInput, Planes};
use tesuji_nn::Encoding;

/// The metadata entry of a network file that names the encoding of the game, such as `shogi/104/1`.
pub const ENCODER: &str = "encoder";

/// The shape of the game's encoding.
pub fn encoding_of<G: Planes>() -> Encoding {
    let tesuji_game::Encoding { name: _, height, width, planes, policy_planes } = G::ENCODING;
    Encoding { height, width, planes, policy_planes }
}

/// Writes the planes of a position as [`tesuji_nn::Planes::Bits`]; `words` are [`Encoding::words`] long and may contain
/// anything.
///
/// # Panics
/// `words` has another length.
pub fn plane_words<G: Planes>(game: &G, words: &mut [u64]) {
    let squares = G::ENCODING.squares();
    assert_eq!(words.len(), G::ENCODING.planes * squares.div_ceil(64), "the words of a position");
    words.fill(0);
    game.planes(&mut BitPlanes { words, squares, per_plane: squares.div_ceil(64) });
}

/// The input as bits, plane by plane.
struct BitPlanes<'a> {
    words: &'a mut [u64],
    squares: usize,
    per_plane: usize,
}

impl PlaneInput for BitPlanes<'_> {
    #[inline]
    fn square(&mut self, plane: usize, square: usize) {
        self.words[plane * self.per_plane + square / 64] |= 1 << (square % 64);
    }

    #[inline]
    fn fill(&mut self, plane: usize) {
        let words = &mut self.words[plane * self.per_plane..][..self.per_plane];
        words.fill(u64::MAX);
        // Bits beyond the last square stay zero.
        if let (Some(last), rest @ 1..) = (words.last_mut(), self.squares % 64) {
            *last = (1 << rest) - 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use tesuji_game::{DensePlanes, Game, MoveList};
    use tesuji_ostle::Ostle;
    use tesuji_othello::Othello;
    use tesuji_search::Rng;
    use tesuji_shogi::Shogi;

    use super::*;

    /// The bits of random positions are the numbers of `DensePlanes`.
    fn bits_are_dense_planes<G: Planes>(start: G) {
        let (encoding, mut rng, mut list) = (encoding_of::<G>(), Rng::new(1), G::Moves::default());
        let squares = encoding.squares();
        let mut words = vec![u64::MAX; encoding.words()];
        let mut game = start;
        for _ in 0..60 {
            plane_words(&game, &mut words);
            let mut numbers = vec![0.0; encoding.inputs()];
            game.planes(&mut DensePlanes { numbers: &mut numbers, squares });
            let per_plane = squares.div_ceil(64);
            for plane in 0..encoding.planes {
                for bit in 0..64 * per_plane {
                    let word = words[plane * per_plane + bit / 64];
                    let expected = bit < squares && numbers[plane * squares + bit] == 1.0;
                    assert_eq!(word >> (bit % 64) & 1 == 1, expected, "plane {plane}, square {bit}");
                }
            }
            game.moves(&mut list);
            if list.is_empty() || game.outcome().is_some() {
                break;
            }
            let Some(mv) = list.each().nth(rng.below(list.len())) else { break };
            game.play(mv);
        }
    }

    #[test]
    fn bits_are_the_planes_of_the_game() {
        bits_are_dense_planes(Shogi::start());
        bits_are_dense_planes(Othello::start());
        bits_are_dense_planes(Ostle::start());
    }
}
