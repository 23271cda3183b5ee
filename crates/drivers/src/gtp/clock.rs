//! The clocks of a GTP game, as the controller sets them and as we count between its updates.

use std::time::Duration;

use tesuji_game::Side;
use tesuji_search::Time;

/// Both clocks. There is none until the controller sets it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct GtpClocks {
    settings: Option<ByoyomiPeriod>,
    left: [TimeLeft; 2],
}

/// The period that follows the main time: `byoyomi` for each `stones` moves.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct ByoyomiPeriod {
    byoyomi: Duration,
    stones: u32,
}

/// The time left for `stones` moves, or of the main time if `stones` is 0.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
struct TimeLeft {
    time: Duration,
    stones: u32,
}

impl GtpClocks {
    /// Sets the clock of a new game. A period for no moves means that there is no clock.
    pub(super) fn set(&mut self, main: Duration, byoyomi: Duration, stones: u32) {
        let endless = stones == 0 && (!byoyomi.is_zero() || main.is_zero());
        self.settings = (!endless).then_some(ByoyomiPeriod { byoyomi, stones });
        self.left = [TimeLeft { time: main, stones: 0 }; 2];
    }

    /// Sets the time left to a side.
    pub(super) fn set_left(&mut self, side: Side, time: Duration, stones: u32) {
        self.settings.get_or_insert(ByoyomiPeriod { byoyomi: Duration::ZERO, stones: 0 });
        self.left[side.index()] = TimeLeft { time, stones };
    }

    /// The time of a side for its next move; `None` without a clock.
    pub(super) fn time(&self, side: Side) -> Option<Time> {
        let ByoyomiPeriod { byoyomi, stones } = self.settings?;
        let left = self.left[side.index()];
        let (main, each) = match left.stones {
            0 => (left.time, byoyomi.checked_div(stones).unwrap_or_default()),
            stones => (Duration::ZERO, left.time / stones),
        };
        Some(Time::Clock { left: main, increment: Duration::ZERO, byoyomi: each })
    }

    /// Subtracts the time of a move.
    pub(super) fn spend(&mut self, side: Side, used: Duration) {
        let Some(ByoyomiPeriod { byoyomi, stones }) = self.settings else { return };
        let left = &mut self.left[side.index()];
        let rest = left.time.saturating_sub(used);
        *left = match left.stones {
            0 if rest.is_zero() => TimeLeft { time: byoyomi, stones },
            0 => TimeLeft { time: rest, stones: 0 },
            1 => TimeLeft { time: byoyomi, stones },
            more => TimeLeft { time: rest, stones: more - 1 },
        };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn s(seconds: u64) -> Duration {
        Duration::from_secs(seconds)
    }

    fn of(left: u64, byoyomi: u64) -> Option<Time> {
        Some(Time::Clock { left: s(left), increment: s(0), byoyomi: s(byoyomi) })
    }

    #[test]
    fn main_time_then_stones() {
        let mut clocks = GtpClocks::default();
        assert_eq!(clocks.time(Side::First), None);
        clocks.set(s(60), s(10), 2);
        assert_eq!(clocks.time(Side::First), of(60, 5));
        clocks.spend(Side::First, s(59));
        assert_eq!((clocks.time(Side::First), clocks.time(Side::Second)), (of(1, 5), of(60, 5)));
        clocks.spend(Side::First, s(3));
        assert_eq!(clocks.time(Side::First), of(0, 5));
        clocks.spend(Side::First, s(4));
        assert_eq!(clocks.time(Side::First), of(0, 6));
        clocks.spend(Side::First, s(1));
        assert_eq!(clocks.time(Side::First), of(0, 5), "a new period");
        clocks.set_left(Side::Second, s(7), 0);
        assert_eq!(clocks.time(Side::Second), of(7, 5));
        clocks.set(s(0), s(1), 0);
        assert_eq!(clocks.time(Side::First), None, "a period for no moves is no clock");
        clocks.set_left(Side::First, s(9), 3);
        assert_eq!(clocks.time(Side::First), of(0, 3), "time left without time settings");
    }
}
