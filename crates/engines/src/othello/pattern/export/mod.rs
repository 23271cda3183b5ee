//! Exports weights to the files of Edax and Egaroucid, so that searches can be compared with equal weights.
//!
//! Each of our plain patterns is a pattern of these programs or part of one.

mod edax;
mod egaroucid;

use super::PatternEval;
use super::patterns::{DISC_INDEX, INSTANCES, PATTERNS, cover};
use super::weights::StageWeights;

/// A pattern of another program: its squares in the order of the ternary digits, the most significant first. A digit is
/// 0 for a disc of the mover, 1 for one of the opponent and 2 for an empty square.
type ForeignPattern = &'static [u8];

/// One of our patterns as part of a pattern of another program.
struct PatternPart {
    pattern: usize,
    /// In how many instances of the other pattern it occurs: its weight is divided by this.
    occurrences: i32,
    /// Our index for each index of the other.
    indices: Vec<i16>,
}

impl PatternEval {
    /// Whether other programs can hold all weights: see [`PatternModel::plain`](super::PatternModel::plain).
    fn is_plain(&self) -> bool {
        self.stages.iter().all(StageWeights::is_plain)
    }
}

impl PatternPart {
    /// One of our patterns as part of another, if it is a subset.
    fn new(pattern: usize, other: ForeignPattern) -> Option<PatternPart> {
        let first = PATTERNS[pattern].first;
        let mut lanes = first..first + PATTERNS[pattern].instances;
        let lane = lanes.find(|&lane| is_within(lane, cover(other, 0)))?;
        let mut covers: Vec<u64> = (0..8).map(|symmetry| cover(other, symmetry)).collect();
        covers.sort_unstable();
        covers.dedup();
        let occurrences = covers.into_iter().filter(|&cover| is_within(lane, cover)).count() as i32;
        let indices = (0..3_usize.pow(other.len() as u32)).map(|index| our_index(index, other, lane));
        Some(PatternPart { pattern, occurrences, indices: indices.collect() })
    }

    /// The undivided weights of a stage in 128ths of a disc, for each index of the other pattern.
    fn weights<'w>(&'w self, stage: &'w StageWeights) -> impl Iterator<Item = i32> + 'w {
        let table = stage.pattern(self.pattern);
        self.indices.iter().map(|&index| i32::from(table[index as usize & (table.len() - 1)]))
    }
}

/// Whether an instance covers no square outside a set.
fn is_within(lane: usize, set: u64) -> bool {
    debug_assert!(lane < INSTANCES);
    (0..64).all(|square| DISC_INDEX[square][lane] == 0 || set >> square & 1 == 1)
}

/// Our index of an instance when the other pattern has this index.
fn our_index(mut index: usize, other: ForeignPattern, lane: usize) -> i16 {
    let mut sum = 0;
    for &square in other.iter().rev() {
        let disc = DISC_INDEX[usize::from(square)][lane];
        match index % 3 {
            0 => sum += disc,
            1 => sum -= disc,
            _ => {}
        }
        index /= 3;
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::super::symmetry::SymmetryClasses;
    use super::*;

    #[test]
    fn every_plain_pattern_is_part_of_a_pattern_of_both_programs() {
        for (pattern, &other) in edax::PATTERNS.iter().enumerate() {
            let part = PatternPart::new(pattern, other).unwrap();
            assert_eq!((part.occurrences, other.len()), (1, PATTERNS[pattern].squares.len()));
            // Both programs have the same symmetry classes.
            assert_eq!(edax::class_firsts(other).len(), SymmetryClasses::all()[pattern].count);
        }
        for (pattern, &into) in egaroucid::INTO.iter().enumerate() {
            let part = PatternPart::new(pattern, egaroucid::PATTERNS[into]).unwrap();
            assert_eq!(part.occurrences, if pattern == 7 { 2 } else { 1 }, "pattern {pattern}");
        }
    }
}
