//! Exponential back-off with jitter between attempts to reconnect.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use tesuji_search::Rng;

/// The delay before the second attempt.
const FIRST: Duration = Duration::from_millis(500);
/// The longest delay.
const LONGEST: Duration = Duration::from_secs(60);

/// The delays between attempts.
pub struct ReconnectDelays {
    attempts: u32,
    failed: u32,
    rng: Rng,
}

impl ReconnectDelays {
    /// Allows this many attempts in a row.
    pub fn new(attempts: u32) -> ReconnectDelays {
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        let seed = now.as_nanos() as u64 ^ u64::from(std::process::id()).rotate_left(32);
        ReconnectDelays { attempts, failed: 0, rng: Rng::new(seed) }
    }

    /// A connection succeeded: counting starts anew.
    pub fn reset(&mut self) {
        self.failed = 0;
    }

    /// The next delay; `None` after the last attempt.
    pub fn next_delay(&mut self) -> Option<Duration> {
        if self.failed >= self.attempts {
            return None;
        }
        let full = FIRST.saturating_mul(1 << self.failed.min(16)).min(LONGEST);
        self.failed += 1;
        // Jitter: somewhere in the upper half.
        Some(full.mul_f64(0.5 + self.rng.unit() / 2.0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn delays_grow_to_a_limit_and_end() {
        let mut delays = ReconnectDelays::new(40);
        let all: Vec<Duration> = std::iter::from_fn(|| delays.next_delay()).collect();
        assert_eq!(all.len(), 40);
        assert!(all[0] >= FIRST / 2 && all[0] <= FIRST, "{:?}", all[0]);
        assert!(all[20..].iter().all(|&delay| delay >= LONGEST / 2 && delay <= LONGEST));
        assert!(all[20..].windows(2).any(|pair| pair[0] != pair[1]), "no jitter");
        delays.reset();
        assert!(delays.next_delay().is_some_and(|delay| delay <= FIRST));
        assert_eq!(ReconnectDelays::new(0).next_delay(), None);
    }
}
