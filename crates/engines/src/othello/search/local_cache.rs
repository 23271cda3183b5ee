//! A small transposition cache of one thread for nodes near the leaves. It stays in the processor's caches, where the
//! large table would cost more than it saves.

/// Entries: a power of two.
const SIZE: usize = 1 << 13;

/// The bounds of one board, seen by its mover.
#[derive(Clone, Copy)]
struct LocalEntry {
    own: u64,
    other: u64,
    lower: i8,
    upper: i8,
}

/// The cache of a thread. New entries always replace old ones.
pub(super) struct LocalCache(Box<[LocalEntry; SIZE]>);

/// The index of a board's entry.
#[derive(Clone, Copy)]
pub(super) struct LocalSlot(usize);

impl LocalCache {
    pub(super) fn new() -> LocalCache {
        // No board has discs of both sides on a square.
        let empty = LocalEntry { own: u64::MAX, other: u64::MAX, lower: -64, upper: 64 };
        let entries: Box<[LocalEntry; SIZE]> = match vec![empty; SIZE].into_boxed_slice().try_into() {
            Ok(entries) => entries,
            Err(_) => unreachable!("a vector of {SIZE} has {SIZE} entries"),
        };
        LocalCache(entries)
    }

    /// The slot of a board.
    #[inline(always)]
    pub(super) fn slot(own: u64, other: u64) -> LocalSlot {
        let mixed = own.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ other.wrapping_mul(0xc2b2_ae3d_27d4_eb4f);
        LocalSlot((mixed >> 40) as usize & (SIZE - 1))
    }

    /// A stored bound that decides whether the score is above `alpha`.
    #[inline(always)]
    pub(super) fn cutoff(&self, slot: LocalSlot, own: u64, other: u64, alpha: i32) -> Option<i32> {
        let entry = &self.0[slot.0];
        if entry.own != own || entry.other != other {
            return None;
        }
        let (lower, upper) = (i32::from(entry.lower), i32::from(entry.upper));
        if lower > alpha {
            Some(lower)
        } else if upper <= alpha {
            Some(upper)
        } else {
            None
        }
    }

    /// Stores the result of a null-window search: a lower bound if it is above `alpha`, an upper bound otherwise.
    #[inline(always)]
    pub(super) fn store(&mut self, slot: LocalSlot, own: u64, other: u64, alpha: i32, score: i32) {
        let entry = &mut self.0[slot.0];
        let same = entry.own == own && entry.other == other;
        let (lower, upper) = if same { (entry.lower, entry.upper) } else { (-64, 64) };
        let score = score.clamp(-64, 64) as i8;
        // One write of the whole entry: a partial write followed by a full read would stall store forwarding.
        *entry = if i32::from(score) > alpha {
            LocalEntry { own, other, lower: lower.max(score), upper }
        } else {
            LocalEntry { own, other, lower, upper: upper.min(score) }
        };
    }
}
