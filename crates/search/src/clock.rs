//! How long one move may take: a soft and a hard limit, and a margin learned from how late we were before.
//!
//! NoEval here reads a clock. Whoever searches says how much time has passed since the thinking began, by a
//! clock that never goes back.

use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use crate::Time;

/// Kept back from every limit, however punctual we were.
const LEAST_MARGIN: Duration = Duration::from_millis(2);
/// How unpunctual we take ourselves to be before anything was measured.
const FIRST_DEVIATION: Duration = Duration::from_millis(2);
/// The longest pause that is prepared for long after it was seen. On a busy machine such pauses come again.
const WORST: Duration = Duration::from_millis(100);
/// Moves that the time left is shared among.
const MOVES_TO_GO: u32 = 30;
/// How many times the soft limit a difficult move may take.
const DIFFICULT: u32 = 4;

/// How late answers have been: an average and its deviation, both exponential, as networks time their
/// retries by.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Lag {
    average: Duration,
    deviation: Duration,
    /// The worst of late, fading.
    worst: Duration,
}

/// What all engines of this process have learned: lag is the machine's doing, and a new engine need not pay
/// for what an old one knows.
static KNOWN: Mutex<Lag> = Mutex::new(Lag::FIRST);

impl Default for Lag {
    fn default() -> Lag {
        Lag::FIRST
    }
}

impl Lag {
    /// Before anything was measured.
    const FIRST: Lag = Lag { average: Duration::ZERO, deviation: FIRST_DEVIATION, worst: Duration::ZERO };

    /// The lag of this process, as far as it is known.
    pub fn known() -> Lag {
        *KNOWN.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A search of this process was so late, or stood still for so long.
    pub fn tell(late: Duration) {
        KNOWN.lock().unwrap_or_else(PoisonError::into_inner).learn(late);
    }

    /// An answer came so much after it should have.
    pub fn learn(&mut self, late: Duration) {
        // A pause of seconds is an accident and should not frighten us for the rest of the game.
        let late = late.min(Duration::from_millis(500));
        self.deviation = (self.deviation * 3 + late.abs_diff(self.average)) / 4;
        self.average = (self.average * 7 + late) / 8;
        self.worst = (self.worst * 127 / 128).max(late.min(WORST));
    }

    /// What to keep back.
    pub fn margin(&self) -> Duration {
        LEAST_MARGIN + (self.average + self.deviation * 4).max(self.worst)
    }
}

/// The time for one move, counted from when the thinking began.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Budget {
    /// No new iteration after this, for a move that is neither clear nor difficult.
    pub soft: Duration,
    /// Not a moment longer.
    pub hard: Duration,
    /// What there is at all, without a margin.
    pub most: Duration,
}

impl Budget {
    /// What `time` allows, with `margin` kept back but never more than three quarters of what there is.
    pub fn new(time: Time, margin: Duration) -> Budget {
        Budget::among(time, margin, MOVES_TO_GO)
    }

    /// The same where the time left is to be shared among so many moves.
    pub fn among(time: Time, margin: Duration, moves: u32) -> Budget {
        let within = |most: Duration| most.saturating_sub(margin).max(most / 4);
        match time {
            Time::Move(most) => Budget { soft: within(most), hard: within(most), most },
            Time::Clock { left, increment, byoyomi } => {
                let most = left.saturating_add(byoyomi);
                // With nothing left, the increment has to be there before the move.
                let most = if most.is_zero() { increment } else { most };
                let hard = within(most);
                if left.is_zero() {
                    // What byoyomi is not used is lost.
                    return Budget { soft: hard, hard, most };
                }
                let share = left / moves.max(1) + increment * 3 / 4 + byoyomi;
                let soft = share.saturating_sub(margin).max(share / 4).min(hard);
                Budget { soft, hard: hard.min(soft.saturating_mul(DIFFICULT)), most }
            }
        }
    }

    /// Whether the search must end now. `pause` is the longest time that it has stood still so far, because
    /// others had the processor: if the same happened again there must still be an answer.
    pub fn over(&self, spent: Duration, pause: Duration) -> bool {
        spent >= self.hard || spent >= self.most / 4 && spent + pause >= self.most
    }

    /// Whether to begin no further iteration: `calm` counts the iterations since the best move last changed,
    /// `falling` tells that its value has just fallen.
    pub fn enough(&self, spent: Duration, calm: u32, falling: bool) -> bool {
        if self.soft == self.hard {
            return spent >= self.hard;
        }
        // In quarters of the soft limit. An iteration takes longer than all before it, so half of the time is
        // enough for a clear move.
        let quarters = match (falling, calm) {
            (true, _) => 8,
            (false, 0) => 5,
            (false, 1..=3) => 3,
            _ => 2,
        };
        spent >= (self.soft * quarters / 4).min(self.hard)
    }
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
        let budget = Budget::new(Time::Move(ms(1000)), ms(10));
        assert_eq!(budget, Budget { soft: ms(990), hard: ms(990), most: ms(1000) });
        assert!(!budget.enough(ms(989), 9, false) && budget.enough(ms(990), 0, true));
        let tight = Budget::new(Time::Move(ms(8)), ms(10));
        assert_eq!(tight.hard, ms(2), "never more than three quarters are kept back");
        assert_eq!(Budget::new(Time::Move(ms(0)), ms(10)).hard, ms(0));
    }

    #[test]
    fn a_game_clock_is_never_overrun() {
        for left in [0, 1, 50, 1000, 60_000, 3_600_000] {
            for increment in [0, 10, 5000] {
                for byoyomi in [0, 100, 10_000] {
                    let budget = Budget::new(clock(left, increment, byoyomi), ms(10));
                    let most = if left + byoyomi == 0 { increment } else { left + byoyomi };
                    assert!(budget.soft <= budget.hard, "{left} {increment} {byoyomi}: {budget:?}");
                    assert!(budget.hard < ms(most.max(1)), "{left} {increment} {byoyomi}: {budget:?}");
                }
            }
        }
    }

    #[test]
    fn a_whole_game_on_one_clock_ends_in_time() {
        for (mut left, increment) in [(ms(60_000), ms(0)), (ms(1000), ms(10))] {
            let margin = Lag::default().margin();
            for _ in 0..200 {
                let budget = Budget::new(Time::Clock { left, increment, byoyomi: ms(0) }, margin);
                assert!(budget.hard < left);
                left = left - budget.soft + increment;
            }
        }
    }

    #[test]
    fn byoyomi_is_used_when_nothing_else_is_left() {
        let late = Budget { soft: ms(990), hard: ms(990), most: ms(1000) };
        assert_eq!(Budget::new(clock(0, 0, 1000), ms(10)), late);
        let early = Budget::new(clock(600_000, 0, 10_000), ms(10));
        assert!(early.soft > ms(20_000) && early.soft < ms(40_000), "{early:?}");
    }

    #[test]
    fn clear_moves_are_quick_and_difficult_ones_are_not() {
        let budget = Budget::new(clock(60_000, 0, 0), ms(0));
        assert_eq!(budget, Budget { soft: ms(2000), hard: ms(8000), most: ms(60_000) });
        assert!(budget.enough(ms(1000), 9, false) && !budget.enough(ms(1400), 2, false));
        assert!(!budget.enough(ms(2400), 0, false) && budget.enough(ms(2500), 0, false));
        assert!(!budget.enough(ms(3900), 0, true) && budget.enough(ms(4000), 0, true));
    }

    #[test]
    fn a_search_that_stood_still_ends_while_it_can() {
        let budget = Budget::new(Time::Move(ms(50)), ms(10));
        assert!(!budget.over(ms(39), ms(0)) && budget.over(ms(40), ms(0)));
        assert!(!budget.over(ms(29), ms(20)) && budget.over(ms(30), ms(20)));
        assert!(!budget.over(ms(12), ms(500)) && budget.over(ms(13), ms(500)));
    }

    #[test]
    fn what_one_engine_learns_all_know() {
        let before = Lag::known();
        Lag::tell(ms(400));
        assert!(Lag::known().margin() > before.margin());
    }

    #[test]
    fn the_margin_follows_the_lag() {
        let mut lag = Lag::default();
        assert_eq!(lag.margin(), ms(10));
        for _ in 0..50 {
            lag.learn(ms(40));
        }
        assert!(lag.margin() > ms(40) && lag.margin() < ms(50), "{:?}", lag.margin());
        let steady = lag.margin();
        lag.learn(Duration::from_secs(3600));
        assert!(lag.margin() > steady && lag.margin() < ms(700), "{:?}", lag.margin());
        for _ in 0..100 {
            lag.learn(ms(0));
        }
        assert!(
            lag.margin() > ms(40) && lag.margin() < ms(60),
            "the worst is not forgotten: {:?}",
            lag.margin()
        );
        for _ in 0..600 {
            lag.learn(ms(0));
        }
        assert!(lag.margin() < ms(4), "{:?}", lag.margin());
    }
}
