//! The lag of a connection: what the server's clock counts beyond our thinking.

use std::time::Duration;

/// Kept back before anything was measured.
const INITIAL: Duration = Duration::from_millis(200);
/// Kept back at least.
const LEAST: Duration = Duration::from_millis(50);
/// The largest lag that is believed; a connection that stalls longer is broken.
const MOST: Duration = Duration::from_secs(3);

/// Times from a sent move to its echo: exponential average and deviation, as in TCP retransmission timers, and the
/// largest one, which decays.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct NetworkLag {
    measured: bool,
    average: Duration,
    deviation: Duration,
    worst: Duration,
}

impl NetworkLag {
    /// Adds the time from a move to its echo.
    pub(super) fn update(&mut self, lag: Duration) {
        let lag = lag.min(MOST);
        if !self.measured {
            *self = NetworkLag { measured: true, average: lag, deviation: lag / 2, worst: lag };
            return;
        }
        self.deviation = (self.deviation * 3 + lag.abs_diff(self.average)) / 4;
        self.average = (self.average * 7 + lag) / 8;
        self.worst = (self.worst * 31 / 32).max(lag);
    }

    /// What a move must leave on the clock.
    pub(super) fn reserve(&self) -> Duration {
        if !self.measured {
            return INITIAL;
        }
        LEAST + (self.average + self.deviation * 4).max(self.worst)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn ms(millis: u64) -> Duration {
        Duration::from_millis(millis)
    }

    #[test]
    fn the_reserve_follows_the_lag() {
        let mut lag = NetworkLag::default();
        assert_eq!(lag.reserve(), INITIAL);
        for _ in 0..50 {
            lag.update(ms(30));
        }
        // The deviation never quite reaches zero.
        assert!((LEAST + ms(30)..LEAST + ms(31)).contains(&lag.reserve()), "{:?}", lag.reserve());
        lag.update(ms(400));
        assert!(lag.reserve() >= ms(450), "{:?}", lag.reserve());
        for _ in 0..200 {
            lag.update(ms(30));
        }
        assert!(lag.reserve() < ms(90), "{:?}", lag.reserve());
        lag.update(Duration::from_secs(100));
        assert!(lag.reserve() < ms(15_100), "{:?}", lag.reserve());
    }
}
