//! How long to wait before trying again: longer each time, never the same for two who failed together, and
//! not for ever.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use tesuji_search::Rng;

/// Before the second try.
const FIRST: Duration = Duration::from_millis(500);
/// However often it failed.
const LONGEST: Duration = Duration::from_secs(60);

/// The pauses between tries.
pub(super) struct Pauses {
    most: u32,
    failed: u32,
    chance: Rng,
}

impl Pauses {
    /// So many tries again in a row.
    pub(super) fn new(most: u32) -> Pauses {
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        let seed = now.as_nanos() as u64 ^ u64::from(std::process::id()).rotate_left(32);
        Pauses { most, failed: 0, chance: Rng::new(seed) }
    }

    /// It went well for a while: the count begins anew.
    pub(super) fn again(&mut self) {
        self.failed = 0;
    }

    /// The next pause; none when that was often enough.
    pub(super) fn next(&mut self) -> Option<Duration> {
        if self.failed >= self.most {
            return None;
        }
        let full = FIRST.saturating_mul(1 << self.failed.min(16)).min(LONGEST);
        self.failed += 1;
        // Somewhere in the upper half.
        Some(full.mul_f64(0.5 + self.chance.unit() / 2.0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pauses_grow_to_a_limit_and_end() {
        let mut pauses = Pauses::new(40);
        let all: Vec<Duration> = std::iter::from_fn(|| pauses.next()).collect();
        assert_eq!(all.len(), 40);
        assert!(all[0] >= FIRST / 2 && all[0] <= FIRST, "{:?}", all[0]);
        assert!(all[20..].iter().all(|&pause| pause >= LONGEST / 2 && pause <= LONGEST));
        assert!(all[20..].windows(2).any(|pair| pair[0] != pair[1]), "no chance in them");
        pauses.again();
        assert!(pauses.next().is_some_and(|pause| pause <= FIRST));
        assert_eq!(Pauses::new(0).next(), None);
    }
}
