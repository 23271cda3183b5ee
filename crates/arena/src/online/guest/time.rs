//! How long a move on somebody's server may take, from what the server says is left.

use std::time::Duration;

use tesuji_search::{CancelToken, Limits, Time};

use crate::player::Turn;

/// Kept back for the way to the server and back.
const RESERVE: Duration = Duration::from_millis(200);
/// The longest that any move takes: servers hang up on those who are silent for a minute.
const LONGEST: Duration = Duration::from_secs(50);
/// The least that any engine gets; with a clock below zero nothing is right.
const LEAST: Duration = Duration::from_millis(10);

/// How long to think with so many milliseconds left, and not a moment longer.
pub(super) fn most(left: i64) -> Duration {
    let left = Duration::from_millis(left.max(0).unsigned_abs());
    left.saturating_sub(RESERVE).clamp(LEAST, LONGEST)
}

/// What our player is told.
pub(super) fn turn(left: i64, depth: Option<u32>, stop: &CancelToken) -> Turn {
    let most = most(left);
    let budget = Duration::from_millis(left.max(0).unsigned_abs()).saturating_sub(RESERVE);
    let clock = match budget > most {
        true => Time::Clock { left: budget, increment: Duration::ZERO, byoyomi: Duration::ZERO },
        false if budget < LEAST => Time::Move(LEAST),
        false => Time::Clock { left: most, increment: Duration::ZERO, byoyomi: Duration::ZERO },
    };
    let limits = Limits { depth, time: Some(clock), lines: 1, ..Limits::default() };
    Turn { limits, clocks: [Some(clock); 2], deadline: Some(most), stop: stop.clone() }
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn ms(millis: u64) -> Duration {
        Duration::from_millis(millis)
    }

    #[test]
    fn a_reserve_is_kept_and_no_move_takes_a_minute() {
        assert_eq!(most(600_000), LONGEST);
        assert_eq!(most(50_100), ms(49_900));
        assert_eq!(most(1000), ms(800));
        assert_eq!((most(200), most(0), most(-70_000), most(i64::MIN)), (LEAST, LEAST, LEAST, LEAST));
        assert_eq!(most(i64::MAX), LONGEST);
    }

    #[test]
    fn the_clock_is_that_of_the_server_less_the_reserve() {
        let clock = |left| turn(left, None, &CancelToken::new()).limits.time;
        let of = |left| Some(Time::Clock { left: ms(left), increment: ms(0), byoyomi: ms(0) });
        assert_eq!(clock(600_000), of(599_800));
        assert_eq!(clock(1000), of(800));
        assert_eq!(clock(-5), Some(Time::Move(LEAST)));
    }
}
