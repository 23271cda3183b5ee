//! Edax's `eval.dat`: two magic words, three version numbers, a date, and for each ply the weights of every pattern, one
//! for an index and its mirror image, and a constant.

use super::super::patterns::{cover, image};
use super::super::{PatternEval, STAGE_PLIES, STAGES};
use super::{ForeignPattern, PatternPart};

/// `EDAX` and `EVAL`.
const MAGIC: [u32; 2] = [0x4544_4158, 0x4556_414c];
/// The format version that Edax reads.
const VERSION: [u32; 3] = [3, 2, 5];
/// The last ply.
const LAST_PLY: usize = 60;

/// The patterns of Edax in file order: those of [`super::super::patterns`] with another order of digits.
pub(super) static PATTERNS: [ForeignPattern; 12] = [
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

impl PatternEval {
    /// The exact weights as a file for Edax (`eval.dat`); none if it cannot hold all of them.
    pub fn edax(&self) -> Option<Vec<u8>> {
        if !self.is_plain() {
            return None;
        }
        let mut bytes = Vec::new();
        MAGIC.iter().chain(&VERSION).for_each(|word| bytes.extend(word.to_le_bytes()));
        // The date is only displayed.
        bytes.extend(0_f64.to_le_bytes());
        let parts: Vec<(PatternPart, Vec<usize>)> = PATTERNS
            .iter()
            .enumerate()
            .filter_map(|(pattern, other)| Some((PatternPart::new(pattern, other)?, class_firsts(other))))
            .collect();
        for ply in 0..=LAST_PLY {
            let stage = &self.stages[((LAST_PLY - ply) / STAGE_PLIES).min(STAGES - 1)];
            for (part, firsts) in &parts {
                let weights: Vec<i32> = part.weights(stage).collect();
                firsts.iter().for_each(|&first| bytes.extend((weights[first] as i16).to_le_bytes()));
            }
            bytes.extend([0; 2]);
        }
        Some(bytes)
    }
}

/// The indices of a pattern that are not greater than their mirror image, in order.
pub(super) fn class_firsts(pattern: ForeignPattern) -> Vec<usize> {
    let place = |square: u8| pattern.iter().position(|&other| other == square);
    // Every pattern has a symmetry onto itself that moves some of its squares.
    let mirrored = |symmetry: usize| {
        let places: Vec<usize> = pattern.iter().filter_map(|&square| place(image(square, symmetry))).collect();
        let moved = places.iter().enumerate().any(|(at, &to)| at != to);
        (moved && cover(pattern, symmetry) == cover(pattern, 0)).then_some(places)
    };
    let mirror = (1..8).find_map(mirrored).unwrap_or_else(|| (0..pattern.len()).collect());
    let power = |place: usize| 3_usize.pow((pattern.len() - 1 - place) as u32);
    let image =
        |index: usize| -> usize { mirror.iter().enumerate().map(|(at, &to)| index / power(at) % 3 * power(to)).sum() };
    (0..3_usize.pow(pattern.len() as u32)).filter(|&index| index <= image(index)).collect()
}
