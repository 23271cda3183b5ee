//! Time management: a soft and a hard limit for one move, and a safety margin learned from earlier delays.
//!
//! This module reads no clock. The search passes the time since its start, from a monotonic clock.

use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use crate::Time;

/// The smallest safety margin.
const MIN_MARGIN: Duration = Duration::from_millis(2);
/// The deviation assumed before anything was measured.
const INITIAL_DEVIATION: Duration = Duration::from_millis(2);
/// The largest lag that is remembered for long. On a busy machine such pauses recur.
const MAX_WORST: Duration = Duration::from_millis(100);
/// The number of moves that share the remaining time.
const MOVES_TO_GO: u32 = 30;
/// A single legal move gets one part in so many of the time.
const SINGLE_MOVE_SHARE: u32 = 10;
/// The most time for a single legal move.
const MAX_SINGLE_MOVE: Duration = Duration::from_secs(1);
/// The hard limit of a game clock, as a multiple of the soft limit.
const HARD_FACTOR: u32 = 4;

/// The lag of earlier moves (move overhead): exponential average and deviation, as in TCP retransmission timers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Lag {
    average: Duration,
    deviation: Duration,
    /// The largest recent lag, decaying.
    worst: Duration,
}

/// The lag of this process, shared by all its engines: it is a property of the machine.
static KNOWN: Mutex<Lag> = Mutex::new(Lag::INITIAL);

impl Default for Lag {
    fn default() -> Lag {
        Lag::INITIAL
    }
}

impl Lag {
    const INITIAL: Lag = Lag { average: Duration::ZERO, deviation: INITIAL_DEVIATION, worst: Duration::ZERO };

    /// The measured lag of this process.
    pub fn known() -> Lag {
        *KNOWN.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Records a delay or pause of a search of this process.
    pub fn record(late: Duration) {
        KNOWN.lock().unwrap_or_else(PoisonError::into_inner).update(late);
    }

    /// Records a delay beside the searches of this process: the margin covers it from now on.
    pub fn raise(late: Duration) {
        let mut known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
        known.worst = known.worst.max(late.min(MAX_WORST));
    }

    /// Adds one measurement.
    pub fn update(&mut self, late: Duration) {
        // A pause of seconds is an outlier; it must not dominate the rest of the game.
        let late = late.min(Duration::from_millis(500));
        self.deviation = (self.deviation * 3 + late.abs_diff(self.average)) / 4;
        self.average = (self.average * 7 + late) / 8;
        self.worst = (self.worst * 127 / 128).max(late.min(MAX_WORST));
    }

    /// The safety margin.
    pub fn margin(&self) -> Duration {
        MIN_MARGIN + (self.average + self.deviation * 4).max(self.worst)
    }
}

/// The time for one move, counted from the start of the search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TimeBudget {
    /// The soft limit: no new iteration after this, for an average move.
    pub soft: Duration,
    /// The hard limit.
    pub hard: Duration,
    /// All available time, without a margin.
    pub available: Duration,
    /// No stop before this, however clear the move is.
    pub least: Duration,
    /// Where a clock counts started seconds: the search uses up the second in which it would stop, but for this delay.
    pub seconds: Option<Duration>,
}

/// How a caller wants the time of a clock to be used.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Pace {
    /// The usual share of the time in per cent.
    pub percent: u32,
    /// The least time of a move, as far as the clock has it.
    pub least: Duration,
    /// Whether the clock counts started seconds, so that the rest of a second costs nothing.
    pub whole_seconds: bool,
    /// How long an answer usually takes to reach the clock.
    pub delay: Duration,
}

impl Default for Pace {
    fn default() -> Pace {
        Pace { percent: 100, least: Duration::ZERO, whole_seconds: false, delay: Duration::ZERO }
    }
}

impl TimeBudget {
    /// The budget of a time control. The margin is at most three quarters of the available time.
    pub fn new(time: Time, margin: Duration) -> TimeBudget {
        TimeBudget::for_moves(time, margin, MOVES_TO_GO)
    }

    /// The same, with the remaining time shared among `moves` moves.
    pub fn for_moves(time: Time, margin: Duration, moves: u32) -> TimeBudget {
        let within = |available: Duration| available.saturating_sub(margin).max(available / 4);
        match time {
            Time::Move(available) => TimeBudget::of(within(available), within(available), available),
            Time::Planned(plan) => {
                let hard = plan.hard.min(within(plan.available));
                TimeBudget { soft: plan.soft.min(hard), hard, least: plan.least.min(hard), ..plan }
            }
            Time::Clock { left, increment, byoyomi } => {
                let available = left.saturating_add(byoyomi);
                // With an empty clock, the increment must have been added before the move.
                let available = if available.is_zero() { increment } else { available };
                let hard = within(available);
                if left.is_zero() {
                    // Unused byoyomi is lost.
                    return TimeBudget::of(hard, hard, available);
                }
                let share = left / moves.max(1) + increment * 3 / 4 + byoyomi;
                let soft = share.saturating_sub(margin).max(share / 4).min(hard);
                TimeBudget::of(soft, hard.min(soft.saturating_mul(HARD_FACTOR)), available)
            }
        }
    }

    /// The budget of a single legal move: long enough for a value, which is all that the search finds. A tenth of the
    /// limits, at most a second.
    #[must_use]
    pub fn of_single_move(self) -> TimeBudget {
        let short = |limit: Duration| (limit / SINGLE_MOVE_SHARE).min(MAX_SINGLE_MOVE);
        TimeBudget { soft: short(self.soft), hard: short(self.hard), least: short(self.least), ..self }
    }

    /// The plan for a clock at the pace that the caller wants. The clock must have the margin already.
    pub fn paced(time: Time, pace: &Pace) -> TimeBudget {
        let TimeBudget { soft, hard, available, .. } = TimeBudget::new(time, Duration::ZERO);
        // The factor above the soft limit does not bind a caller who wants more.
        let most = available.saturating_sub(pace.delay).max(available / 4);
        let soft = if soft == hard { soft } else { (soft * pace.percent / 100).min(most) };
        let least = pace.least.saturating_sub(pace.delay).min(most);
        let seconds = pace.whole_seconds.then_some(pace.delay);
        let hard = hard.max(soft).max(least).min(most);
        let hard = seconds.map_or(hard, |delay| whole_seconds(hard, delay).min(most));
        TimeBudget { soft: soft.min(hard), hard, available, least, seconds }
    }

    fn of(soft: Duration, hard: Duration, available: Duration) -> TimeBudget {
        TimeBudget { soft, hard, available, least: Duration::ZERO, seconds: None }
    }

    /// Whether the search must end now. `pause` is the longest time it was descheduled so far; the budget leaves room
    /// for another pause of that length.
    pub fn over(&self, spent: Duration, pause: Duration) -> bool {
        spent >= self.hard || spent >= self.available / 4 && spent + pause >= self.available
    }

    /// Whether to start no further iteration. `stable` counts the iterations since the best move last changed;
    /// `failed_low` says that its value has just dropped.
    pub fn enough(&self, spent: Duration, stable: u32, failed_low: bool) -> bool {
        if self.soft == self.hard {
            return spent >= self.hard;
        }
        if spent < self.least {
            return false;
        }
        // In quarters of the soft limit. An iteration takes longer than all before it together, so half of the time
        // is enough for a stable move.
        let quarters = match (failed_low, stable) {
            (true, _) => 8,
            (false, 0) => 5,
            (false, 1..=3) => 3,
            _ => 2,
        };
        let limit = self.soft * quarters / 4;
        let limit = self.seconds.map_or(limit, |delay| whole_seconds(limit, delay));
        spent >= limit.min(self.hard)
    }
}

/// The end of the second in which `time` lies, less the delay of an answer.
fn whole_seconds(time: Duration, delay: Duration) -> Duration {
    let seconds = (time + delay).as_millis().div_ceil(1000).max(1);
    Duration::from_secs(u64::try_from(seconds).unwrap_or(u64::MAX)).saturating_sub(delay)
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn ms(millis: u64) -> Duration {
        Duration::from_millis(millis)
    }

    fn clock(left: u64, increment: u64, byoyomi: u64) -> Time {
        Time::Clock { left: ms(left), increment: ms(increment), byoyomi: ms(byoyomi) }
    }

    #[test]
    fn a_time_for_the_move_is_used_up_to_the_margin() {
        let budget = TimeBudget::new(Time::Move(ms(1000)), ms(10));
        assert_eq!(budget, TimeBudget::of(ms(990), ms(990), ms(1000)));
        assert!(!budget.enough(ms(989), 9, false) && budget.enough(ms(990), 0, true));
        let tight = TimeBudget::new(Time::Move(ms(8)), ms(10));
        assert_eq!(tight.hard, ms(2), "the margin is at most three quarters");
        assert_eq!(TimeBudget::new(Time::Move(ms(0)), ms(10)).hard, ms(0));
    }

    #[test]
    fn a_game_clock_is_never_overrun() {
        for left in [0, 1, 50, 1000, 60_000, 3_600_000] {
            for increment in [0, 10, 5000] {
                for byoyomi in [0, 100, 10_000] {
                    let budget = TimeBudget::new(clock(left, increment, byoyomi), ms(10));
                    let available = if left + byoyomi == 0 { increment } else { left + byoyomi };
                    assert!(budget.soft <= budget.hard, "{left} {increment} {byoyomi}: {budget:?}");
                    assert!(budget.hard < ms(available.max(1)), "{left} {increment} {byoyomi}: {budget:?}");
                }
            }
        }
    }

    #[test]
    fn a_whole_game_on_one_clock_ends_in_time() {
        for (mut left, increment) in [(ms(60_000), ms(0)), (ms(1000), ms(10))] {
            let margin = Lag::default().margin();
            for _ in 0..200 {
                let budget = TimeBudget::new(Time::Clock { left, increment, byoyomi: ms(0) }, margin);
                assert!(budget.hard < left);
                left = left - budget.soft + increment;
            }
        }
    }

    #[test]
    fn byoyomi_is_used_when_nothing_else_is_left() {
        let late = TimeBudget::of(ms(990), ms(990), ms(1000));
        assert_eq!(TimeBudget::new(clock(0, 0, 1000), ms(10)), late);
        let early = TimeBudget::new(clock(600_000, 0, 10_000), ms(10));
        assert!(early.soft > ms(20_000) && early.soft < ms(40_000), "{early:?}");
    }

    #[test]
    fn stable_moves_use_less_time_than_unstable_ones() {
        let budget = TimeBudget::new(clock(60_000, 0, 0), ms(0));
        assert_eq!(budget, TimeBudget::of(ms(2000), ms(8000), ms(60_000)));
        assert!(budget.enough(ms(1000), 9, false) && !budget.enough(ms(1400), 2, false));
        assert!(!budget.enough(ms(2400), 0, false) && budget.enough(ms(2500), 0, false));
        assert!(!budget.enough(ms(3900), 0, true) && budget.enough(ms(4000), 0, true));
    }

    #[test]
    fn a_single_move_gets_a_part_of_the_time() {
        let budget = TimeBudget::new(clock(60_000, 0, 0), ms(0)).of_single_move();
        assert_eq!(budget, TimeBudget::of(ms(200), ms(800), ms(60_000)));
        let long = TimeBudget::new(Time::Move(ms(3_600_000)), ms(0)).of_single_move();
        assert_eq!((long.soft, long.hard), (ms(1000), ms(1000)));
    }

    #[test]
    fn a_pace_scales_the_usual_time_and_never_exceeds_the_clock() {
        let pace = |percent, least, whole_seconds| Pace { percent, least: ms(least), whole_seconds, delay: ms(100) };
        let time = clock(60_000, 0, 0);
        let budget = |pace: Pace| TimeBudget::new(Time::Planned(TimeBudget::paced(time, &pace)), ms(10));
        assert_eq!(budget(pace(100, 0, false)), TimeBudget::new(time, ms(0)));
        let slow = budget(pace(200, 0, false));
        assert_eq!((slow.soft, slow.hard), (ms(4000), ms(8000)));
        // A quarter of a million per cent is still less than the clock.
        assert_eq!(budget(pace(250_000, 0, false)).hard, ms(59_900));
        let patient = budget(pace(100, 3000, false));
        assert!(!patient.enough(ms(2899), 9, false) && patient.enough(ms(2900), 9, false));
        // Half of the soft limit would do, and the second is used up.
        let whole = budget(pace(100, 0, true));
        assert!(!whole.enough(ms(1899), 9, false) && whole.enough(ms(1900), 9, false));
        assert!(!whole.enough(ms(2899), 0, false) && whole.enough(ms(2900), 0, false));
        for left in [0, 1, 50, 500, 1000, 1001, 60_000] {
            for byoyomi in [0, 100, 1000, 10_000] {
                for pace in [pace(100, 2000, true), pace(1000, 0, true), pace(10, 0, false)] {
                    let time = clock(left, 0, byoyomi);
                    let budget = TimeBudget::new(Time::Planned(TimeBudget::paced(time, &pace)), ms(10));
                    assert!(budget.soft <= budget.hard && budget.least <= budget.hard, "{left} {byoyomi}: {budget:?}");
                    assert!(budget.hard < ms((left + byoyomi).max(1)), "{left} {byoyomi}: {budget:?}");
                }
            }
        }
    }

    #[test]
    fn a_search_that_was_descheduled_ends_early() {
        let budget = TimeBudget::new(Time::Move(ms(50)), ms(10));
        assert!(!budget.over(ms(39), ms(0)) && budget.over(ms(40), ms(0)));
        assert!(!budget.over(ms(29), ms(20)) && budget.over(ms(30), ms(20)));
        assert!(!budget.over(ms(12), ms(500)) && budget.over(ms(13), ms(500)));
    }

    #[test]
    fn lag_is_shared_in_the_process() {
        let before = Lag::known();
        Lag::record(ms(400));
        let recorded = Lag::known().margin();
        assert!(recorded > before.margin());
        Lag::raise(ms(1));
        assert_eq!(Lag::known().margin(), recorded, "a small delay changes nothing");
        Lag::raise(Duration::from_secs(9));
        assert!(Lag::known().margin() >= ms(102));
    }

    #[test]
    fn the_margin_follows_the_lag() {
        let mut lag = Lag::default();
        assert_eq!(lag.margin(), ms(10));
        for _ in 0..50 {
            lag.update(ms(40));
        }
        assert!(lag.margin() > ms(40) && lag.margin() < ms(50), "{:?}", lag.margin());
        let steady = lag.margin();
        lag.update(Duration::from_secs(3600));
        assert!(lag.margin() > steady && lag.margin() < ms(700), "{:?}", lag.margin());
        for _ in 0..100 {
            lag.update(ms(0));
        }
        assert!(lag.margin() > ms(40) && lag.margin() < ms(60), "the worst lag decays slowly: {:?}", lag.margin());
        for _ in 0..600 {
            lag.update(ms(0));
        }
        assert!(lag.margin() < ms(4), "{:?}", lag.margin());
    }
}
