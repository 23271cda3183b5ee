//! Which numbers of a pattern share a weight: a shape that a symmetry of the board maps onto itself is worth the
//! same both ways round.

use std::sync::OnceLock;

use super::shapes::{SHAPES, Shape, cover, image};

/// The weights of a shape: one for all numbers that are images of each other.
pub(super) struct Fold {
    /// The weight of each number, counted from the least number.
    of: Vec<u32>,
    /// Half the numbers: what the least one lacks to zero.
    centre: i32,
    /// How many weights there are.
    pub(super) count: usize,
}

impl Fold {
    /// The weights of every shape, counted once.
    pub(super) fn all() -> &'static [Fold; SHAPES.len()] {
        static ALL: OnceLock<[Fold; SHAPES.len()]> = OnceLock::new();
        ALL.get_or_init(|| std::array::from_fn(|shape| Fold::new(&SHAPES[shape])))
    }

    fn new(shape: &Shape) -> Fold {
        let squares = shape.squares;
        let itself = |&symmetry: &usize| cover(squares, symmetry) == cover(squares, 0);
        // What a disc on each place counts where it comes to lie.
        let moves: Vec<Vec<usize>> = (0..8)
            .filter(itself)
            .map(|symmetry| {
                let place = |square: u8| squares.iter().position(|&other| other == square).unwrap_or(0);
                let power = |&square: &u8| 3_usize.pow(place(image(square, symmetry)) as u32);
                squares.iter().map(power).collect()
            })
            .collect();
        let numbers = 3_usize.pow(squares.len() as u32);
        let (mut of, mut count) = (vec![u32::MAX; numbers], 0);
        for number in 0..numbers {
            if of[number] != u32::MAX {
                continue;
            }
            for powers in &moves {
                let (mut left, mut image) = (number, 0);
                for &power in powers {
                    image += left % 3 * power;
                    left /= 3;
                }
                of[image] = count;
            }
            count += 1;
        }
        Fold { of, centre: numbers as i32 / 2, count: count as usize }
    }

    /// The weight of a number.
    pub(super) fn weight(&self, number: i16) -> u32 {
        self.of[(i32::from(number) + self.centre) as usize]
    }

    /// Every number.
    pub(super) fn numbers(&self) -> impl Iterator<Item = i16> + use<> {
        (-self.centre..=self.centre).map(|number| number as i16)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_shape_with_a_symmetry_has_about_half_the_weights() {
        let counts = Fold::all().each_ref().map(|fold| fold.count);
        // Of n squares in pairs and m alone, (3^(2n+m) + 3^(n+m)) / 2 are different.
        assert_eq!(counts[0], (19683 + 3_usize.pow(6)) / 2);
        assert_eq!(counts[2], (59049 + 3_usize.pow(5)) / 2);
        assert_eq!(counts[11], (81 + 9) / 2);
        assert_eq!(counts.iter().sum::<usize>(), 114_363 + 32_805 + 29_646 + 59_049);
    }

    #[test]
    fn every_number_has_a_weight() {
        for fold in Fold::all() {
            let mut seen = vec![false; fold.count];
            fold.numbers().for_each(|number| seen[fold.weight(number) as usize] = true);
            assert!(seen.iter().all(|&seen| seen));
        }
    }
}
