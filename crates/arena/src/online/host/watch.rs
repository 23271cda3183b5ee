//! The clocks of one game on the server, in the milliseconds that players are told.

use std::time::Duration;

use tesuji_game::Side;

/// Both clocks. A clock may fall below zero by the byoyomi, and is then set to it.
#[derive(Clone, Debug)]
pub(super) struct Watch {
    left: [i64; 2],
    byoyomi: i64,
}

impl Watch {
    pub(super) fn new(time: Duration, byoyomi: Duration) -> Watch {
        Watch { left: [millis(time); 2], byoyomi: millis(byoyomi) }
    }

    /// What is left to `side`.
    pub(super) fn left(&self, side: Side) -> i64 {
        self.left[side.index()]
    }

    /// How long `side` may take for its move.
    pub(super) fn allowed(&self, side: Side) -> Duration {
        Duration::from_millis(self.left(side).saturating_add(self.byoyomi).max(0).unsigned_abs())
    }

    /// Takes the time of a move off the clock: what is left, or how far below zero it fell when the flag did.
    pub(super) fn spend(&mut self, side: Side, used: Duration) -> Result<i64, i64> {
        let left = &mut self.left[side.index()];
        *left = left.saturating_sub(millis(used));
        if *left < -self.byoyomi {
            return Err(*left);
        }
        if *left < 0 {
            *left = self.byoyomi;
        }
        Ok(*left)
    }
}

fn millis(time: Duration) -> i64 {
    i64::try_from(time.as_millis()).unwrap_or(i64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn ms(millis: u64) -> Duration {
        Duration::from_millis(millis)
    }

    #[test]
    fn a_clock_falls_below_zero_by_the_byoyomi_and_no_farther() {
        let mut watch = Watch::new(ms(1000), ms(100));
        assert_eq!(watch.allowed(Side::First), ms(1100));
        assert_eq!(watch.spend(Side::First, ms(900)), Ok(100));
        assert_eq!(watch.spend(Side::First, ms(200)), Ok(100), "set to the byoyomi");
        assert_eq!(watch.spend(Side::First, ms(201)), Err(-101));
        assert_eq!(watch.left(Side::Second), 1000);
        assert!(watch.spend(Side::Second, Duration::MAX).is_err());
        let mut sudden = Watch::new(ms(10), ms(0));
        assert_eq!(sudden.spend(Side::First, ms(10)), Ok(0));
        assert_eq!(sudden.allowed(Side::First), ms(0));
        assert_eq!(sudden.spend(Side::First, ms(1)), Err(-1));
        assert_eq!(Watch::new(Duration::MAX, Duration::MAX).allowed(Side::First), ms(i64::MAX as u64));
    }
}
