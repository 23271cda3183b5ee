//! The position: 25 digits, the ko, the losses and the mover in 64 bits. How it changes is in `play`.
//!
//! A cell is one digit of two bits, the very digit of the text form: 0 empty, 1 the mover's piece, 2 the
//! opponent's, 3 the hole. So a row is ten neighbouring bits, which index a table of pushes directly, a
//! column is one multiplication away from that, and handing the move over exchanges neighbouring bits.
//!
//! ```text
//! bit 0        50    57      58             60              62
//!     25 digits | ko | mover | first losses | second losses |
//! ```
//!
//! The losses are digits as well (bit 0 own, bit 1 the opponent's), so the same exchange turns them round. They
//! follow from the other digits and are kept because they make the end of the game a test of two bits.

use std::fmt;
use std::hash::{Hash, Hasher};

use tesuji_game::{Notation, Side};

use crate::Move;

/// A position of Ostle, small enough for a register.
///
/// The board is stored from the mover's point of view. Equality, hash and key cover the pieces, the hole and the ko, but not
/// which player moves.
#[derive(Clone, Copy)]
pub struct Ostle(pub(crate) u64);

/// The lower bit of each of the 25 digits.
pub(crate) const LOW: u64 = 0x0001_5555_5555_5555;
/// All 25 digits.
pub(crate) const DIGITS: u64 = LOW * 3;
/// The digits of the first column and of the first row.
pub(crate) const COLUMN: u64 = 0x0000_0300_c030_0c03;
pub(crate) const ROW: u64 = 0x3ff;
/// Where the ko begins: 0, or one more than the forbidden move.
pub(crate) const KO: u32 = 50;
/// Set when the second player is to move.
pub(crate) const MOVER: u64 = 1 << 57;
/// Where the digit of first losses begins.
pub(crate) const LOSSES: u32 = 58;
/// The two bits of second losses: the game is over when one is set.
pub(crate) const OVER: u64 = 3 << (LOSSES + 2);
/// Everything that `swap` exchanges, lower bits only.
const TURNED: u64 = LOW | 0b0101 << LOSSES;

/// Cells are numbered row by row from the top left.
pub(crate) const SIDE: usize = 5;
/// How many cells there are.
pub(crate) const CELLS: usize = SIDE * SIDE;

impl Ostle {
    /// The position with these pieces (bit `5 * row + column`), the first player to move and no ko.
    ///
    /// `None` unless the three lie apart on the board, each side has 3 to 5 pieces and at most one side 3.
    pub fn new(own: u32, other: u32, hole: u8) -> Option<Ostle> {
        let board = (1 << CELLS) - 1;
        let pieces = own.count_ones() + other.count_ones();
        let apart = usize::from(hole) < CELLS && own & other == 0 && (own | other) & 1 << hole == 0;
        let few = |set: u32| (3..=5).contains(&set.count_ones());
        let sound = apart && (own | other) & !board == 0 && few(own) && few(other) && pieces > 6;
        sound.then(|| Ostle::assemble(own, other, hole))
    }

    /// As `new`, for sets that are known to be sound.
    #[inline]
    pub(crate) fn assemble(own: u32, other: u32, hole: u8) -> Ostle {
        let digits = spread(own) | spread(other) << 1 | 3 << (2 * hole);
        let lost =
            |at_most: u32| u64::from(own.count_ones() <= at_most) | u64::from(other.count_ones() <= at_most) << 1;
        Ostle(digits | lost(4) << LOSSES | lost(3) << (LOSSES + 2))
    }

    /// The whole position, including the mover, as one unique number.
    #[inline]
    pub fn bits(self) -> u64 {
        self.0
    }

    /// The mover's pieces, bit `5 * row + column`.
    #[inline]
    pub fn own(self) -> u32 {
        gather(self.own_bits())
    }

    /// The opponent's pieces.
    #[inline]
    pub fn other(self) -> u32 {
        gather(self.other_bits())
    }

    /// The cell of the hole, 0 to 24.
    #[inline]
    pub fn hole(self) -> u8 {
        (self.hole_bit().trailing_zeros() / 2) as u8
    }

    /// The move that would recreate the board before the last move, and is forbidden for that.
    #[inline]
    pub fn ko(self) -> Option<Move> {
        let ko = (self.0 >> KO & 0x7f) as u8;
        ko.checked_sub(1).map(Move::of)
    }

    /// The same board with nothing forbidden.
    #[inline]
    pub fn without_ko(self) -> Ostle {
        Ostle(self.0 & !(0x7f << KO))
    }

    /// The same board with `mv` forbidden, which must be what would recreate the board before.
    #[inline]
    pub(crate) fn with_ko(self, mv: Move) -> Ostle {
        Ostle(self.without_ko().0 | (u64::from(mv.index()) + 1) << KO)
    }

    /// The same position with this player to move: the digits 1 are theirs.
    #[inline]
    pub fn with_mover(self, side: Side) -> Ostle {
        Ostle(self.without_mover() | if side == Side::Second { MOVER } else { 0 })
    }

    /// The number of pieces of the mover and of the opponent.
    #[inline]
    pub fn pieces(self) -> (u32, u32) {
        let lost = |bit: u32| (self.0 >> (LOSSES + bit) & 1) + (self.0 >> (LOSSES + 2 + bit) & 1);
        (5 - lost(0) as u32, 5 - lost(1) as u32)
    }

    /// Whether a side has lost its second piece.
    #[inline]
    pub fn is_over(self) -> bool {
        self.0 & OVER != 0
    }

    /// The digit of a cell: 0 empty, 1 own, 2 other, 3 hole.
    #[inline]
    pub(crate) fn digit(self, cell: usize) -> u64 {
        self.0 >> (2 * cell) & 3
    }

    /// The lower bits of the digits 1.
    #[inline]
    pub(crate) fn own_bits(self) -> u64 {
        self.0 & !(self.0 >> 1) & LOW
    }

    /// The lower bits of the digits 2, that is where the higher one is set.
    #[inline]
    pub(crate) fn other_bits(self) -> u64 {
        self.0 >> 1 & !self.0 & LOW
    }

    /// The lower bit of the digit 3.
    #[inline]
    pub(crate) fn hole_bit(self) -> u64 {
        self.0 & self.0 >> 1 & LOW
    }

    /// Everything `Eq` compares.
    #[inline]
    pub(crate) fn without_mover(self) -> u64 {
        self.0 & !MOVER
    }

    #[inline]
    pub(crate) fn side(self) -> Side {
        if self.0 & MOVER == 0 { Side::First } else { Side::Second }
    }
}

/// Exchanges own and other: the digits 1 and 2, and the losses.
#[inline]
pub(crate) const fn swap(bits: u64) -> u64 {
    (bits & TURNED) << 1 | bits >> 1 & TURNED
}

/// Puts a blank bit above each of the 25 low bits.
///
/// ```text
/// edcba -> .e.d.c.b.a
/// ```
#[inline]
fn spread(set: u32) -> u64 {
    let mut bits = u64::from(set);
    bits = (bits | bits << 16) & 0x0000_ffff_0000_ffff;
    bits = (bits | bits << 8) & 0x00ff_00ff_00ff_00ff;
    bits = (bits | bits << 4) & 0x0f0f_0f0f_0f0f_0f0f;
    bits = (bits | bits << 2) & 0x3333_3333_3333_3333;
    (bits | bits << 1) & 0x5555_5555_5555_5555
}

/// The inverse of `spread`; the odd bits must be clear.
#[inline]
fn gather(mut bits: u64) -> u32 {
    bits = (bits | bits >> 1) & 0x3333_3333_3333_3333;
    bits = (bits | bits >> 2) & 0x0f0f_0f0f_0f0f_0f0f;
    bits = (bits | bits >> 4) & 0x00ff_00ff_00ff_00ff;
    bits = (bits | bits >> 8) & 0x0000_ffff_0000_ffff;
    (bits | bits >> 16) as u32
}

impl PartialEq for Ostle {
    #[inline]
    fn eq(&self, other: &Ostle) -> bool {
        self.without_mover() == other.without_mover()
    }
}

impl Eq for Ostle {}

impl Hash for Ostle {
    #[inline]
    fn hash<H: Hasher>(&self, state: &mut H) {
        state.write_u64(self.without_mover());
    }
}

impl fmt::Debug for Ostle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Ostle({})", self.print())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_survive_being_spread() {
        for set in (0..1 << CELLS).step_by(977) {
            assert_eq!(gather(spread(set)), set);
        }
    }

    #[test]
    fn only_sound_boards_are_made() {
        let board = Ostle::new(0b11111, 0b1111 << 10, 24).unwrap();
        assert_eq!((board.own(), board.other(), board.hole()), (0b11111, 0b1111 << 10, 24));
        assert_eq!((board.pieces(), board.is_over(), board.ko()), ((5, 4), false, None));
        assert!(Ostle::new(0b111, 0b1111 << 10, 24).is_some_and(Ostle::is_over));
        let unsound = [
            (0b1111, 0b11110, 24),
            (0b1111, 0b1111 << 10, 0),
            (0b1111, 0b1111 << 10, 25),
            (0b1111, 0b1111 << 22, 12),
            (0b111, 0b111 << 10, 24),
            (0b11, 0b1111 << 10, 24),
            (0b111111, 0b1111 << 10, 24),
        ];
        for (own, other, hole) in unsound {
            assert_eq!(Ostle::new(own, other, hole), None, "{own:b} {other:b} {hole}");
        }
    }
}
