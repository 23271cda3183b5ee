//! A stand-in for the pattern evaluation of Othello, to try the training with: the classic shapes, nothing folded.

use tesuji_learn::Model;

/// A shape as squares of the upper left; all its images on the board share its weights.
const SHAPES: [&[u8]; 12] = [
    &[0, 1, 2, 8, 9, 10, 16, 17, 18],
    &[32, 24, 16, 8, 0, 9, 1, 2, 3, 4],
    &[9, 0, 1, 2, 3, 4, 5, 6, 7, 14],
    &[0, 2, 3, 10, 11, 12, 13, 4, 5, 7],
    &[8, 9, 10, 11, 12, 13, 14, 15],
    &[16, 17, 18, 19, 20, 21, 22, 23],
    &[24, 25, 26, 27, 28, 29, 30, 31],
    &[0, 9, 18, 27, 36, 45, 54, 63],
    &[1, 10, 19, 28, 37, 46, 55],
    &[2, 11, 20, 29, 38, 47],
    &[3, 12, 21, 30, 39],
    &[3, 10, 17, 24],
];

/// Sums of patterns, two plies to a stage.
pub struct StandIn {
    /// The first weight and the squares of each image of each shape.
    images: Vec<(u32, Vec<u8>)>,
    weights: usize,
}

impl StandIn {
    pub(super) fn new() -> StandIn {
        let (mut images, mut weights) = (Vec::<(u32, Vec<u8>)>::new(), 0);
        let set = |squares: &[u8]| squares.iter().fold(0u64, |set, square| set | 1 << square);
        for shape in SHAPES {
            for symmetry in 0..8 {
                let image: Vec<u8> = shape.iter().map(|&square| turned(square, symmetry)).collect();
                if !images.iter().any(|(_, known)| set(known) == set(&image)) {
                    images.push((weights, image));
                }
            }
            weights += 3u32.pow(shape.len() as u32);
        }
        StandIn { images, weights: weights as usize }
    }
}

fn turned(square: u8, symmetry: u8) -> u8 {
    let (mut row, mut column) = (square / 8, square % 8);
    if symmetry & 1 != 0 {
        row = 7 - row;
    }
    if symmetry & 2 != 0 {
        column = 7 - column;
    }
    if symmetry & 4 != 0 { 8 * column + row } else { 8 * row + column }
}

impl Model for StandIn {
    type Position = (u64, u64);
    const BYTES: usize = 16;

    fn pack(&self, (own, other): &(u64, u64), to: &mut [u8]) {
        to[..8].copy_from_slice(&own.to_le_bytes());
        to[8..16].copy_from_slice(&other.to_le_bytes());
    }

    fn unpack(&self, from: &[u8]) -> Option<(u64, u64)> {
        let (own, other) = from.split_first_chunk()?;
        let (own, other) = (u64::from_le_bytes(*own), u64::from_le_bytes(other.try_into().ok()?));
        (own & other == 0).then_some((own, other))
    }

    fn name(&self) -> &str {
        "othello/stand-in/1"
    }

    fn stages(&self) -> usize {
        31
    }

    fn stage(&self, (own, other): &(u64, u64)) -> usize {
        ((own | other).count_ones() as usize).saturating_sub(4) / 2
    }

    fn weights(&self) -> usize {
        self.weights
    }

    fn features(&self) -> usize {
        self.images.len()
    }

    fn list(&self, &(own, other): &(u64, u64), to: &mut [u32]) {
        for ((first, squares), to) in self.images.iter().zip(to) {
            let digit = |square: &u8| (own >> square & 1) as u32 + 2 * (other >> square & 1) as u32;
            *to = first + squares.iter().fold(0, |number, square| 3 * number + digit(square));
        }
    }
}
