//! How the time of a turn is divided.

use std::time::{Duration, Instant};

/// The largest part of a turn that is kept for communication and for pauses of a loaded machine.
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
    /// For a turn of this length that began when its line was read.
    pub(super) fn new(began: Instant, turn: Duration) -> AnswerTimes {
        let reserve = (turn / 4).clamp(LEAST_RESERVE, RESERVE).min(turn / 2);
        let search = turn - reserve;
        AnswerTimes { search, cancel: began + search + reserve / 5, answer: began + search + reserve * 2 / 5 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_part_of_every_turn_is_kept() {
        let ms = Duration::from_millis;
        let began = Instant::now();
        let times = |turn| {
            let AnswerTimes { search, cancel, answer } = AnswerTimes::new(began, ms(turn));
            [search, cancel - began, answer - began].map(|time| time.as_micros())
        };
        assert_eq!(times(1000), [750_000, 800_000, 850_000]);
        assert_eq!(times(200), [150_000, 160_000, 170_000]);
        assert_eq!(times(10_000), [9_750_000, 9_800_000, 9_850_000]);
        assert_eq!(times(10), [5_000, 6_000, 7_000]);
    }
}
