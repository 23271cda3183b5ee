//! Time management on a CSA server, from the times that the server charges.
//!
//! The server measures from sending us the opponent's move to reading ours, counts whole units of it, and grants the
//! increment of a move before it checks the flag. We keep its account exactly and never rely on the fraction that it
//! drops.

use std::time::Duration;

use tesuji_game::Side;
use tesuji_protocol::csa::GameTime;
use tesuji_search::{CancelToken, Limits, Time};

use crate::player::MoveRequest;

/// The time of a move when the server has no clock.
const UNTIMED: Duration = Duration::from_secs(10);
/// The least time of an engine, even when nothing is left.
const LEAST: Duration = Duration::from_millis(10);

/// The clocks of both sides as the server keeps them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct CsaClocks {
    times: [GameTime; 2],
    left: [Duration; 2],
}

impl CsaClocks {
    pub(super) fn new(times: [GameTime; 2]) -> CsaClocks {
        CsaClocks { times, left: times.map(|time| time.total.unwrap_or_default()) }
    }

    /// The server charged `units` for a move of `side`.
    pub(super) fn charge(&mut self, side: Side, units: u64) -> Duration {
        let time = self.times[side.index()];
        let used = time.unit.saturating_mul(u32::try_from(units).unwrap_or(u32::MAX));
        let left = &mut self.left[side.index()];
        *left = left.saturating_add(time.increment).saturating_sub(used);
        used
    }

    /// The main time that is left.
    pub(super) fn left(&self, side: Side) -> Duration {
        self.left[side.index()]
    }

    /// The time after which the flag of `side` falls; none without a clock.
    pub(super) fn flag(&self, side: Side) -> Option<Duration> {
        let time = self.times[side.index()];
        time.total?;
        Some(self.left(side) + time.increment + time.byoyomi)
    }

    /// The clock of `side` at its turn, with `reserve` kept back from what runs last. The increment of the move is told
    /// as such: programs differ in whether they add it to what is left.
    fn time(&self, side: Side, reserve: Duration) -> Time {
        let time = self.times[side.index()];
        if time.total.is_none() {
            return Time::Move(UNTIMED);
        }
        // What is charged in any case may as well be used.
        let left = self.left(side);
        let free = if left >= time.least { time.least } else { Duration::ZERO };
        let (left, byoyomi) = (left - free, time.byoyomi + free);
        let (byoyomi, reserve) = (byoyomi.saturating_sub(reserve), reserve.saturating_sub(byoyomi));
        let (left, reserve) = (left.saturating_sub(reserve), reserve.saturating_sub(left));
        let increment = time.increment.saturating_sub(reserve);
        if (left + byoyomi).max(increment) < LEAST {
            return Time::Move(LEAST);
        }
        Time::Clock { left, increment, byoyomi }
    }

    /// The time limit of a move of `side`, after which any move must be sent.
    pub(super) fn limit(&self, side: Side, reserve: Duration) -> Duration {
        self.flag(side).map_or(UNTIMED, |flag| flag.saturating_sub(reserve)).max(LEAST)
    }

    /// The request to our player.
    pub(super) fn request(
        &self,
        side: Side,
        reserve: Duration,
        depth: Option<u32>,
        cancel: &CancelToken,
    ) -> MoveRequest {
        let clocks = Side::BOTH.map(|which| Some(self.time(which, reserve)));
        let time = clocks[side.index()];
        let limits = Limits { depth, time, lines: 1, ..Limits::default() };
        MoveRequest { limits, clocks, deadline: Some(self.limit(side, reserve)), cancel: cancel.clone() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn ms(millis: u64) -> Duration {
        Duration::from_millis(millis)
    }

    fn clocks(total: u64, byoyomi: u64, increment: u64, least: u64) -> CsaClocks {
        let total = (total + byoyomi + increment > 0).then_some(ms(total));
        let time = GameTime { unit: ms(1000), total, byoyomi: ms(byoyomi), increment: ms(increment), least: ms(least) };
        CsaClocks::new([time; 2])
    }

    #[test]
    fn the_increment_is_granted_before_the_flag_is_checked() {
        let mut fischer = clocks(10_000, 0, 1000, 0);
        assert_eq!(fischer.flag(Side::First), Some(ms(11_000)));
        assert_eq!(fischer.charge(Side::First, 4), ms(4000));
        assert_eq!((fischer.left(Side::First), fischer.left(Side::Second)), (ms(7000), ms(10_000)));
        fischer.charge(Side::First, 8);
        assert_eq!((fischer.left(Side::First), fischer.flag(Side::First)), (ms(0), Some(ms(1000))));
        // Nothing but the increment is left, and the reserve comes off it.
        let last = Time::Clock { left: ms(0), increment: ms(850), byoyomi: ms(0) };
        assert_eq!(fischer.time(Side::First, ms(150)), last);
        let full = Time::Clock { left: ms(9850), increment: ms(1000), byoyomi: ms(0) };
        assert_eq!(fischer.time(Side::Second, ms(150)), full);
        assert_eq!(fischer.limit(Side::First, ms(150)), ms(850));
    }

    #[test]
    fn byoyomi_is_never_lost_and_the_reserve_comes_off_what_runs_last() {
        let mut clock = clocks(2000, 10_000, 0, 0);
        clock.charge(Side::Second, 9);
        assert_eq!(clock.left(Side::Second), ms(0));
        let late = Time::Clock { left: ms(0), increment: ms(0), byoyomi: ms(9800) };
        assert_eq!(clock.time(Side::Second, ms(200)), late);
        // A reserve beyond the byoyomi comes off the main time.
        let short = clocks(2000, 100, 0, 0).time(Side::First, ms(300));
        assert_eq!(short, Time::Clock { left: ms(1800), increment: ms(0), byoyomi: ms(0) });
        assert_eq!(clocks(50, 0, 0, 0).time(Side::First, ms(300)), Time::Move(LEAST));
    }

    #[test]
    fn a_least_time_may_be_used() {
        let clock = clocks(60_000, 0, 0, 1000);
        let time = Time::Clock { left: ms(59_000), increment: ms(0), byoyomi: ms(900) };
        assert_eq!(clock.time(Side::First, ms(100)), time);
    }

    #[test]
    fn without_a_clock_a_move_takes_a_fixed_time() {
        let clock = clocks(0, 0, 0, 0);
        assert_eq!((clock.flag(Side::First), clock.time(Side::First, ms(100))), (None, Time::Move(UNTIMED)));
    }
}
