//! The clocks of one game on the server, in the milliseconds of the protocol.

use std::time::Duration;

use tesuji_game::Side;

/// Both clocks. A clock may fall below zero by the byoyomi, and is then set to it.
#[derive(Clone, Debug)]
pub(super) struct ServerClocks {
    left: [i64; 2],
    byoyomi: i64,
}

impl ServerClocks {
    pub(super) fn new(time: Duration, byoyomi: Duration) -> ServerClocks {
        ServerClocks { left: [millis(time); 2], byoyomi: millis(byoyomi) }
    }

    /// The milliseconds left to `side`.
    pub(super) fn left(&self, side: Side) -> i64 {
        self.left[side.index()]
    }

    /// The time limit of the next move of `side`.
    pub(super) fn allowed(&self, side: Side) -> Duration {
        Duration::from_millis(self.left(side).saturating_add(self.byoyomi).max(0).unsigned_abs())
    }

    /// Subtracts the time of a move: what is left, or the negative rest when the flag fell.
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
        let mut clocks = ServerClocks::new(ms(1000), ms(100));
        assert_eq!(clocks.allowed(Side::First), ms(1100));
        assert_eq!(clocks.spend(Side::First, ms(900)), Ok(100));
        assert_eq!(clocks.spend(Side::First, ms(200)), Ok(100), "set to the byoyomi");
        assert_eq!(clocks.spend(Side::First, ms(201)), Err(-101));
        assert_eq!(clocks.left(Side::Second), 1000);
        assert!(clocks.spend(Side::Second, Duration::MAX).is_err());
        let mut sudden = ServerClocks::new(ms(10), ms(0));
        assert_eq!(sudden.spend(Side::First, ms(10)), Ok(0));
        assert_eq!(sudden.allowed(Side::First), ms(0));
        assert_eq!(sudden.spend(Side::First, ms(1)), Err(-1));
        assert_eq!(ServerClocks::new(Duration::MAX, Duration::MAX).allowed(Side::First), ms(i64::MAX as u64));
    }
}
