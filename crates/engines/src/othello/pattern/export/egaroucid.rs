//! Egaroucid's file of weights: how many numbers follow, then for each phase the weights of every pattern and of the
//! number of discs, in 32nds of a disc. A number from 4096 on stands for so many zeros more than that.

use super::super::{DISC, PLIES, Pattern, STAGES};
use super::{Foreign, Part};

/// Phases, by how many squares are taken; a full board is not judged.
const PHASES: usize = 60;
/// Weights by the number of discs: we have none.
const COUNTS: usize = 65;
/// What a disc is worth there.
const UNIT: i32 = 32;
/// Weights are no larger.
const MOST: i32 = 4092;
/// What a number of zeros is written above.
const ZEROS: usize = 4096;

/// The patterns of Egaroucid 7.7 and later, in the order of its file.
pub(super) static PATTERNS: [Foreign; 16] = [
    &[8, 9, 10, 11, 12, 13, 14, 15],
    &[1, 2, 11, 20, 14, 29, 38, 47, 55],
    &[16, 17, 18, 19, 20, 21, 22, 23],
    &[0, 1, 10, 19, 28, 37, 46, 55, 63],
    &[24, 25, 26, 27, 28, 29, 30, 31],
    &[0, 1, 2, 8, 9, 10, 16, 17, 18],
    &[9, 3, 12, 21, 30, 39, 54],
    &[0, 9, 18, 27, 36, 45, 54, 63, 8, 1],
    &[9, 0, 1, 2, 3, 4, 5, 6, 7, 14],
    &[0, 1, 2, 3, 8, 9, 10, 16, 17, 24],
    &[0, 2, 3, 4, 5, 7, 10, 11, 12, 13],
    &[0, 9, 18, 27, 1, 10, 19, 8, 17, 26],
    &[10, 0, 1, 2, 3, 4, 5, 6, 7, 13],
    &[0, 1, 2, 3, 4, 8, 9, 16, 24, 32],
    &[0, 1, 8, 9, 10, 11, 17, 18, 25, 27],
    &[42, 43, 51, 59, 58, 61, 60, 52, 44, 45],
];

/// Which of them each shape of ours goes into: the same, or one that contains it.
pub(super) const INTO: [usize; 12] = [5, 13, 8, 10, 0, 2, 4, 7, 3, 1, 6, 9];

impl Pattern {
    /// The weights as a file that Egaroucid reads (`eval.egev2`), rounded to its unit and cut to what it
    /// has room for, 128 discs. Patterns that it has and we do not are worth nothing; if we have more than it, there is no
    /// file.
    pub fn egaroucid(&self) -> Option<Vec<u8>> {
        if !self.is_plain() {
            return None;
        }
        let parts: Vec<Vec<Part>> = (0..PATTERNS.len())
            .map(|other| {
                let shapes = (0..INTO.len()).filter(|&shape| INTO[shape] == other);
                shapes.filter_map(|shape| Part::new(shape, PATTERNS[other])).collect()
            })
            .collect();
        let mut all: Vec<i16> = Vec::new();
        for phase in 0..PHASES {
            let stage = &self.stages[((PHASES - phase) / PLIES).min(STAGES - 1)];
            for (other, parts) in PATTERNS.iter().zip(&parts) {
                let mut weights = vec![0_i16; 3_usize.pow(other.len() as u32)];
                for part in parts {
                    let whole = part.share * DISC / UNIT;
                    for (to, weight) in weights.iter_mut().zip(part.weights(stage)) {
                        *to += rounded(weight, whole).clamp(-MOST, MOST) as i16;
                    }
                }
                all.append(&mut weights);
            }
            all.extend([0; COUNTS]);
        }
        let packed = packed(&all);
        let count = (packed.len() as u32).to_le_bytes();
        Some(count.into_iter().chain(packed.iter().flat_map(|number| number.to_le_bytes())).collect())
    }
}

/// The nearest whole number to a fraction; the one away from zero if there are two.
fn rounded(number: i32, whole: i32) -> i32 {
    (number + number.signum() * whole / 2) / whole
}

/// Runs of zeros become one number each.
fn packed(all: &[i16]) -> Vec<i16> {
    let mut packed = Vec::new();
    for run in all.chunk_by(|a, b| (*a == 0) == (*b == 0)) {
        if run[0] != 0 {
            packed.extend_from_slice(run);
            continue;
        }
        let most = i16::MAX as usize - ZEROS;
        packed.extend(run.chunks(most).map(|zeros| (ZEROS + zeros.len()) as i16));
    }
    packed
}
