//! Values of finished games, the same for every evaluation: beyond all estimates, and ordered by the margin.

use tesuji_game::Outcome;
use tesuji_othello::{Move, Othello};
use tesuji_search::{Eval, Value, ValueUnit};

/// The offset of finished games. A win by 64 is 16,400, far below the limit.
const DECIDED: i32 = 10_000;
/// Hundredths in a disc.
const DISC: i32 = 100;

/// The unit of Othello's values.
pub(super) const DISCS: ValueUnit = ValueUnit {
    name: "discs",
    steps: DISC as i16,
    decimals: 1,
    limit: 64,
    decisive: 64,
    decided_offset: Some(DECIDED as i16),
};

/// An estimate in hundredths of a disc, clamped between all losses and all wins.
#[inline]
pub(super) fn estimate(hundredths: i32) -> Value {
    Value::estimate(hundredths.clamp(1 - DECIDED, DECIDED - 1))
}

/// The value of a finished game.
pub(super) fn final_value(game: &Othello) -> Value {
    let margin = game.score();
    Value::estimate(margin.signum() * DECIDED + margin * DISC)
}

/// `none`: no evaluation before the end of the game; the margin there.
#[derive(Clone, Copy, Debug, Default)]
pub struct TerminalEval;

impl Eval<Othello> for TerminalEval {
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
        final_value(game)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tesuji_game::Side;
    use tesuji_search::Bound;

    #[test]
    fn a_win_beats_every_estimate_and_a_smaller_win() {
        let finished = |own: u32| Othello::new(u64::MAX << (64 - own), u64::MAX >> own, Side::First);
        let values: Vec<Value> = (1..64).filter_map(finished).map(|game| final_value(&game)).collect();
        assert_eq!(values.len(), 63);
        assert!(values.windows(2).all(|pair| pair[0] < pair[1]), "{values:?}");
        assert!(values[30] < estimate(i32::MIN) && values[31] == Value::DRAW);
        assert!(values[32] > estimate(i32::MAX));
        for (own, &value) in (1..).zip(&values) {
            assert!(!value.is_proven());
            let shown = DISCS.value(value, Bound::Exact, true);
            assert_eq!(shown.number, Some(f64::from(2 * own - 64)));
        }
    }
}
