//! The rows of the index: with the hole on one of six cells, the sets of own pieces up to the symmetries that leave
//! that hole where it is.

use super::choose::Choose;
use super::compress::without;
use super::images::{Images, SYMMETRIES};
use crate::symmetry::image_cell;

/// One cell of each kind that a hole can be on.
pub(super) const HOLES: [u8; 6] = [0, 1, 2, 6, 7, 12];

/// The rows of one hole, and the way from every set of own pieces to its row.
pub(super) struct IndexRows {
    /// By the number of a set among the 24 other cells: the row, and above it the place in `stabiliser` of the
    /// symmetry that leads there. Sixteen bits hold both, because a hole with more symmetries has fewer rows.
    entries: Vec<u16>,
    shift: u32,
    stabiliser: [u8; SYMMETRIES],
    order: usize,
    /// The set of each row.
    sets: Vec<u32>,
    /// The first of the rows whose set a symmetry maps to itself; all those come last.
    pub(super) ties: u32,
}

impl IndexRows {
    pub(super) fn new(hole: u8, choose: &Choose, images: &Images) -> IndexRows {
        let keeps = |symmetry: &u8| image_cell(usize::from(hole), usize::from(*symmetry)) == usize::from(hole);
        let mut stabiliser = [0; SYMMETRIES];
        let mut order = 0;
        for symmetry in (0..SYMMETRIES as u8).filter(keeps) {
            stabiliser[order] = symmetry;
            order += 1;
        }
        let group = &stabiliser[..order];
        let whole = |set: u32| set & ((1 << hole) - 1) | set >> hole << (hole + 1);
        let least = |set: &u32| group.iter().all(|&symmetry| images.of(*set, symmetry) >= *set);
        let tied = |set: &u32| group[1..].iter().any(|&symmetry| images.of(*set, symmetry) == *set);
        let (ties, plain): (Vec<u32>, Vec<u32>) =
            choose.sets().iter().map(|&set| whole(set)).filter(least).partition(tied);
        let first_tie = plain.len() as u32;
        let sets = [plain, ties].concat();

        let shift = u32::BITS - (sets.len() as u32 - 1).leading_zeros();
        let mut entries = vec![0; choose.sets().len()];
        for (row, &set) in sets.iter().enumerate() {
            // Downwards, so that among several ways the identity, or whatever is least, remains.
            for (turn, &symmetry) in group.iter().enumerate().rev() {
                // The way back: the one that takes the image to the row's set.
                let image = images.of(set, symmetry);
                let back = group.iter().position(|&back| images.compose(symmetry, back) == 0).unwrap_or(turn);
                let entry = row | back << shift;
                entries[choose.rank(without(image, 1 << hole)) as usize] = entry as u16;
            }
        }
        IndexRows { entries, shift, stabiliser, order, sets, ties: first_tie }
    }

    /// The row of a set with this number, and the symmetry that takes the set there.
    #[inline(always)]
    pub(super) fn find(&self, number: u32) -> (u32, u8) {
        let entry = u32::from(self.entries[number as usize]);
        (entry & ((1 << self.shift) - 1), self.stabiliser[(entry >> self.shift) as usize & 7])
    }

    /// The set of a row.
    #[inline(always)]
    pub(super) fn set(&self, row: u32) -> u32 {
        self.sets[row as usize]
    }

    /// How many rows there are.
    pub(super) fn len(&self) -> u32 {
        self.sets.len() as u32
    }

    /// The symmetries that leave the hole where it is, the identity first.
    #[inline]
    pub(super) fn stabiliser(&self) -> &[u8] {
        &self.stabiliser[..self.order]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_as_many_as_the_symmetries_leave() {
        let images = Images::new();
        for (pieces, expected) in
            [(5, [21_362, 42_504, 21_362, 21_362, 21_362, 5_423]), (4, [5_366, 10_626, 5_366, 5_366, 5_366, 1_391])]
        {
            let choose = Choose::new(pieces);
            let rows = HOLES.map(|hole| IndexRows::new(hole, &choose, &images));
            assert_eq!(rows.each_ref().map(IndexRows::len), expected);
            for (hole, rows) in HOLES.iter().zip(&rows) {
                assert!(rows.shift + (rows.order as u32 - 1).count_ones() <= 16, "hole {hole}");
                for (number, &set) in choose.sets().iter().enumerate() {
                    let whole = set & ((1 << hole) - 1) | set >> hole << (hole + 1);
                    let (row, symmetry) = rows.find(number as u32);
                    assert_eq!(images.of(whole, symmetry), rows.set(row));
                }
            }
        }
    }
}
