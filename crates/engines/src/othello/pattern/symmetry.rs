//! Symmetry classes of pattern indices: a pattern that a symmetry of the board maps onto itself has one weight for all
//! indices that are images of each other.

use std::sync::OnceLock;

use super::patterns::{PATTERNS, PatternShape, cover, image};

/// The symmetry classes of a pattern's indices. Each class has one weight.
pub(super) struct SymmetryClasses {
    /// The class of each index, from the least index on.
    class: Vec<u32>,
    /// The offset of index 0 in `class`.
    centre: i32,
    /// The number of classes.
    pub(super) count: usize,
}

impl SymmetryClasses {
    /// The classes of every pattern, computed on first use.
    pub(super) fn all() -> &'static [SymmetryClasses; PATTERNS.len()] {
        static ALL: OnceLock<[SymmetryClasses; PATTERNS.len()]> = OnceLock::new();
        ALL.get_or_init(|| std::array::from_fn(|pattern| SymmetryClasses::new(&PATTERNS[pattern])))
    }

    fn new(pattern: &PatternShape) -> SymmetryClasses {
        let squares = pattern.squares;
        let maps_to_itself = |&symmetry: &usize| cover(squares, symmetry) == cover(squares, 0);
        // For each such symmetry the power of three at the image of each square.
        let images: Vec<Vec<usize>> = (0..8)
            .filter(maps_to_itself)
            .map(|symmetry| {
                let place = |square: u8| squares.iter().position(|&other| other == square).unwrap_or(0);
                let power = |&square: &u8| 3_usize.pow(place(image(square, symmetry)) as u32);
                squares.iter().map(power).collect()
            })
            .collect();
        let indices = 3_usize.pow(squares.len() as u32);
        let (mut class, mut count) = (vec![u32::MAX; indices], 0);
        for index in 0..indices {
            if class[index] != u32::MAX {
                continue;
            }
            for powers in &images {
                let (mut left, mut image) = (index, 0);
                for &power in powers {
                    image += left % 3 * power;
                    left /= 3;
                }
                class[image] = count;
            }
            count += 1;
        }
        SymmetryClasses { class, centre: indices as i32 / 2, count: count as usize }
    }

    /// The class of an index.
    pub(super) fn class(&self, index: i16) -> u32 {
        self.class[(i32::from(index) + self.centre) as usize]
    }

    /// All indices.
    pub(super) fn indices(&self) -> impl Iterator<Item = i16> + use<> {
        (-self.centre..=self.centre).map(|index| index as i16)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_symmetric_pattern_has_about_half_as_many_classes_as_indices() {
        let counts = SymmetryClasses::all().each_ref().map(|classes| classes.count);
        // With n pairs of squares and m squares on the axis there are (3^(2n+m) + 3^(n+m)) / 2 classes.
        assert_eq!(counts[0], (19683 + 3_usize.pow(6)) / 2);
        assert_eq!(counts[2], (59049 + 3_usize.pow(5)) / 2);
        assert_eq!(counts[11], (81 + 9) / 2);
        assert_eq!(counts.iter().sum::<usize>(), 114_363 + 32_805 + 29_646 + 59_049);
    }

    #[test]
    fn every_class_has_an_index() {
        for classes in SymmetryClasses::all() {
            let mut seen = vec![false; classes.count];
            classes.indices().for_each(|index| seen[classes.class(index) as usize] = true);
            assert!(seen.iter().all(|&seen| seen));
        }
    }
}
