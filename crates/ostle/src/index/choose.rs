//! Combinatorial number system: sets of a fixed size, ranked by two look-ups.

/// How many cells the lower look-up covers.
const HALF: u32 = 12;
/// The most cells of a set.
const CELLS: u32 = 24;

/// The sets of `pieces` among up to 24 cells.
///
/// The number of a set is the sum of `C(cell, i)` over its cells, `i` counting them from 1: sets come in
/// ascending order, and those among the first few cells come first, so one table serves any number of cells.
/// How many cells the lower half has follows from the upper half, so that the halves are looked up apart.
pub(super) struct Choose {
    low: Box<[u16; 1 << HALF]>,
    high: Box<[u16; 1 << HALF]>,
    sets: Vec<u32>,
}

impl Choose {
    pub(super) fn new(pieces: u32) -> Choose {
        let mut low = Box::new([0; 1 << HALF]);
        let mut high = low.clone();
        for half in 0..1u32 << HALF {
            low[half as usize] = sum(half, 0, 1);
            if let Some(below) = pieces.checked_sub(half.count_ones()) {
                high[half as usize] = sum(half, HALF, below + 1);
            }
        }
        let sets = (0..1 << CELLS).filter(|set: &u32| set.count_ones() == pieces).collect();
        Choose { low, high, sets }
    }

    /// The number of a set.
    #[inline(always)]
    pub(super) fn rank(&self, set: u32) -> u32 {
        let mask = (1 << HALF) - 1;
        u32::from(self.low[(set & mask) as usize]) + u32::from(self.high[(set >> HALF & mask) as usize])
    }

    /// The sets in the order of their numbers.
    pub(super) fn sets(&self) -> &[u32] {
        &self.sets
    }
}

/// The part of the number that comes from the cells of `half`, which begins at cell `from`; `i` is the place of its
/// first among all.
fn sum(half: u32, from: u32, first: u32) -> u16 {
    let cells = (0..HALF).filter(|cell| half >> cell & 1 != 0);
    cells.zip(first..).map(|(cell, i)| binomial(from + cell, i)).fold(0, |sum, term| sum.wrapping_add(term as u16))
}

/// How many ways there are to choose `k` of `n`.
pub(super) fn binomial(n: u32, k: u32) -> u32 {
    (0..k).fold(1, |ways, i| ways * n.saturating_sub(i) / (i + 1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_are_numbered_in_order() {
        for pieces in [4, 5] {
            let choose = Choose::new(pieces);
            assert_eq!(choose.sets().len() as u32, binomial(24, pieces));
            for (number, &set) in choose.sets().iter().enumerate() {
                assert_eq!(choose.rank(set) as usize, number);
            }
            let few = choose.sets().iter().filter(|&&set| set < 1 << 19).count() as u32;
            assert_eq!(few, binomial(19, pieces));
        }
        assert_eq!([binomial(19, 5), binomial(20, 4), binomial(3, 5)], [11_628, 4_845, 0]);
    }
}
