//! The weights of one stage, laid out for lookup: a table for each pattern, with a power of two as its size, so that the
//! lowest bits of an index of either sign select the weight; and one table for mobility.

use super::mobility::MobilityPair;
use super::patterns::{INSTANCES, PATTERNS, PLAIN, PatternIndices};

/// Weights in 128ths of a disc.
pub(super) type Weight = i16;

/// The weights of a pattern by its index.
type WeightTable<const SIZE: usize> = [Weight; SIZE];

/// The weights of all patterns, in their order, and of mobility.
#[derive(Clone)]
pub(super) struct StageWeights {
    corner: WeightTable<0x8000>,
    wide: [WeightTable<0x1_0000>; 3],
    row: [WeightTable<0x2000>; 4],
    diagonal_7: WeightTable<0x1000>,
    diagonal_6: WeightTable<0x400>,
    diagonal_5: WeightTable<0x100>,
    diagonal_4: WeightTable<0x80>,
    broad: [WeightTable<0x1_0000>; 3],
    mobility: WeightTable<{ MobilityPair::WEIGHTS }>,
}

/// The weight of an index.
#[inline(always)]
fn weight<const SIZE: usize>(table: &WeightTable<SIZE>, index: i16) -> i32 {
    i32::from(table[index as usize & (SIZE - 1)])
}

impl StageWeights {
    /// All weights zero.
    pub(super) const ZERO: StageWeights = StageWeights {
        corner: [0; 0x8000],
        wide: [[0; 0x1_0000]; 3],
        row: [[0; 0x2000]; 4],
        diagonal_7: [0; 0x1000],
        diagonal_6: [0; 0x400],
        diagonal_5: [0; 0x100],
        diagonal_4: [0; 0x80],
        broad: [[0; 0x1_0000]; 3],
        mobility: [0; MobilityPair::WEIGHTS],
    };

    /// The table of a pattern.
    pub(super) fn pattern_mut(&mut self, pattern: usize) -> &mut [Weight] {
        match pattern {
            0 => &mut self.corner,
            1..=3 => &mut self.wide[pattern - 1],
            4..=7 => &mut self.row[pattern - 4],
            8 => &mut self.diagonal_7,
            9 => &mut self.diagonal_6,
            10 => &mut self.diagonal_5,
            11 => &mut self.diagonal_4,
            _ => &mut self.broad[pattern - PLAIN],
        }
    }

    /// The table of a pattern.
    pub(super) fn pattern(&self, pattern: usize) -> &[Weight] {
        match pattern {
            0 => &self.corner,
            1..=3 => &self.wide[pattern - 1],
            4..=7 => &self.row[pattern - 4],
            8 => &self.diagonal_7,
            9 => &self.diagonal_6,
            10 => &self.diagonal_5,
            11 => &self.diagonal_4,
            _ => &self.broad[pattern - PLAIN],
        }
    }

    /// The table of mobility.
    pub(super) fn mobility_mut(&mut self) -> &mut [Weight] {
        &mut self.mobility
    }

    /// Whether only the plain patterns have weights.
    pub(super) fn is_plain(&self) -> bool {
        self.broad.iter().flatten().chain(&self.mobility).all(|&weight| weight == 0)
    }

    /// The sum of the weights of all pattern instances and mobility features.
    #[inline(always)]
    pub(super) fn sum(&self, indices: &PatternIndices, empties: u32, mobility: MobilityPair) -> i32 {
        let n = &indices.0;
        let mut sum = 0;
        for lane in 0..4 {
            sum += weight(&self.corner, n[lane]);
            sum += weight(&self.wide[0], n[4 + lane]);
            sum += weight(&self.wide[1], n[8 + lane]);
            sum += weight(&self.wide[2], n[12 + lane]);
            sum += weight(&self.row[0], n[16 + lane]);
            sum += weight(&self.row[1], n[20 + lane]);
            sum += weight(&self.row[2], n[24 + lane]);
            sum += weight(&self.diagonal_7, n[30 + lane]);
            sum += weight(&self.diagonal_6, n[34 + lane]);
            sum += weight(&self.diagonal_5, n[38 + lane]);
            sum += weight(&self.diagonal_4, n[42 + lane]);
            sum += weight(&self.broad[0], n[46 + lane]);
            sum += weight(&self.broad[1], n[50 + lane]);
            sum += weight(&self.broad[2], n[54 + lane]);
            sum += weight(&self.broad[2], n[58 + lane]);
        }
        for feature in mobility.features(empties) {
            sum += i32::from(self.mobility[feature]);
        }
        sum + weight(&self.row[3], n[28]) + weight(&self.row[3], n[29])
    }
}

const _: () = {
    // `sum` reads these lanes.
    let firsts = [0, 4, 8, 12, 16, 20, 24, 28, 30, 34, 38, 42, 46, 50, 54];
    let mut at = 0;
    while at < firsts.len() {
        assert!(PATTERNS[at].first == firsts[at]);
        at += 1;
    }
    assert!(INSTANCES == 62);
};
