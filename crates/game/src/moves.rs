//! Moves and move lists, as the algorithms use them.

use std::fmt::Debug;
use std::hash::Hash;

/// A move: a small value that fits into an entry of a transposition table.
pub trait Move: Copy + Eq + Ord + Hash + Debug + Send + Sync + 'static {
    /// The move as 32 bits.
    fn to_bits(self) -> u32;

    /// The move of these bits: `from_bits(mv.to_bits()) == mv`. Any bits give some move, possibly an illegal one,
    /// and never a panic.
    fn from_bits(bits: u32) -> Self;
}

impl Move for u8 {
    #[inline]
    fn to_bits(self) -> u32 {
        u32::from(self)
    }

    #[inline]
    fn from_bits(bits: u32) -> u8 {
        bits as u8
    }
}

/// A list of legal moves: a bit set, an inline array or a `Vec`. Searches keep one per ply.
pub trait MoveList: Default + Clone + Debug + Send {
    /// The type of the moves.
    type Move: Move;

    /// The moves, each once, in an order that is the same on every machine. Equal positions with different
    /// histories have the same moves, but possibly in a different order, as in Trax.
    fn each(&self) -> impl Iterator<Item = Self::Move> + '_;

    /// The number of moves.
    fn len(&self) -> usize;

    /// Whether the list is empty.
    #[inline]
    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Whether the list contains `mv`.
    fn has(&self, mv: Self::Move) -> bool {
        self.each().any(|listed| listed == mv)
    }
}

impl<M: Move> MoveList for Vec<M> {
    type Move = M;

    #[inline]
    fn each(&self) -> impl Iterator<Item = M> + '_ {
        self.as_slice().iter().copied()
    }

    #[inline]
    fn len(&self) -> usize {
        Vec::len(self)
    }
}
