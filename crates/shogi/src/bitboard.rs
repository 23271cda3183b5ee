//! Bitboards: sets of squares as bits.

use std::fmt;
use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, BitXorAssign, Not};

use crate::Square;

/// A set of squares.
///
/// The low word holds files 1–6, the high word files 7–9. No file straddles the words. A file has ten bits: nine
/// ranks and a spare one. So a whole set steps in any direction by shifts. Squares that leave the board land on
/// spare bits or above the top file; an intersection with a set of real squares removes them.
///
/// ```text
/// bit   0…8  spare 9  10…18  spare 19  …  50…58  spare 59    64…72  spare 73  74…82  spare 83  84…92
/// file  1             2                    6                  7                8                9
/// ```
///
/// The two words are one `u128`, so that the compiler keeps them in general registers, where bits are counted.
///
/// ```
/// use tesuji_shogi::{Bitboard, Square};
///
/// let squares = ["5e", "5d", "2h"].map(|name| Square::parse(name).unwrap());
/// let set: Bitboard = squares.into_iter().collect();
/// assert_eq!(set.count(), 3);
/// assert!(set.contains(squares[0]) && !(Bitboard::ALL & !set).contains(squares[0]));
/// assert_eq!(set.into_iter().map(|square| square.to_string()).collect::<Vec<_>>(), ["2h", "5d", "5e"]);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Default)]
pub struct Bitboard(u128);

/// Squares in the low word.
const LOW: usize = 60;
const FILE: u64 = 0x1ff;

impl Bitboard {
    /// The empty set.
    pub const EMPTY: Bitboard = Bitboard(0);
    /// All 81 squares.
    pub const ALL: Bitboard =
        Bitboard::of(FILE * (1 | 1 << 10 | 1 << 20 | 1 << 30 | 1 << 40 | 1 << 50), FILE * (1 | 1 << 10 | 1 << 20));
    /// The spare bit of each file.
    pub(crate) const SPARE: Bitboard = Bitboard::of(Bitboard::RANK.lo() << 9, Bitboard::RANK.hi() << 9);
    /// The top rank.
    const RANK: Bitboard = Bitboard::of(Bitboard::ALL.lo() / FILE, Bitboard::ALL.hi() / FILE);

    /// The set of these two words: files 1–6 and files 7–9.
    #[inline(always)]
    pub(crate) const fn of(lo: u64, hi: u64) -> Bitboard {
        Bitboard(lo as u128 | (hi as u128) << 64)
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

    /// The ranks of a mask: bit 0 is the top rank, bit 8 the bottom one.
    pub const fn ranks(ranks: u64) -> Bitboard {
        Bitboard::of(Bitboard::RANK.lo() * ranks, Bitboard::RANK.hi() * ranks)
    }

    /// The set of one square.
    #[inline]
    pub const fn from_square(square: Square) -> Bitboard {
        Bitboard::one(square.index())
    }

    /// Whether the square is in the set.
    #[inline(always)]
    pub const fn contains(self, square: Square) -> bool {
        self.has(square.index())
    }

    /// The square of an index; the empty set for an index beyond the board.
    pub(crate) const fn one(number: usize) -> Bitboard {
        if number < LOW {
            Bitboard::of(1 << number, 0)
        } else if number < Square::INDICES {
            Bitboard::of(0, 1 << (number - LOW))
        } else {
            Bitboard::EMPTY
        }
    }

    /// The union, for constant expressions.
    pub const fn with(self, other: Bitboard) -> Bitboard {
        Bitboard(self.0 | other.0)
    }

    /// Whether the set is empty.
    #[inline(always)]
    pub const fn is_empty(self) -> bool {
        self.lo() | self.hi() == 0
    }

    /// Whether the set has a square.
    #[inline(always)]
    pub const fn any(self) -> bool {
        self.lo() | self.hi() != 0
    }

    /// Whether the set has two squares or more.
    #[inline(always)]
    pub const fn more_than_one(self) -> bool {
        let (lo, hi) = (self.lo(), self.hi());
        (lo & lo.wrapping_sub(1)) | (hi & hi.wrapping_sub(1)) != 0 || (lo != 0 && hi != 0)
    }

    /// The number of squares.
    #[inline(always)]
    pub const fn count(self) -> u64 {
        (self.lo().count_ones() + self.hi().count_ones()) as u64
    }

    /// Whether the square of an index is in the set.
    #[inline(always)]
    pub(crate) const fn has(self, number: usize) -> bool {
        if number < LOW { self.lo() >> number & 1 != 0 } else { self.hi() >> (number - LOW) & 1 != 0 }
    }

    /// The index of the first square; an index beyond the board for the empty set.
    #[inline(always)]
    pub(crate) const fn first(self) -> usize {
        if self.lo() != 0 { self.lo().trailing_zeros() as usize } else { LOW + self.hi().trailing_zeros() as usize }
    }

    /// The index of the last square; meaningless for the empty set.
    #[inline(always)]
    pub(crate) const fn last(self) -> usize {
        if self.hi() != 0 {
            LOW + 63 - self.hi().leading_zeros() as usize
        } else {
            (63 - (self.lo() | 1).leading_zeros()) as usize
        }
    }

    /// Every bit up to and including the lowest of the set; all bits when it is empty.
    #[inline(always)]
    pub(crate) const fn to_lowest(self) -> Bitboard {
        Bitboard(self.0 ^ self.0.wrapping_sub(1))
    }

    /// All squares of the files that have no square of the set.
    ///
    /// Subtracting a file's squares from its spare bit clears that bit, unless there are none:
    ///
    /// ```text
    /// 10000 00000 - 00000 01000 = 01111 11000      10000 00000 - 0 = 10000 00000, minus 1: the whole file
    /// ```
    #[inline(always)]
    pub(crate) const fn files_without(self) -> Bitboard {
        let lo = (Bitboard::SPARE.lo() - self.lo()) & Bitboard::SPARE.lo();
        let hi = (Bitboard::SPARE.hi() - self.hi()) & Bitboard::SPARE.hi();
        Bitboard::of(lo - (lo >> 9), hi - (hi >> 9))
    }

    /// The set shifted by `FILES` to the left of black and `RANKS` downwards, each at most 2. Bits outside the
    /// board may be set.
    ///
    /// ```text
    /// low word        high word
    /// 6 5 4 3 2 1     . . . 9 8 7     one file to the left: file 6 crosses into the high word
    /// ```
    #[inline(always)]
    pub(crate) const fn step<const FILES: i32, const RANKS: i32>(self) -> Bitboard {
        let by = FILES * 10 + RANKS;
        let (lo, hi) = (self.lo(), self.hi());
        if FILES == 0 && RANKS >= 0 {
            Bitboard::of(lo << RANKS, hi << RANKS)
        } else if FILES == 0 {
            Bitboard::of(lo >> -RANKS, hi >> -RANKS)
        } else if by > 0 {
            Bitboard::of(lo << by, hi << by | lo >> (LOW as i32 - by))
        } else {
            Bitboard::of(lo >> -by | hi << (LOW as i32 + by), hi >> -by)
        }
    }
}

impl Bitboard {
    /// The indices of the squares, in ascending order.
    #[inline(always)]
    pub(crate) fn indices(self) -> SquareIndices {
        SquareIndices { lo: self.lo(), hi: self.hi() }
    }
}

/// Iterator over the indices of a set.
#[derive(Clone, Debug)]
pub(crate) struct SquareIndices {
    lo: u64,
    hi: u64,
}

impl Iterator for SquareIndices {
    type Item = usize;

    #[inline(always)]
    fn next(&mut self) -> Option<usize> {
        if self.lo != 0 {
            let index = self.lo.trailing_zeros() as usize;
            self.lo &= self.lo - 1;
            Some(index)
        } else if self.hi != 0 {
            let index = LOW + self.hi.trailing_zeros() as usize;
            self.hi &= self.hi - 1;
            Some(index)
        } else {
            None
        }
    }
}

/// Iterator over the squares of a [`Bitboard`].
#[derive(Clone, Debug)]
pub struct Squares(SquareIndices);

impl Iterator for Squares {
    type Item = Square;

    #[inline]
    fn next(&mut self) -> Option<Square> {
        self.0.next().map(Square::trust)
    }
}

/// The squares in the order of their index: file by file from the right, each from the top.
impl IntoIterator for Bitboard {
    type Item = Square;
    type IntoIter = Squares;

    #[inline]
    fn into_iter(self) -> Squares {
        Squares((self & Bitboard::ALL).indices())
    }
}

impl FromIterator<Square> for Bitboard {
    fn from_iter<I: IntoIterator<Item = Square>>(squares: I) -> Bitboard {
        squares.into_iter().fold(Bitboard::EMPTY, |set, square| set | Bitboard::from_square(square))
    }
}

/// Draws the board as black sees it.
impl fmt::Debug for Bitboard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for rank in 1..=9 {
            let squares = (1..=9).rev().filter_map(|file| Square::new(file, rank));
            let row: String = squares.map(|square| if self.contains(square) { " #" } else { " ." }).collect();
            writeln!(f, "{row}")?;
        }
        Ok(())
    }
}

impl BitAnd for Bitboard {
    type Output = Bitboard;
    #[inline(always)]
    fn bitand(self, other: Bitboard) -> Bitboard {
        Bitboard(self.0 & other.0)
    }
}

impl BitOr for Bitboard {
    type Output = Bitboard;
    #[inline(always)]
    fn bitor(self, other: Bitboard) -> Bitboard {
        self.with(other)
    }
}

impl BitXor for Bitboard {
    type Output = Bitboard;
    #[inline(always)]
    fn bitxor(self, other: Bitboard) -> Bitboard {
        Bitboard(self.0 ^ other.0)
    }
}

/// The complement. Bits outside the board are set too: intersect with real squares before counting.
impl Not for Bitboard {
    type Output = Bitboard;
    #[inline(always)]
    fn not(self) -> Bitboard {
        Bitboard(!self.0)
    }
}

impl BitAndAssign for Bitboard {
    #[inline(always)]
    fn bitand_assign(&mut self, other: Bitboard) {
        *self = *self & other;
    }
}

impl BitOrAssign for Bitboard {
    #[inline(always)]
    fn bitor_assign(&mut self, other: Bitboard) {
        *self = *self | other;
    }
}

impl BitXorAssign for Bitboard {
    #[inline(always)]
    fn bitxor_assign(&mut self, other: Bitboard) {
        *self = *self ^ other;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// One square moved step by step.
    fn shifted(square: Square, files: i32, ranks: i32) -> Bitboard {
        let (file, rank) = (i32::from(square.file()) + files, i32::from(square.rank()) + ranks);
        let target = u8::try_from(file).ok().zip(u8::try_from(rank).ok());
        target.and_then(|(file, rank)| Square::new(file, rank)).map_or(Bitboard::EMPTY, |to| Bitboard::one(to.index()))
    }

    fn check<const FILES: i32, const RANKS: i32>() {
        for square in Square::all() {
            let stepped = Bitboard::one(square.index()).step::<FILES, RANKS>() & Bitboard::ALL;
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
        let corner: Bitboard = Square::parse("9a").into_iter().collect();
        assert!(format!("{corner:?}").starts_with(" # . ."), "{corner:?}");
        let all: Vec<Square> = Bitboard::ALL.into_iter().collect();
        assert!(all.iter().copied().eq(Square::all()));
        assert_eq!(Bitboard::ALL.count(), 81);
        assert_eq!(Bitboard::ranks(0b11).count(), 18);
        for (index, &square) in all.iter().enumerate() {
            let one = Bitboard::one(square.index());
            assert!(one.any() && !one.more_than_one() && one.has(square.index()) && one.first() == square.index());
            let other = Bitboard::one(all[(index + 40) % 81].index());
            assert!((one | other).more_than_one() && !(!one).has(square.index()));
        }
        assert!(Bitboard::EMPTY.is_empty() && !Bitboard::EMPTY.more_than_one());
        let files = Bitboard::one(0) | Bitboard::one(88);
        let expected = Square::all().filter(|square| !matches!(square.file(), 1 | 9));
        assert!(files.files_without().into_iter().eq(expected));
    }
}
