//! Our weights in the files of other programs, so that their searches can be compared with ours by equal weights.
//!
//! Those programs judge by patterns, too: some are ours, some contain ours. What is known of their files here is
//! where things stand in them.

mod edax;
mod egaroucid;

use super::Pattern;
use super::shapes::{DISC, INSTANCES, SHAPES, cover};
use super::tables::Tables;

/// A pattern of another program: its squares in the order of their digits, the most significant first. A digit is 0
/// for a disc of the mover, 1 for one of the opponent and 2 for an empty square.
type Foreign = &'static [u8];

/// What a pattern of ours adds to one of another program.
struct Part {
    shape: usize,
    /// In how many places of the other pattern it is seen again: each adds as small a share.
    share: i32,
    /// The number of ours for each number of the other.
    numbers: Vec<i16>,
}

impl Pattern {
    /// Whether other programs have room for all weights: see [`Patterns::plain`](super::Patterns::plain).
    fn is_plain(&self) -> bool {
        self.stages.iter().all(Tables::is_plain)
    }
}

impl Part {
    /// A shape of ours as part of another, if it lies in it.
    fn new(shape: usize, other: Foreign) -> Option<Part> {
        let lanes = SHAPES[shape].first..SHAPES[shape].first + SHAPES[shape].places;
        let lane = lanes.clone().find(|&lane| lies_in(lane, cover(other, 0)))?;
        let mut places: Vec<u64> = (0..8).map(|symmetry| cover(other, symmetry)).collect();
        places.sort_unstable();
        places.dedup();
        let share = places.into_iter().filter(|&place| lies_in(lane, place)).count() as i32;
        let numbers = (0..3_usize.pow(other.len() as u32)).map(|number| ours(number, other, lane)).collect();
        Some(Part { shape, share, numbers })
    }

    /// Its weights at a stage, in shares of 128ths of a disc, for each number of the other pattern.
    fn weights<'w>(&'w self, stage: &'w Tables) -> impl Iterator<Item = i32> + 'w {
        let table = stage.kept(self.shape);
        self.numbers.iter().map(|&number| i32::from(table[number as usize & (table.len() - 1)]))
    }
}

/// Whether a pattern of ours covers no square outside a set.
fn lies_in(lane: usize, set: u64) -> bool {
    debug_assert!(lane < INSTANCES);
    (0..64).all(|square| DISC[square][lane] == 0 || set >> square & 1 == 1)
}

/// The number of our pattern when the other one has this number.
fn ours(mut number: usize, other: Foreign, lane: usize) -> i16 {
    let mut sum = 0;
    for &square in other.iter().rev() {
        let disc = DISC[usize::from(square)][lane];
        match number % 3 {
            0 => sum += disc,
            1 => sum -= disc,
            _ => {}
        }
        number /= 3;
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::super::fold::Fold;
    use super::*;

    #[test]
    fn every_shape_of_ours_has_its_place_in_both_programs() {
        for (shape, &other) in edax::PATTERNS.iter().enumerate() {
            let part = Part::new(shape, other).unwrap();
            assert_eq!((part.share, other.len()), (1, SHAPES[shape].squares.len()));
            // The same patterns are mirror images of each other there.
            assert_eq!(edax::firsts(other).len(), Fold::all()[shape].count);
        }
        for (shape, &into) in egaroucid::INTO.iter().enumerate() {
            let part = Part::new(shape, egaroucid::PATTERNS[into]).unwrap();
            assert_eq!(part.share, if shape == 7 { 2 } else { 1 }, "shape {shape}");
        }
    }
}
