//! The squares of the board, named as players name them: file 1–9 from the right, rank 1–9 from the top.

use std::fmt;

/// A square. Its number is `10 * (file - 1) + (rank - 1)`: every file has one spare place behind rank 9, so
/// that a step over the edge of the board falls into a place no piece can stand on.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Square(u8);

impl Square {
    /// One more than the greatest number of a square; tables are this long.
    pub(crate) const NUMBERS: usize = 90;

    /// The square on this file (1–9, from the right of black) and rank (1–9, from the top).
    #[inline]
    pub const fn new(file: u8, rank: u8) -> Option<Square> {
        if file >= 1 && file <= 9 && rank >= 1 && rank <= 9 {
            Some(Square(10 * (file - 1) + rank - 1))
        } else {
            None
        }
    }

    /// All squares, file by file from the right, each from the top.
    pub fn all() -> impl Iterator<Item = Square> {
        (0..Square::NUMBERS as u8).filter(|number| number % 10 != 9).map(Square)
    }

    /// The square of this number; numbers of no square give 1a.
    #[inline]
    pub(crate) const fn of(number: usize) -> Square {
        if number < Square::NUMBERS && number % 10 != 9 { Square(number as u8) } else { Square(0) }
    }

    /// The square of a number known to be one.
    #[inline(always)]
    pub(crate) const fn trust(number: usize) -> Square {
        debug_assert!(number < Square::NUMBERS && number % 10 != 9);
        Square(number as u8)
    }

    /// The number, see above.
    #[inline(always)]
    pub(crate) const fn number(self) -> usize {
        self.0 as usize
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

    /// Reads `7g`: a file digit and a rank letter.
    pub fn parse(text: &str) -> Option<Square> {
        match *text.as_bytes() {
            [file, rank] => {
                Square::new(file.wrapping_sub(b'0'), rank.to_ascii_lowercase().wrapping_sub(b'a' - 1))
            }
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
    fn names_and_numbers_agree() {
        let squares: Vec<Square> = Square::all().collect();
        assert_eq!(squares.len(), 81);
        for square in squares {
            assert_eq!(Square::new(square.file(), square.rank()), Some(square));
            assert_eq!(Square::parse(&square.to_string()), Some(square));
        }
        assert_eq!(Square::new(7, 7).map(|square| square.to_string()).as_deref(), Some("7g"));
        for wrong in ["", "7", "0a", "7j", "a7", "7`", "77", "7gg", "飛"] {
            assert_eq!(Square::parse(wrong), None, "{wrong}");
        }
    }
}
