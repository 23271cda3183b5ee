//! Sets of squares as bits, in two words whose files never straddle.
//!
//! The low word holds files 1–6, the high word files 7–9, ten bits a file: nine ranks and a spare one. A whole
//! set steps in any direction by shifts; what leaves the board lands on spare bits or above the top file, and
//! disappears when the result is cut with a set of real squares, as every target set is.

use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, BitXorAssign, Not};

use crate::Square;

/// A set of squares. One wide number rather than two words: so the compiler keeps it in general registers,
/// where bits are counted, and does not carry it to vector registers and back.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(crate) struct Bits(u128);

/// Squares in the low word.
const LOW: usize = 60;
const FILE: u64 = 0x1ff;

impl Bits {
    /// No square.
    pub(crate) const NONE: Bits = Bits(0);
    /// All 81.
    pub(crate) const BOARD: Bits = Bits::of(
        FILE * (1 | 1 << 10 | 1 << 20 | 1 << 30 | 1 << 40 | 1 << 50),
        FILE * (1 | 1 << 10 | 1 << 20),
    );
    /// The spare place of each file.
    pub(crate) const SPARE: Bits = Bits::of(Bits::RANK.lo() << 9, Bits::RANK.hi() << 9);
    /// The top rank.
    const RANK: Bits = Bits::of(Bits::BOARD.lo() / FILE, Bits::BOARD.hi() / FILE);

    /// The set of these two words: files 1–6 and files 7–9.
    #[inline(always)]
    pub(crate) const fn of(lo: u64, hi: u64) -> Bits {
        Bits(lo as u128 | (hi as u128) << 64)
    }

    /// Files 1–6.
    #[inline(always)]
    pub(crate) const fn lo(self) -> u64 {
        self.0 as u64
    }

    /// Files 7–9.
    #[inline(always)]
    pub(crate) const fn hi(self) -> u64 {
        (self.0 >> 64) as u64
    }

    /// The ranks whose bit, from bit 0 for the top, is set in `ranks`.
    pub(crate) const fn ranks(ranks: u64) -> Bits {
        Bits::of(Bits::RANK.lo() * ranks, Bits::RANK.hi() * ranks)
    }

    /// The one square of this number; numbers beyond the board give nothing.
    pub(crate) const fn one(number: usize) -> Bits {
        if number < LOW {
            Bits::of(1 << number, 0)
        } else if number < Square::NUMBERS {
            Bits::of(0, 1 << (number - LOW))
        } else {
            Bits::NONE
        }
    }

    /// Both sets together, where operators cannot be used.
    pub(crate) const fn with(self, other: Bits) -> Bits {
        Bits(self.0 | other.0)
    }

    /// Whether there is no square.
    #[inline(always)]
    pub(crate) const fn is_empty(self) -> bool {
        self.lo() | self.hi() == 0
    }

    /// Whether there is a square.
    #[inline(always)]
    pub(crate) const fn any(self) -> bool {
        self.lo() | self.hi() != 0
    }

    /// Whether there are two squares or more.
    #[inline(always)]
    pub(crate) const fn many(self) -> bool {
        let (lo, hi) = (self.lo(), self.hi());
        (lo & lo.wrapping_sub(1)) | (hi & hi.wrapping_sub(1)) != 0 || (lo != 0 && hi != 0)
    }

    /// How many squares.
    #[inline(always)]
    pub(crate) const fn count(self) -> u64 {
        (self.lo().count_ones() + self.hi().count_ones()) as u64
    }

    /// Whether the square of this number is in the set.
    #[inline(always)]
    pub(crate) const fn has(self, number: usize) -> bool {
        if number < LOW { self.lo() >> number & 1 != 0 } else { self.hi() >> (number - LOW) & 1 != 0 }
    }

    /// The number of the first square; of an empty set, a number beyond the board.
    #[inline(always)]
    pub(crate) const fn first(self) -> usize {
        if self.lo() != 0 {
            self.lo().trailing_zeros() as usize
        } else {
            LOW + self.hi().trailing_zeros() as usize
        }
    }

    /// Every bit up to and with the lowest of the set; all bits when it is empty.
    #[inline(always)]
    pub(crate) const fn to_lowest(self) -> Bits {
        Bits(self.0 ^ self.0.wrapping_sub(1))
    }

    /// All squares of the files that hold no square of the set.
    ///
    /// Taking a file's squares from its spare bit clears that bit, unless there are none:
    ///
    /// ```text
    /// 10000 00000 - 00000 01000 = 01111 11000      10000 00000 - 0 = 10000 00000, minus 1: the whole file
    /// ```
    #[inline(always)]
    pub(crate) const fn files_without(self) -> Bits {
        let lo = (Bits::SPARE.lo() - self.lo()) & Bits::SPARE.lo();
        let hi = (Bits::SPARE.hi() - self.hi()) & Bits::SPARE.hi();
        Bits::of(lo - (lo >> 9), hi - (hi >> 9))
    }

    /// Every square moved by `FILES` to the left of black and `RANKS` downwards, each at most 2.
    ///
    /// ```text
    /// low word        high word
    /// 6 5 4 3 2 1     . . . 9 8 7     one file to the left: file 6 crosses into the high word
    /// ```
    #[inline(always)]
    pub(crate) const fn step<const FILES: i32, const RANKS: i32>(self) -> Bits {
        let by = FILES * 10 + RANKS;
        let (lo, hi) = (self.lo(), self.hi());
        if FILES == 0 && RANKS >= 0 {
            Bits::of(lo << RANKS, hi << RANKS)
        } else if FILES == 0 {
            Bits::of(lo >> -RANKS, hi >> -RANKS)
        } else if by > 0 {
            Bits::of(lo << by, hi << by | lo >> (LOW as i32 - by))
        } else {
            Bits::of(lo >> -by | hi << (LOW as i32 + by), hi >> -by)
        }
    }
}

/// The numbers of the squares, in order.
impl IntoIterator for Bits {
    type Item = usize;
    type IntoIter = Numbers;
    #[inline(always)]
    fn into_iter(self) -> Numbers {
        Numbers { lo: self.lo(), hi: self.hi() }
    }
}

/// What is left of a set whose squares are visited one by one.
pub(crate) struct Numbers {
    lo: u64,
    hi: u64,
}

impl Iterator for Numbers {
    type Item = usize;

    #[inline(always)]
    fn next(&mut self) -> Option<usize> {
        if self.lo != 0 {
            let number = self.lo.trailing_zeros() as usize;
            self.lo &= self.lo - 1;
            Some(number)
        } else if self.hi != 0 {
            let number = LOW + self.hi.trailing_zeros() as usize;
            self.hi &= self.hi - 1;
            Some(number)
        } else {
            None
        }
    }
}

impl BitAnd for Bits {
    type Output = Bits;
    #[inline(always)]
    fn bitand(self, other: Bits) -> Bits {
        Bits(self.0 & other.0)
    }
}

impl BitOr for Bits {
    type Output = Bits;
    #[inline(always)]
    fn bitor(self, other: Bits) -> Bits {
        self.with(other)
    }
}

impl BitXor for Bits {
    type Output = Bits;
    #[inline(always)]
    fn bitxor(self, other: Bits) -> Bits {
        Bits(self.0 ^ other.0)
    }
}

/// Bits outside the board are set too; cut with real squares before counting.
impl Not for Bits {
    type Output = Bits;
    #[inline(always)]
    fn not(self) -> Bits {
        Bits(!self.0)
    }
}

impl BitAndAssign for Bits {
    #[inline(always)]
    fn bitand_assign(&mut self, other: Bits) {
        *self = *self & other;
    }
}

impl BitOrAssign for Bits {
    #[inline(always)]
    fn bitor_assign(&mut self, other: Bits) {
        *self = *self | other;
    }
}

impl BitXorAssign for Bits {
    #[inline(always)]
    fn bitxor_assign(&mut self, other: Bits) {
        *self = *self ^ other;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Moves one square by hand.
    fn shifted(square: Square, files: i32, ranks: i32) -> Bits {
        let (file, rank) = (i32::from(square.file()) + files, i32::from(square.rank()) + ranks);
        let target = u8::try_from(file).ok().zip(u8::try_from(rank).ok());
        target
            .and_then(|(file, rank)| Square::new(file, rank))
            .map_or(Bits::NONE, |to| Bits::one(to.number()))
    }

    fn check<const FILES: i32, const RANKS: i32>() {
        for square in Square::all() {
            let stepped = Bits::one(square.number()).step::<FILES, RANKS>() & Bits::BOARD;
            assert_eq!(stepped, shifted(square, FILES, RANKS), "{square} by {FILES}, {RANKS}");
        }
    }

    #[test]
    fn sets_step_as_squares_do() {
        check::<0, 1>();
        check::<0, -1>();
        check::<1, 0>();
        check::<-1, 0>();
        check::<1, 1>();
        check::<1, -1>();
        check::<-1, 1>();
        check::<-1, -1>();
    }

    #[test]
    fn a_set_is_its_squares() {
        let all: Vec<Square> = Bits::BOARD.into_iter().map(Square::of).collect();
        assert!(all.iter().copied().eq(Square::all()));
        assert_eq!(Bits::BOARD.count(), 81);
        assert_eq!(Bits::ranks(0b11).count(), 18);
        for (index, &square) in all.iter().enumerate() {
            let one = Bits::one(square.number());
            assert!(one.any() && !one.many() && one.has(square.number()) && one.first() == square.number());
            let other = Bits::one(all[(index + 40) % 81].number());
            assert!((one | other).many() && !(!one).has(square.number()));
        }
        assert!(Bits::NONE.is_empty() && !Bits::NONE.many());
        let files = Bits::one(0) | Bits::one(88);
        let expected = Square::all().filter(|square| !matches!(square.file(), 1 | 9));
        assert!(files.files_without().into_iter().map(Square::of).eq(expected));
    }
}
