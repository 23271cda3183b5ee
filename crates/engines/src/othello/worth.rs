//! What a finished game is worth, the same for every evaluation: more than any estimate, and more the more
//! it was won by.

use tesuji_game::Outcome;
use tesuji_othello::{Move, Othello};
use tesuji_search::{Eval, Value};

/// Where the margins of finished games begin. A win by 64 stands at 16,400, far inside the limit.
const DECIDED: i32 = 10_000;
/// Hundredths in a disc.
const DISC: i32 = 100;

/// An estimate in hundredths of a disc, kept below every win and above every loss.
#[inline]
pub(super) fn estimate(hundredths: i32) -> Value {
    Value::estimate(hundredths.clamp(1 - DECIDED, DECIDED - 1))
}

/// The worth of a finished game: its margin, beyond all estimates.
pub(super) fn over(game: &Othello) -> Value {
    let margin = game.score();
    Value::estimate(margin.signum() * DECIDED + margin * DISC)
}

/// The margin in discs that a value stands for, when it is that of a finished game that was won or lost.
///
/// ```
/// use tesuji_engines::othello::final_margin;
/// use tesuji_search::Value;
/// assert_eq!(final_margin(Value::estimate(-10_600)), Some(-6));
/// assert_eq!(final_margin(Value::estimate(250)), None);
/// ```
pub fn final_margin(value: Value) -> Option<i32> {
    let hundredths = i32::from(value.get());
    (hundredths.abs() > DECIDED && !value.is_proven())
        .then(|| (hundredths - hundredths.signum() * DECIDED) / DISC)
}

/// No judgement before the end; there, the margin.
#[derive(Clone, Copy, Debug, Default)]
pub struct Discs;

impl Eval<Othello> for Discs {
    type Accumulator = ();

    #[inline]
    fn begin(&self, _: &Othello) {}

    #[inline]
    fn advance(&self, (): &(), _: Move, _: &Othello, _: &Othello, (): &mut ()) {}

    #[inline]
    fn value(&self, _: &Othello, (): &()) -> Value {
        Value::DRAW
    }

    #[inline]
    fn terminal_value(&self, game: &Othello, _: Outcome) -> Value {
        over(game)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tesuji_game::Side;

    #[test]
    fn a_won_game_beats_every_estimate_and_a_larger_win_a_smaller() {
        let ended = |own: u32| Othello::new(u64::MAX << (64 - own), u64::MAX >> own, Side::First);
        let worth: Vec<Value> = (1..64).filter_map(ended).map(|game| over(&game)).collect();
        assert_eq!(worth.len(), 63);
        assert!(worth.windows(2).all(|pair| pair[0] < pair[1]), "{worth:?}");
        assert!(worth[30] < estimate(i32::MIN) && worth[31] == Value::DRAW && worth[32] > estimate(i32::MAX));
        for (own, &value) in (1..).zip(&worth) {
            assert!(!value.is_proven());
            assert_eq!(final_margin(value), Some(2 * own - 64).filter(|&margin| margin != 0));
        }
    }
}
