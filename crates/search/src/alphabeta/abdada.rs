//! Simplified ABDADA (Tom Kerrigan): threads defer moves that another thread is searching.
//!
//! By the time a deferred move is searched, its result is usually in the transposition table.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// Slots for moves under search. A collision costs a little time and nothing else.
const SLOTS: usize = 1 << 12;
/// Moves are deferred at this depth and above; a shallower search is too short.
pub(super) const DEFER_DEPTH: u32 = 3;

/// The moves that threads are searching now.
pub(super) struct Abdada {
    slots: Vec<AtomicU64>,
}

/// The hash of a move at a node; never 0.
#[inline]
fn hash(key: u64, bits: u32, depth: u32) -> u64 {
    (key ^ (u64::from(bits) << 8 | u64::from(depth)).wrapping_mul(0x9e37_79b9_7f4a_7c15)) | 1
}

impl Abdada {
    /// For this many threads; `None` for one.
    pub(super) fn new(threads: usize) -> Option<Abdada> {
        (threads > 1).then(|| Abdada { slots: (0..SLOTS).map(|_| AtomicU64::new(0)).collect() })
    }

    #[inline]
    fn slot(&self, hash: u64) -> &AtomicU64 {
        &self.slots[(hash >> 52) as usize]
    }

    /// Whether to defer this move: another thread is searching it.
    #[inline]
    pub(super) fn defer_move(&self, key: u64, bits: u32, depth: u32) -> bool {
        let hash = hash(key, bits, depth);
        self.slot(hash).load(Relaxed) == hash
    }

    /// This thread starts searching the move.
    #[inline]
    pub(super) fn starting_search(&self, key: u64, bits: u32, depth: u32) {
        let hash = hash(key, bits, depth);
        self.slot(hash).store(hash, Relaxed);
    }

    /// This thread has finished searching the move.
    #[inline]
    pub(super) fn finished_search(&self, key: u64, bits: u32, depth: u32) {
        let hash = hash(key, bits, depth);
        let slot = self.slot(hash);
        if slot.load(Relaxed) == hash {
            slot.store(0, Relaxed);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moves_are_deferred_while_they_are_searched() {
        assert!(Abdada::new(1).is_none());
        let moves = Abdada::new(2).unwrap();
        assert!(!moves.defer_move(5, 6, 7));
        moves.starting_search(5, 6, 7);
        assert!(moves.defer_move(5, 6, 7) && !moves.defer_move(5, 6, 8) && !moves.defer_move(5, 7, 7));
        moves.finished_search(5, 6, 8);
        assert!(moves.defer_move(5, 6, 7));
        moves.finished_search(5, 6, 7);
        assert!(!moves.defer_move(5, 6, 7));
    }
}
