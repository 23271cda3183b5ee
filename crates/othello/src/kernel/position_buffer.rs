//! Positions that wait for the last ply of a perft.

/// The capacity of a buffer.
const CAPACITY: usize = 512;
/// The most that one position can add: its moves, and the unused lanes of the last four.
const MOST: usize = 64;

/// Positions whose moves are still to be counted.
pub(super) struct PositionBuffer {
    pub(super) own: [u64; CAPACITY],
    pub(super) other: [u64; CAPACITY],
    pub(super) count: usize,
}

impl PositionBuffer {
    pub(super) fn new() -> PositionBuffer {
        PositionBuffer { own: [0; CAPACITY], other: [0; CAPACITY], count: 0 }
    }

    #[inline]
    pub(super) fn is_nearly_full(&self) -> bool {
        self.count > CAPACITY - MOST
    }
}
