//! Coordinates and moves, relative to the bounding box before the move, as in the notation.

use std::fmt;

use tesuji_game::Move as Packed;

use crate::tile::Glyph;

/// A cell relative to the bounding box: column 1 and row 1 are the first of the box, 0 is the one before.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Coordinate {
    /// 0 is written `@`, 1 `A`, 27 `AA`.
    pub column: u16,
    /// 0 is the row above the box.
    pub row: u16,
}

/// The bits of a column or a row within a move.
const BITS: u32 = 15;
const MASK: u32 = (1 << BITS) - 1;

/// A turn: the coordinate and the glyph of its chosen tile. Forced tiles follow from the position.
///
/// The coordinate is relative to the bounding box, so that equal positions have equal moves.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Move(u32);

impl Move {
    /// The move that lays a tile with this glyph. Columns and rows are at most 32,767.
    #[inline]
    pub fn new(place: Coordinate, glyph: Glyph) -> Move {
        debug_assert!(u32::from(place.column) <= MASK && u32::from(place.row) <= MASK, "{place:?}");
        Move((u32::from(place.column) & MASK) << (2 + BITS) | (u32::from(place.row) & MASK) << 2 | glyph as u32)
    }

    /// The coordinate of the tile.
    #[inline]
    pub fn place(self) -> Coordinate {
        Coordinate { column: (self.0 >> (2 + BITS)) as u16, row: (self.0 >> 2 & MASK) as u16 }
    }

    /// The glyph; `None` for bits that no move has.
    #[inline]
    pub fn glyph(self) -> Option<Glyph> {
        Glyph::ALL.get((self.0 & 3) as usize).copied()
    }
}

impl Packed for Move {
    #[inline]
    fn to_bits(self) -> u32 {
        self.0
    }

    #[inline]
    fn from_bits(bits: u32) -> Move {
        Move(bits)
    }
}

impl fmt::Display for Move {
    #[inline]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.place(), self.glyph().map_or('?', Glyph::sign))
    }
}

impl fmt::Debug for Move {
    #[inline]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl fmt::Display for Coordinate {
    #[inline]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", column_name(self.column), self.row)
    }
}

impl fmt::Debug for Coordinate {
    #[inline]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// `@` for 0, then bijective base 26: `A` … `Z`, `AA`, `AB` …
#[inline]
pub(crate) fn column_name(column: u16) -> String {
    if column == 0 {
        return "@".to_owned();
    }
    let mut letters = Vec::new();
    let mut rest = column;
    while rest > 0 {
        rest -= 1;
        letters.push((b'A' + (rest % 26) as u8) as char);
        rest /= 26;
    }
    letters.iter().rev().collect()
}

/// The number of a column name in either case; `None` when it is empty or too large.
#[inline]
pub(crate) fn column_number(letters: &str) -> Option<u16> {
    if letters == "@" {
        return Some(0);
    }
    if letters.is_empty() {
        return None;
    }
    letters.bytes().try_fold(0u16, |column, letter| {
        let digit = letter.is_ascii_alphabetic().then(|| u16::from(letter.to_ascii_uppercase() - b'A') + 1)?;
        column.checked_mul(26)?.checked_add(digit)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_count_in_letters() {
        for (number, name) in
            [(0, "@"), (1, "A"), (26, "Z"), (27, "AA"), (52, "AZ"), (53, "BA"), (702, "ZZ"), (703, "AAA")]
        {
            assert_eq!(column_name(number), name);
            assert_eq!(column_number(name), Some(number));
            assert_eq!(column_number(&name.to_lowercase()), Some(number));
        }
        for number in 0..=u16::MAX {
            assert_eq!(column_number(&column_name(number)), Some(number));
        }
        assert_eq!(column_number("CRXO"), Some(u16::MAX));
        assert_eq!(column_number("CRXP"), None);
        assert_eq!(column_number("ZZZZZZZZZZZZZZZZ"), None);
        assert_eq!(column_number("A@"), None);
        assert_eq!(column_number(""), None);
    }

    #[test]
    fn the_whole_range_packs() {
        for place in [Coordinate { column: 0, row: 32_767 }, Coordinate { column: 32_767, row: 0 }] {
            for glyph in Glyph::ALL {
                let mv = Move::from_bits(Move::new(place, glyph).to_bits());
                assert_eq!((mv.place(), mv.glyph()), (place, Some(glyph)));
            }
        }
        assert_eq!(Move::from_bits(u32::MAX).glyph(), None);
    }
}
