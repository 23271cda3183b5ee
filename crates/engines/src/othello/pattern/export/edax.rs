//! Edax's file of weights: two magic words, three numbers of a version, a date, and for each ply one weight for all
//! mirror images of a pattern, pattern by pattern, and a constant.

use super::super::shapes::{cover, image};
use super::super::{PLIES, Pattern, STAGES};
use super::{Foreign, Part};

/// `EDAX` and `EVAL`, as numbers.
const MAGIC: [u32; 2] = [0x4544_4158, 0x4556_414c];
/// The version of the format that the program reads.
const VERSION: [u32; 3] = [3, 2, 5];
/// Plies, by how many squares are taken.
const LAST_PLY: usize = 60;

/// The patterns of Edax, in the order of its file: those of [`super::super::shapes`], with other digits.
pub(super) static PATTERNS: [Foreign; 12] = [
    &[0, 1, 8, 9, 2, 16, 10, 17, 18],
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

impl Pattern {
    /// The weights as a file that Edax reads (`eval.dat`): the same to the last digit, if it has room for all of them.
    pub fn edax(&self) -> Option<Vec<u8>> {
        if !self.is_plain() {
            return None;
        }
        let mut bytes = Vec::new();
        MAGIC.iter().chain(&VERSION).for_each(|word| bytes.extend(word.to_le_bytes()));
        // The date is shown and nothing else; ours is of no day.
        bytes.extend(0_f64.to_le_bytes());
        let parts: Vec<(Part, Vec<usize>)> = PATTERNS
            .iter()
            .enumerate()
            .filter_map(|(shape, other)| Some((Part::new(shape, other)?, firsts(other))))
            .collect();
        for ply in 0..=LAST_PLY {
            let stage = &self.stages[((LAST_PLY - ply) / PLIES).min(STAGES - 1)];
            for (part, firsts) in &parts {
                let weights: Vec<i32> = part.weights(stage).collect();
                firsts.iter().for_each(|&first| bytes.extend((weights[first] as i16).to_le_bytes()));
            }
            bytes.extend([0; 2]);
        }
        Some(bytes)
    }
}

/// The numbers of a pattern that are not greater than their mirror image, in their order.
pub(super) fn firsts(pattern: Foreign) -> Vec<usize> {
    let place = |square: u8| pattern.iter().position(|&other| other == square);
    // Every pattern has a mirror that lays it on itself, and moves some square of it.
    let mirrored = |symmetry: usize| {
        let places: Vec<usize> =
            pattern.iter().filter_map(|&square| place(image(square, symmetry))).collect();
        let moved = places.iter().enumerate().any(|(at, &to)| at != to);
        (moved && cover(pattern, symmetry) == cover(pattern, 0)).then_some(places)
    };
    let mirror = (1..8).find_map(mirrored).unwrap_or_else(|| (0..pattern.len()).collect());
    let power = |place: usize| 3_usize.pow((pattern.len() - 1 - place) as u32);
    let image = |number: usize| -> usize {
        mirror.iter().enumerate().map(|(at, &to)| number / power(at) % 3 * power(to)).sum()
    };
    (0..3_usize.pow(pattern.len() as u32)).filter(|&number| number <= image(number)).collect()
}
