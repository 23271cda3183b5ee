//! Clock arithmetic.

use std::time::Duration;

use proptest::prelude::*;
use tesuji_arena::{FlagFall, GameClocks, MARGIN, PATIENCE, TimeControl};
use tesuji_game::Side;
use tesuji_search::{CancelToken, Time};

const fn ms(millis: u64) -> Duration {
    Duration::from_millis(millis)
}

fn clocks(control: &str) -> GameClocks {
    GameClocks::new(TimeControl::parse(control).expect(control), MARGIN, PATIENCE)
}

#[test]
fn controls_read_and_print() {
    for text in ["none", "1s", "250ms", "300s+2s", "300s/10s", "0s/10s", "60s+0s"] {
        assert_eq!(TimeControl::parse(text).map(|control| control.to_string()), Ok(text.to_owned()));
    }
    assert_eq!(TimeControl::parse("5m+0"), TimeControl::parse("300s+0s"));
    for text in ["", "1", "+", "/", "1s+", "/1s", "0s", "0+1s", "0/0", "-1s", "1s+2s+3s", "fast", "NaNs", "1e300s"] {
        let refused = TimeControl::parse(text).expect_err(text).to_string();
        assert!(refused.contains(&format!("{text:?}")) && refused.contains("300s+2s"), "{refused}");
    }
}

#[test]
fn an_increment_is_added_after_the_move() {
    let mut clocks = clocks("10s+2s");
    assert_eq!(clocks.spend(Side::First, ms(3000)), Ok(ms(0)));
    assert_eq!((clocks.left(Side::First), clocks.left(Side::Second)), (ms(9000), ms(10_000)));
    assert_eq!(clocks.allowed(Side::First), Some(ms(9000)));
    // Within the margin the move counts, and nothing is left but the increment.
    assert_eq!(clocks.spend(Side::First, ms(9020)), Ok(ms(20)));
    assert_eq!((clocks.left(Side::First), clocks.lag(Side::First)), (ms(2000), ms(20)));
    assert_eq!(clocks.spend(Side::First, ms(2021)), Err(FlagFall { used: ms(2021), allowed: ms(2000) }));
}

#[test]
fn byoyomi_that_is_not_used_is_lost() {
    let mut clocks = clocks("10s/2s");
    assert_eq!(clocks.spend(Side::Second, ms(11_000)), Ok(ms(0)));
    assert_eq!(clocks.left(Side::Second), ms(0));
    for _ in 0..3 {
        assert_eq!(clocks.allowed(Side::Second), Some(ms(2000)));
        assert_eq!(clocks.spend(Side::Second, ms(10)), Ok(ms(0)));
    }
    assert_eq!(clocks.spend(Side::Second, ms(2020)), Ok(ms(20)));
    assert!(clocks.spend(Side::Second, ms(2021)).is_err());
}

#[test]
fn a_time_for_each_move_does_not_add_up() {
    let mut clocks = clocks("100ms");
    for _ in 0..5 {
        assert_eq!(clocks.spend(Side::First, ms(110)), Ok(ms(10)));
    }
    assert!(clocks.spend(Side::First, ms(121)).is_err());
    assert_eq!(clocks.request(Side::First, &CancelToken::new()).limits.time, Some(Time::Move(ms(100))));
    assert_eq!(clocks.request(Side::First, &CancelToken::new()).deadline, Some(ms(120)));
}

#[test]
fn a_request_has_both_clocks() {
    let mut clocks = clocks("10s/2s").with_limits(Some(7), Some(99));
    clocks.spend(Side::First, ms(4000)).expect("in time");
    let request = clocks.request(Side::Second, &CancelToken::new());
    let clock = |left| Some(Time::Clock { left: ms(left), increment: ms(0), byoyomi: ms(2000) });
    assert_eq!(request.clocks, [clock(6000), clock(10_000)]);
    assert_eq!(request.limits.time, clock(10_000));
    assert_eq!((request.limits.depth, request.limits.nodes), (Some(7), Some(99)));
    assert_eq!(request.deadline, Some(ms(12_020)));
}

#[test]
fn without_a_clock_the_patience_is_the_limit() {
    let mut clocks = GameClocks::new(TimeControl::None, MARGIN, ms(50));
    assert_eq!(clocks.request(Side::First, &CancelToken::new()).deadline, Some(ms(50)));
    assert_eq!(clocks.request(Side::First, &CancelToken::new()).limits.time, None);
    assert_eq!(clocks.spend(Side::First, ms(50)), Ok(ms(0)));
    assert!(clocks.spend(Side::First, ms(51)).is_err());
}

proptest! {
    /// No side gets more time than it was given, and a flag falls exactly when more was used than allowed.
    #[test]
    fn time_is_neither_made_nor_lost(
        main in 1u64..5000,
        increment in 0u64..500,
        moves in prop::collection::vec(0u64..3000, 0..30),
    ) {
        let mut clocks = GameClocks::new(
            TimeControl::Increment { main: ms(main), increment: ms(increment) }, ms(0), PATIENCE);
        let (mut given, mut spent) = (main, 0);
        for used in moves {
            let allowed = clocks.allowed(Side::First).expect("a clock");
            match clocks.spend(Side::First, ms(used)) {
                Ok(lag) => {
                    prop_assert!(ms(used) <= allowed && lag.is_zero());
                    given += increment;
                    spent += used;
                }
                Err(flag) => {
                    prop_assert!(ms(used) > allowed);
                    prop_assert_eq!(flag, FlagFall { used: ms(used), allowed });
                }
            }
            prop_assert_eq!(clocks.left(Side::First), ms(given - spent));
        }
    }
}
