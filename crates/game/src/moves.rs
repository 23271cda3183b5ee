//! What a move and a list of moves are to the algorithms.

use std::fmt::Debug;
use std::hash::Hash;

/// A move: a small value that fits beside a bound in a table entry.
pub trait Move: Copy + Eq + Ord + Hash + Debug + Send + Sync + 'static {
    /// The move as 32 bits.
    fn to_bits(self) -> u32;

    /// The move of these bits. Any bits give some move and never a panic; whether it is legal, the position
    /// must say. `from_bits(mv.to_bits()) == mv`.
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

/// Where legal moves are gathered: a bit set, an inline array or a `Vec`; one per ply, reused.
pub trait MoveList: Default + Clone + Debug + Send {
    /// What is listed.
    type Move: Move;

    /// The moves, each once, in an order that is the same on every machine. Equal positions list equal moves,
    /// but may list them in another order when they came about in other ways, as in Trax.
    fn each(&self) -> impl Iterator<Item = Self::Move> + '_;

    /// How many there are.
    fn len(&self) -> usize;

    /// Whether there is none.
    #[inline]
    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Whether `mv` is listed.
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
