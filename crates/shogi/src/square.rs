//! The squares of the board.

use std::fmt;

use tesuji_game::Side;

use crate::attacks::Direction;
use crate::tables::{NEXT, NO_SQUARE};

/// A square of the board, named as players name it: file 1–9 from the right of black, rank `a`–`i` from the top.
///
/// ```text
///  9  8  7  6  5  4  3  2  1
/// 80 70 60 50 40 30 20 10  0  a
/// 81 71 61 51 41 31 21 11  1  b
///  …                       …
/// 88 78 68 58 48 38 28 18  8  i
/// ```
///
/// The index is `10 * (file - 1) + (rank - 1)`. Every file has one spare index behind rank `i`, so that a step
/// over the edge of the board reaches an index without a square.
///
/// ```
/// use tesuji_shogi::Square;
///
/// let square = Square::parse("7g").unwrap();
/// assert_eq!((square.file(), square.rank(), square.index()), (7, 7, 66));
/// assert_eq!(square.offset(0, -1), Square::parse("7f"));
/// assert_eq!(square.offset(3, 0), None);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Square(u8);

impl Square {
    /// The length of a table that is indexed by [`Square::index`].
    pub const INDICES: usize = 90;

    /// The square on a file (1–9, from the right of black) and a rank (1–9, from the top); `None` outside.
    #[inline]
    pub const fn new(file: u8, rank: u8) -> Option<Square> {
        if file >= 1 && file <= 9 && rank >= 1 && rank <= 9 { Some(Square(10 * (file - 1) + rank - 1)) } else { None }
    }

    /// All squares, file by file from the right, each from the top.
    pub fn all() -> impl Iterator<Item = Square> {
        (0..Square::INDICES as u8).filter(|number| number % 10 != 9).map(Square)
    }

    /// The square of an index; `None` for a spare index.
    #[inline]
    pub const fn from_index(index: usize) -> Option<Square> {
        if index < Square::INDICES && index % 10 != 9 { Some(Square(index as u8)) } else { None }
    }

    /// The square of any bits; 1a for bits of no square.
    #[inline]
    pub(crate) const fn from_bits(bits: usize) -> Square {
        match Square::from_index(bits) {
            Some(square) => square,
            None => Square(0),
        }
    }

    /// The square of an index that is known to have one.
    #[inline(always)]
    pub(crate) const fn trust(index: usize) -> Square {
        debug_assert!(index < Square::INDICES && index % 10 != 9);
        Square(index as u8)
    }

    /// The index, below [`Square::INDICES`].
    #[inline(always)]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// The square this many files to the left of black and this many ranks down; `None` beyond the edge.
    pub const fn offset(self, files: i32, ranks: i32) -> Option<Square> {
        let (file, rank) = (self.0 as i32 / 10 + files, self.0 as i32 % 10 + ranks);
        if 0 <= file && file < 9 && 0 <= rank && rank < 9 { Some(Square((file * 10 + rank) as u8)) } else { None }
    }

    /// The neighbour in a direction; `None` beyond the edge.
    #[inline]
    pub fn step(self, direction: Direction) -> Option<Square> {
        match NEXT[self.index()][direction as usize] {
            NO_SQUARE => None,
            index => Some(Square(index)),
        }
    }

    /// The number of king moves between two squares.
    #[inline]
    pub const fn distance(self, other: Square) -> u8 {
        let files = (self.0 / 10).abs_diff(other.0 / 10);
        let ranks = (self.0 % 10).abs_diff(other.0 % 10);
        if files > ranks { files } else { ranks }
    }

    /// Whether the square lies in the promotion zone of a side: its three far ranks.
    #[inline]
    pub const fn in_promotion_zone(self, side: Side) -> bool {
        match side {
            Side::First => self.0 % 10 < 3,
            Side::Second => self.0 % 10 > 5,
        }
    }

    /// 1 on the right of black, 9 on the left.
    #[inline]
    pub const fn file(self) -> u8 {
        self.0 / 10 + 1
    }

    /// 1 at the top, where white's king starts, 9 at the bottom.
    #[inline]
    pub const fn rank(self) -> u8 {
        self.0 % 10 + 1
    }

    /// Parses `7g`: a digit for the file and a letter for the rank.
    pub fn parse(text: &str) -> Option<Square> {
        match *text.as_bytes() {
            [file, rank] => Square::new(file.wrapping_sub(b'0'), rank.to_ascii_lowercase().wrapping_sub(b'a' - 1)),
            _ => None,
        }
    }
}

impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.file(), char::from(b'a' - 1 + self.rank()))
    }
}

impl fmt::Debug for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_indices_agree() {
        let squares: Vec<Square> = Square::all().collect();
        assert_eq!(squares.len(), 81);
        for square in squares {
            assert_eq!(Square::new(square.file(), square.rank()), Some(square));
            assert_eq!(Square::parse(&square.to_string()), Some(square));
            assert_eq!(Square::from_index(square.index()), Some(square));
        }
        assert_eq!((Square::from_index(9), Square::from_index(90)), (None, None));
        for side in Side::BOTH {
            assert_eq!(Square::all().filter(|square| square.in_promotion_zone(side)).count(), 27);
        }
        let [near, far] = [Square(0), Square(88)];
        assert_eq!(Square::all().filter(|square| square.distance(near) == 1).count(), 3);
        assert_eq!((near.distance(far), near.offset(8, 8), near.offset(0, -1)), (8, Some(far), None));
        assert_eq!(Square::new(7, 7).map(|square| square.to_string()).as_deref(), Some("7g"));
        for wrong in ["", "7", "0a", "7j", "a7", "7`", "77", "7gg", "飛"] {
            assert_eq!(Square::parse(wrong), None, "{wrong}");
        }
    }
}
