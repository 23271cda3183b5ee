//! Which moves other threads are searching right now, so that a thread can leave them for later and find the
//! answer in the table. This is all that the threads tell each other beside the table.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// Places for moves being searched; a collision costs a little time and nothing else.
const PLACES: usize = 1 << 12;
/// With fewer plies to look ahead a move is done sooner than noted.
pub(super) const SHALLOWEST: u32 = 3;

/// A notice board of moves being searched.
pub(super) struct Busy {
    places: Vec<AtomicU64>,
}

/// The name of a move at a node on the notice board; never 0.
#[inline]
fn name(key: u64, bits: u32, depth: u32) -> u64 {
    (key ^ (u64::from(bits) << 8 | u64::from(depth)).wrapping_mul(0x9e37_79b9_7f4a_7c15)) | 1
}

impl Busy {
    /// A board for this many threads; none is needed for one.
    pub(super) fn new(threads: usize) -> Option<Busy> {
        (threads > 1).then(|| Busy { places: (0..PLACES).map(|_| AtomicU64::new(0)).collect() })
    }

    #[inline]
    fn place(&self, name: u64) -> &AtomicU64 {
        &self.places[(name >> 52) as usize]
    }

    /// Whether somebody is searching this move.
    #[inline]
    pub(super) fn has(&self, key: u64, bits: u32, depth: u32) -> bool {
        let name = name(key, bits, depth);
        self.place(name).load(Relaxed) == name
    }

    /// We are searching this move.
    #[inline]
    pub(super) fn note(&self, key: u64, bits: u32, depth: u32) {
        let name = name(key, bits, depth);
        self.place(name).store(name, Relaxed);
    }

    /// We have done with this move.
    #[inline]
    pub(super) fn strike(&self, key: u64, bits: u32, depth: u32) {
        let name = name(key, bits, depth);
        let place = self.place(name);
        if place.load(Relaxed) == name {
            place.store(0, Relaxed);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moves_are_noted_and_struck() {
        assert!(Busy::new(1).is_none());
        let busy = Busy::new(2).unwrap();
        assert!(!busy.has(5, 6, 7));
        busy.note(5, 6, 7);
        assert!(busy.has(5, 6, 7) && !busy.has(5, 6, 8) && !busy.has(5, 7, 7));
        busy.strike(5, 6, 8);
        assert!(busy.has(5, 6, 7));
        busy.strike(5, 6, 7);
        assert!(!busy.has(5, 6, 7));
    }
}
