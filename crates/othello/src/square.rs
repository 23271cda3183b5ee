//! Squares and moves: a move is the square a disc is put on, or the pass.

use std::fmt;

use tesuji_game as game;

/// One of the 64 squares: a1 is 0, b1 is 1, h8 is 63.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Square(u8);

impl Square {
    /// The square of this number, if there is one.
    pub const fn new(index: u8) -> Option<Square> {
        if index < 64 { Some(Square(index)) } else { None }
    }

    /// The square in this column and row, both counted from 0 at a1.
    pub const fn at(column: u8, row: u8) -> Option<Square> {
        if column < 8 && row < 8 { Some(Square(row * 8 + column)) } else { None }
    }

    /// The lowest square of a set.
    pub const fn lowest(set: u64) -> Option<Square> {
        Square::new(set.trailing_zeros() as u8)
    }

    /// Reads `f5` or `F5`.
    pub fn parse(text: &str) -> Option<Square> {
        match text.as_bytes() {
            [column @ (b'a'..=b'h' | b'A'..=b'H'), row @ b'1'..=b'8'] => Square::at((column | 0x20) - b'a', row - b'1'),
            _ => None,
        }
    }

    /// The index of the square, 0 to 63. The mask lets the compiler drop bounds checks of tables of 64.
    #[inline]
    pub const fn index(self) -> usize {
        (self.0 & 63) as usize
    }

    /// The set of this square alone.
    #[inline]
    pub const fn bit(self) -> u64 {
        1 << self.0
    }

    /// The column, from 0 for a.
    pub const fn column(self) -> u8 {
        self.0 % 8
    }

    /// The row, from 0 for the top one.
    pub const fn row(self) -> u8 {
        self.0 / 8
    }
}

impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = [b'a' + self.column(), b'1' + self.row()];
        f.pad(&name.map(char::from).iter().collect::<String>())
    }
}

/// A disc on a square, or the compulsory pass.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Move(u8);

impl Move {
    /// The pass: legal only when the mover has no move and the opponent has one.
    pub const PASS: Move = Move(64);

    /// Where the disc goes; nowhere, in a pass.
    #[inline]
    pub const fn square(self) -> Option<Square> {
        Square::new(self.0)
    }
}

impl From<Square> for Move {
    #[inline]
    fn from(square: Square) -> Move {
        Move(square.0)
    }
}

impl game::Move for Move {
    #[inline]
    fn to_bits(self) -> u32 {
        u32::from(self.0)
    }

    #[inline]
    fn from_bits(bits: u32) -> Move {
        Move(bits.min(64) as u8)
    }
}

impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.square() {
            Some(square) => square.fmt(f),
            None => f.pad("pass"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn squares_are_read_as_they_are_written() {
        for index in 0..64 {
            let square = Square::new(index).unwrap();
            assert_eq!(Square::parse(&square.to_string()), Some(square));
            assert_eq!(Square::parse(&square.to_string().to_uppercase()), Some(square));
            assert_eq!(Square::lowest(square.bit()), Some(square));
        }
        assert_eq!(Square::parse("b1"), Square::new(1));
        assert_eq!(Square::parse("a2"), Square::new(8));
        for text in ["", "a", "a0", "a9", "i1", "a11", "5f", "ａ1"] {
            assert_eq!(Square::parse(text), None, "{text}");
        }
    }

    #[test]
    fn any_bits_give_a_move() {
        use game::Move as _;
        assert_eq!(Move::from_bits(u32::MAX), Move::PASS);
        assert_eq!(Move::from_bits(63).to_string(), "h8");
        assert_eq!(Move::PASS.to_string(), "pass");
    }
}
