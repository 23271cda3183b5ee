//! The fifteen patterns, placed on the board in every way its symmetries allow, and the pattern indices of a board.

/// Instances of all patterns on the board.
pub(super) const INSTANCES: usize = 62;
/// The first patterns, which Edax and Egaroucid have too.
pub(super) const PLAIN: usize = 12;
/// Their instances.
pub(super) const PLAIN_INSTANCES: usize = 46;
/// Instances, rounded up to whole vectors.
const LANES: usize = 64;

/// A pattern: its squares in the orientation of its definition, a1 as 0.
pub(super) struct PatternShape {
    pub(super) squares: &'static [u8],
    /// The lane of its first instance.
    pub(super) first: usize,
    /// The number of its instances.
    pub(super) instances: usize,
}

/// All patterns, in the order of their lanes.
pub(super) static PATTERNS: [PatternShape; 15] = {
    let patterns: [&[u8]; 15] = [
        &[0, 1, 2, 8, 9, 10, 16, 17, 18],    // a corner, 3 by 3
        &[0, 1, 2, 3, 4, 8, 16, 24, 32, 9],  // a corner with both edges and the X-square
        &[0, 1, 2, 3, 4, 5, 6, 7, 9, 14],    // an edge with both X-squares
        &[0, 2, 3, 4, 5, 7, 10, 11, 12, 13], // the middle of an edge, two deep, with the corners
        &[8, 9, 10, 11, 12, 13, 14, 15],     // the second row
        &[16, 17, 18, 19, 20, 21, 22, 23],   // the third
        &[24, 25, 26, 27, 28, 29, 30, 31],   // the fourth
        &[0, 9, 18, 27, 36, 45, 54, 63],     // the long diagonal
        &[8, 17, 26, 35, 44, 53, 62],        // and the shorter ones
        &[16, 25, 34, 43, 52, 61],
        &[24, 33, 42, 51, 60],
        &[32, 41, 50, 59],
        &[0, 1, 8, 9, 10, 17, 18, 27, 36, 45], // the long diagonal without its end, and the corner
        &[10, 13, 18, 19, 20, 21, 26, 27, 28, 29], // half of the centre and the squares before it
        &[0, 1, 2, 3, 4, 8, 9, 10, 11, 12],    // a corner, 5 by 2
    ];
    let mut all = [const { PatternShape { squares: &[], first: 0, instances: 0 } }; 15];
    let (mut at, mut first) = (0, 0);
    while at < patterns.len() {
        let instances = count_instances(patterns[at]);
        all[at] = PatternShape { squares: patterns[at], first, instances };
        first += instances;
        at += 1;
    }
    assert!(first == INSTANCES && all[PLAIN].first == PLAIN_INSTANCES);
    all
};

/// The image of a square under one of the eight symmetries of the board.
pub(super) const fn image(square: u8, symmetry: usize) -> u8 {
    let (mut column, mut row) = (square % 8, square / 8);
    if symmetry & 4 != 0 {
        (column, row) = (row, column);
    }
    if symmetry & 2 != 0 {
        row = 7 - row;
    }
    if symmetry & 1 != 0 {
        column = 7 - column;
    }
    row * 8 + column
}

/// The squares of a pattern under a symmetry.
pub(super) const fn cover(squares: &[u8], symmetry: usize) -> u64 {
    let (mut set, mut at) = (0, 0);
    while at < squares.len() {
        set |= 1 << image(squares[at], symmetry);
        at += 1;
    }
    set
}

/// Whether no earlier symmetry gives the same squares.
const fn is_new(squares: &[u8], symmetry: usize) -> bool {
    let mut earlier = 0;
    while earlier < symmetry {
        if cover(squares, earlier) == cover(squares, symmetry) {
            return false;
        }
        earlier += 1;
    }
    true
}

const fn count_instances(squares: &[u8]) -> usize {
    let (mut count, mut symmetry) = (0, 0);
    while symmetry < 8 {
        count += is_new(squares, symmetry) as usize;
        symmetry += 1;
    }
    count
}

/// What a disc of the mover on a square adds to the index of each instance: a power of three, or 0.
pub(super) static DISC_INDEX: [[i16; LANES]; 64] = {
    let mut all = [[0; LANES]; 64];
    let mut at = 0;
    while at < PATTERNS.len() {
        let pattern = &PATTERNS[at];
        let (mut lane, mut symmetry) = (pattern.first, 0);
        while symmetry < 8 {
            if is_new(pattern.squares, symmetry) {
                let (mut place, mut power) = (0, 1_i16);
                while place < pattern.squares.len() {
                    all[image(pattern.squares[place], symmetry) as usize][lane] = power;
                    power = power.wrapping_mul(3);
                    place += 1;
                }
                lane += 1;
            }
            symmetry += 1;
        }
        at += 1;
    }
    all
};

/// The pattern index of every instance: a sum of powers of three, positive for discs of the mover and negative for those
/// of the opponent. The same board seen by the opponent has the negated indices.
///
/// This is the incremental state of the evaluation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(align(32))]
pub struct PatternIndices(pub(super) [i16; LANES]);

impl Default for PatternIndices {
    fn default() -> PatternIndices {
        PatternIndices([0; LANES])
    }
}

impl PatternIndices {
    /// The indices of a board (a refresh).
    pub fn new(own: u64, other: u64) -> PatternIndices {
        let (own, other) = (index_sum(own), index_sum(other));
        PatternIndices(std::array::from_fn(|lane| own[lane] - other[lane]))
    }

    /// The indices after a disc on `square` that flips `flipped`, seen by the next mover.
    #[inline(always)]
    #[must_use]
    pub fn after(&self, square: usize, flipped: u64) -> PatternIndices {
        let (disc, flipped) = (&DISC_INDEX[square & 63], index_sum(flipped));
        let mut next = [0; LANES];
        for lane in 0..LANES {
            // A flipped disc changes its sign, so it counts twice. The sum fits; intermediate results may wrap.
            let sum = self.0[lane].wrapping_add(disc[lane]).wrapping_add(flipped[lane].wrapping_mul(2));
            next[lane] = sum.wrapping_neg();
        }
        PatternIndices(next)
    }

    /// The indices after a pass.
    #[inline(always)]
    #[must_use]
    pub fn passed(&self) -> PatternIndices {
        PatternIndices(self.0.map(|index| -index))
    }
}

/// What the discs of a set add to the indices.
#[inline(always)]
fn index_sum(mut set: u64) -> [i16; LANES] {
    let mut sum = [0; LANES];
    while set != 0 {
        let disc = &DISC_INDEX[(set.trailing_zeros() & 63) as usize];
        for lane in 0..LANES {
            sum[lane] += disc[lane];
        }
        set &= set - 1;
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_instance_covers_as_many_squares_as_its_pattern() {
        for pattern in &PATTERNS {
            for lane in pattern.first..pattern.first + pattern.instances {
                let squares: Vec<i16> =
                    DISC_INDEX.iter().map(|lanes| lanes[lane]).filter(|&power| power != 0).collect();
                assert_eq!(squares.len(), pattern.squares.len());
                let sum: i32 = squares.iter().map(|&power| i32::from(power)).sum();
                assert_eq!(sum, (3_i32.pow(pattern.squares.len() as u32) - 1) / 2);
            }
        }
        for lanes in &DISC_INDEX {
            assert!(lanes[INSTANCES..].iter().all(|&power| power == 0));
        }
    }

    #[test]
    fn no_two_instances_of_a_pattern_cover_the_same_squares() {
        let covered = |lane: usize| (0..64).filter(|&square| DISC_INDEX[square][lane] != 0).collect::<Vec<_>>();
        for pattern in &PATTERNS {
            for lane in pattern.first..pattern.first + pattern.instances {
                assert!((pattern.first..lane).all(|other| covered(other) != covered(lane)));
            }
        }
    }
}
