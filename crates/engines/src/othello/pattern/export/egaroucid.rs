//! Egaroucid's `eval.egev2`: the count of numbers, then for each phase the weights of every pattern and of the number of
//! discs, in 32nds of a disc. A number n ≥ 4096 stands for n - 4096 zeros.

use super::super::{DISC, PatternEval, STAGE_PLIES, STAGES};
use super::{ForeignPattern, PatternPart};

/// Phases, by ply.
const PHASES: usize = 60;
/// Weights by the number of discs: all zero.
const DISC_COUNTS: usize = 65;
/// The weight of a disc.
const UNIT: i32 = 32;
/// The largest weight.
const MAX_WEIGHT: i32 = 4092;
/// The offset of a run of zeros.
const ZERO_RUN: usize = 4096;

/// The patterns of Egaroucid 7.7 and later in file order.
pub(super) static PATTERNS: [ForeignPattern; 16] = [
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

/// For each of our patterns the one that is equal to it or contains it.
pub(super) const INTO: [usize; 12] = [5, 13, 8, 10, 0, 2, 4, 7, 3, 1, 6, 9];

impl PatternEval {
    /// The weights as a file for Egaroucid (`eval.egev2`), rounded to its unit and clamped to its range of 128 discs;
    /// none if it cannot hold all of them. Patterns that only Egaroucid has get zero weights.
    pub fn egaroucid(&self) -> Option<Vec<u8>> {
        if !self.is_plain() {
            return None;
        }
        let parts: Vec<Vec<PatternPart>> = (0..PATTERNS.len())
            .map(|other| {
                let ours = (0..INTO.len()).filter(|&pattern| INTO[pattern] == other);
                ours.filter_map(|pattern| PatternPart::new(pattern, PATTERNS[other])).collect()
            })
            .collect();
        let mut all: Vec<i16> = Vec::new();
        for phase in 0..PHASES {
            let stage = &self.stages[((PHASES - phase) / STAGE_PLIES).min(STAGES - 1)];
            for (other, parts) in PATTERNS.iter().zip(&parts) {
                let mut weights = vec![0_i16; 3_usize.pow(other.len() as u32)];
                for part in parts {
                    let divisor = part.occurrences * DISC / UNIT;
                    for (to, weight) in weights.iter_mut().zip(part.weights(stage)) {
                        *to += rounded(weight, divisor).clamp(-MAX_WEIGHT, MAX_WEIGHT) as i16;
                    }
                }
                all.append(&mut weights);
            }
            all.extend([0; DISC_COUNTS]);
        }
        let packed = packed(&all);
        let count = (packed.len() as u32).to_le_bytes();
        Some(count.into_iter().chain(packed.iter().flat_map(|number| number.to_le_bytes())).collect())
    }
}

/// The quotient rounded to the nearest integer, half away from zero.
fn rounded(dividend: i32, divisor: i32) -> i32 {
    (dividend + dividend.signum() * divisor / 2) / divisor
}

/// Encodes runs of zeros.
fn packed(all: &[i16]) -> Vec<i16> {
    let mut packed = Vec::new();
    for run in all.chunk_by(|a, b| (*a == 0) == (*b == 0)) {
        if run[0] != 0 {
            packed.extend_from_slice(run);
            continue;
        }
        let most = i16::MAX as usize - ZERO_RUN;
        packed.extend(run.chunks(most).map(|zeros| (ZERO_RUN + zeros.len()) as i16));
    }
    packed
}
