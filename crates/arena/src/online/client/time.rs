//! Time management on a server, from the clock that the server reports.

use std::time::Duration;

use tesuji_search::{CancelToken, Limits, Time};

use crate::player::MoveRequest;

/// Reserved for network latency.
const RESERVE: Duration = Duration::from_millis(200);
/// The longest move: servers disconnect a player that is silent for a minute.
const LONGEST: Duration = Duration::from_secs(50);
/// The least time of an engine, even when the clock is below zero.
const LEAST: Duration = Duration::from_millis(10);

/// The time limit of a move with `left` milliseconds on the clock.
pub(super) fn limit(left: i64) -> Duration {
    let left = Duration::from_millis(left.max(0).unsigned_abs());
    left.saturating_sub(RESERVE).clamp(LEAST, LONGEST)
}

/// The request to our player.
pub(super) fn request(left: i64, depth: Option<u32>, cancel: &CancelToken) -> MoveRequest {
    let limit = limit(left);
    let budget = Duration::from_millis(left.max(0).unsigned_abs()).saturating_sub(RESERVE);
    let clock = match budget > limit {
        true => Time::Clock { left: budget, increment: Duration::ZERO, byoyomi: Duration::ZERO },
        false if budget < LEAST => Time::Move(LEAST),
        false => Time::Clock { left: limit, increment: Duration::ZERO, byoyomi: Duration::ZERO },
    };
    let limits = Limits { depth, time: Some(clock), lines: 1, ..Limits::default() };
    MoveRequest { limits, clocks: [Some(clock); 2], deadline: Some(limit), cancel: cancel.clone() }
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn ms(millis: u64) -> Duration {
        Duration::from_millis(millis)
    }

    #[test]
    fn latency_is_reserved_and_moves_are_bounded() {
        assert_eq!(limit(600_000), LONGEST);
        assert_eq!(limit(50_100), ms(49_900));
        assert_eq!(limit(1000), ms(800));
        assert_eq!((limit(200), limit(0), limit(-70_000), limit(i64::MIN)), (LEAST, LEAST, LEAST, LEAST));
        assert_eq!(limit(i64::MAX), LONGEST);
    }

    #[test]
    fn the_clock_is_that_of_the_server_minus_the_reserve() {
        let clock = |left| request(left, None, &CancelToken::new()).limits.time;
        let of = |left| Some(Time::Clock { left: ms(left), increment: ms(0), byoyomi: ms(0) });
        assert_eq!(clock(600_000), of(599_800));
        assert_eq!(clock(1000), of(800));
        assert_eq!(clock(-5), Some(Time::Move(LEAST)));
    }
}
