//! How the time of a turn is divided.

use std::time::{Duration, Instant};

use tesuji_search::Time;

/// The largest part of a turn that is kept for communication, besides the measured pauses of a loaded machine.
const RESERVE: Duration = Duration::from_millis(250);
/// The smallest.
const LEAST_RESERVE: Duration = Duration::from_millis(10);

/// The times of one answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct AnswerTimes {
    /// For the search.
    pub(super) search: Duration,
    /// When the search is cancelled.
    pub(super) cancel: Instant,
    /// When the best move so far is played.
    pub(super) answer: Instant,
}

impl AnswerTimes {
    /// For a turn of this length that began when its line was read, on a machine with these pauses.
    ///
    /// A pause may come before the line is read, while the answer is due, and after it is written: it counts three times.
    /// At most three fifths of a turn are kept.
    pub(super) fn new(began: Instant, turn: Duration, pauses: Duration) -> AnswerTimes {
        let quiet = (turn / 4).clamp(LEAST_RESERVE, RESERVE).min(turn / 2);
        let reserve = (quiet + pauses * 3).min(turn * 3 / 5);
        let search = turn - reserve;
        AnswerTimes { search, cancel: began + search + reserve / 5, answer: began + search + reserve * 2 / 5 }
    }

    /// The limit of an engine that keeps this margin free by itself: pauses count once, not twice.
    pub(super) fn limit(&self, margin: Duration) -> Time {
        Time::Move(self.search + margin)
    }
}

#[cfg(test)]
mod tests {
    use tesuji_search::clock::TimeBudget;

    use super::*;

    #[test]
    fn an_engine_searches_as_long_as_its_time_says() {
        let ms = Duration::from_millis;
        for margin in [10, 40, 120, 500] {
            let times = AnswerTimes::new(Instant::now(), ms(1000), ms(margin - 10));
            assert_eq!(TimeBudget::new(times.limit(ms(margin)), ms(margin)).hard, times.search, "margin {margin}");
        }
    }

    #[test]
    fn a_part_of_every_turn_is_kept() {
        let ms = Duration::from_millis;
        let began = Instant::now();
        let times = |turn, pauses| {
            let AnswerTimes { search, cancel, answer } = AnswerTimes::new(began, ms(turn), ms(pauses));
            [search, cancel - began, answer - began].map(|time| time.as_micros())
        };
        assert_eq!(times(1000, 0), [750_000, 800_000, 850_000]);
        assert_eq!(times(200, 0), [150_000, 160_000, 170_000]);
        assert_eq!(times(10_000, 0), [9_750_000, 9_800_000, 9_850_000]);
        assert_eq!(times(10, 0), [5_000, 6_000, 7_000]);
        assert_eq!(times(1000, 50), [600_000, 680_000, 760_000], "pauses are kept free");
        assert_eq!(times(1000, 400), [400_000, 520_000, 640_000], "but not the whole turn");
    }
}
