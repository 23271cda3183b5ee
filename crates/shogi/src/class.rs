//! Which pieces move alike, and so share a set.

use crate::Kind;

/// A way to move; everything that moves like a gold is in one class.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(usize)]
pub(crate) enum Class {
    Pawn,
    Lance,
    Knight,
    Silver,
    Golden,
    Bishop,
    Rook,
    King,
    Horse,
    Dragon,
}

/// The class of each kind, by its code.
const CLASS: [Class; 16] = {
    let mut class = [Class::Golden; 16];
    class[Kind::Pawn as usize] = Class::Pawn;
    class[Kind::Lance as usize] = Class::Lance;
    class[Kind::Knight as usize] = Class::Knight;
    class[Kind::Silver as usize] = Class::Silver;
    class[Kind::Bishop as usize] = Class::Bishop;
    class[Kind::Rook as usize] = Class::Rook;
    class[Kind::King as usize] = Class::King;
    class[Kind::Horse as usize] = Class::Horse;
    class[Kind::Dragon as usize] = Class::Dragon;
    class
};

/// The number of the set that a piece of this code belongs to.
#[inline(always)]
pub(crate) fn class(code: u8) -> usize {
    CLASS[usize::from(code & 15)] as usize
}
