//! Bit compression (PEXT) and expansion (PDEP) of sets of cells, in portable code.

use crate::board::CELLS;

/// Compression and expansion of sets: [`Portable`] here, single instructions in `bmi2`.
pub(super) trait BitCompress: Copy {
    /// The set as if the cells `taken` were cut out of the board; none of its cells is among them.
    ///
    /// ```text
    /// taken ..1..1.    set 1..01.1  ->  1.0111 without the taken places: 1.01.
    /// ```
    fn compress(self, set: u32, taken: u32) -> u32;

    /// The inverse of `compress`.
    fn expand(self, set: u32, taken: u32) -> u32;
}

/// Whatever the compiler's target has. Few cells are taken, so one step for each of them is quick.
#[derive(Clone, Copy)]
pub(super) struct Portable;

impl BitCompress for Portable {
    #[inline(always)]
    fn compress(self, mut set: u32, mut taken: u32) -> u32 {
        while taken != 0 {
            let top = 1 << (31 - taken.leading_zeros());
            set = without(set, top);
            taken ^= top;
        }
        set
    }

    #[inline(always)]
    fn expand(self, mut set: u32, mut taken: u32) -> u32 {
        while taken != 0 {
            let below = (taken & taken.wrapping_neg()) - 1;
            set = set & below | (set & !below) << 1;
            taken &= taken - 1;
        }
        set
    }
}

/// The set with one cell, which it does not have, cut out.
#[inline(always)]
pub(super) fn without(set: u32, cell: u32) -> u32 {
    let below = cell - 1;
    set & below | set >> 1 & !below
}

/// All cells but these.
#[inline(always)]
pub(super) fn free(taken: u32) -> u32 {
    !taken & ((1 << CELLS) - 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::index::bmi2;

    #[test]
    fn squeezing_is_undone_by_spreading_and_the_same_by_any_instruction() {
        let mut state = 1u32;
        for _ in 0..20_000 {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            let taken = state >> 7 & state >> 3 & 0x1ff_ffff;
            let set = state.wrapping_mul(0x9e37_79b9) & free(taken);
            let compressed = Portable.compress(set, taken);
            assert_eq!(compressed.count_ones(), set.count_ones());
            assert!(compressed < 1 << (CELLS as u32 - taken.count_ones()));
            assert_eq!(Portable.expand(compressed, taken), set);
            if let Some(found) = bmi2::available() {
                assert_eq!(bmi2::compress(found, set, taken), compressed);
                assert_eq!(bmi2::expand(found, compressed, taken), set);
            }
        }
        assert_eq!(Portable.compress(0b1_0011, 0b100), 0b1011);
    }
}
