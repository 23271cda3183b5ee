//! What one thread knows of positions near the leaves: a table so small that it stays in the nearest caches, where the
//! large one would cost more than it saves.

/// Positions that are kept: a power of two.
const PLACES: usize = 1 << 13;

/// The bounds of one position, seen by its mover.
#[derive(Clone, Copy)]
struct Kept {
    own: u64,
    other: u64,
    low: i8,
    high: i8,
}

/// The table of a thread. What comes last stays.
pub(super) struct Cache(Box<[Kept; PLACES]>);

/// Where a position belongs.
#[derive(Clone, Copy)]
pub(super) struct LocalEntry(usize);

impl Cache {
    pub(super) fn new() -> Cache {
        // No board has all its squares on both sides.
        let none = Kept { own: u64::MAX, other: u64::MAX, low: -64, high: 64 };
        let kept: Box<[Kept; PLACES]> = match vec![none; PLACES].into_boxed_slice().try_into() {
            Ok(kept) => kept,
            Err(_) => unreachable!("a vector of {PLACES} has {PLACES} places"),
        };
        Cache(kept)
    }

    /// Where this board belongs.
    #[inline(always)]
    pub(super) fn nook(own: u64, other: u64) -> LocalEntry {
        let mixed = own.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ other.wrapping_mul(0xc2b2_ae3d_27d4_eb4f);
        LocalEntry((mixed >> 40) as usize & (PLACES - 1))
    }

    /// A score that answers whether it is more than `alpha`, if that is known of this board.
    #[inline(always)]
    pub(super) fn answer(&self, nook: LocalEntry, own: u64, other: u64, alpha: i32) -> Option<i32> {
        let kept = &self.0[nook.0];
        if kept.own != own || kept.other != other {
            return None;
        }
        let (low, high) = (i32::from(kept.low), i32::from(kept.high));
        if low > alpha {
            Some(low)
        } else if high <= alpha {
            Some(high)
        } else {
            None
        }
    }

    /// Keeps what a null-window search has found: that the score is at least `score` if that is more than `alpha`, and
    /// at most `score` otherwise.
    #[inline(always)]
    pub(super) fn keep(&mut self, nook: LocalEntry, own: u64, other: u64, alpha: i32, score: i32) {
        let kept = &mut self.0[nook.0];
        let same = kept.own == own && kept.other == other;
        let (low, high) = if same { (kept.low, kept.high) } else { (-64, 64) };
        let score = score.clamp(-64, 64) as i8;
        // Written as a whole: a part read back while the whole is on its way would be waited for.
        *kept = if i32::from(score) > alpha {
            Kept { own, other, low: low.max(score), high }
        } else {
            Kept { own, other, low, high: high.min(score) }
        };
    }
}
