//! Conversion between values and win rates by the logistic curve.

use super::math::{exp, ln};
use crate::{Proven, Value};

/// The number of value units that multiply the odds of winning by e.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct WinRateScale(f64);

impl WinRateScale {
    /// The usual scale for centipawns.
    pub const CENTIPAWNS: WinRateScale = WinRateScale(600.0);

    /// A scale of this many units; anything but a positive number counts as [`WinRateScale::CENTIPAWNS`].
    pub fn new(units: f64) -> WinRateScale {
        if units.is_finite() && units >= 1e-3 { WinRateScale(units) } else { WinRateScale::CENTIPAWNS }
    }

    /// The units.
    pub fn units(self) -> f64 {
        self.0
    }

    /// The win rate of a value for the side to move, from 0 to 1; exactly 0 or 1 for proven results.
    pub fn rate(self, value: Value) -> f64 {
        match value.proven() {
            Some(Proven::Win(_)) => 1.0,
            Some(Proven::Loss(_)) => 0.0,
            // Computed for the losing side, so that both win rates sum to exactly 1.
            None if value.get() <= 0 => 1.0 / (1.0 + exp(-f64::from(value.get()) / self.0)),
            None => 1.0 - self.rate(-value),
        }
    }

    /// The value of a win rate; an estimate even for 0 and 1, because a win rate proves nothing.
    pub fn value(self, rate: f64) -> Value {
        if rate.is_nan() {
            Value::DRAW
        } else if rate <= 0.0 {
            Value::estimate(-i32::from(Value::LIMIT))
        } else if rate >= 1.0 {
            Value::estimate(i32::from(Value::LIMIT))
        } else {
            Value::estimate((self.0 * ln(rate / (1.0 - rate))).round() as i32)
        }
    }
}

impl Default for WinRateScale {
    fn default() -> WinRateScale {
        WinRateScale::CENTIPAWNS
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_round_trip() {
        for units in [1.0, 20.0, 600.0, 756.0] {
            let scale = WinRateScale::new(units);
            // Above odds of e^12 the win rate is too near to 1 to distinguish single units.
            let most = (units * 12.0).min(30_000.0) as i32;
            for units in -most..=most {
                let value = Value::estimate(units);
                assert_eq!(scale.value(scale.rate(value)), value, "{scale:?}");
                assert_eq!(scale.rate(value) + scale.rate(-value), 1.0, "{scale:?} {value}");
            }
        }
    }

    #[test]
    fn win_rates_round_trip() {
        for step in 1..1000 {
            let rate = f64::from(step) / 1000.0;
            let again = WinRateScale::CENTIPAWNS.rate(WinRateScale::CENTIPAWNS.value(rate));
            assert!((again - rate).abs() < 0.25 / 600.0, "{rate} came back as {again}");
        }
    }

    #[test]
    fn the_win_rate_is_monotonic() {
        let all = || (Value::LEAST.get()..=Value::MOST.get()).map(Value::of);
        for (low, high) in all().zip(all().skip(1)) {
            let (low, high) = (WinRateScale::CENTIPAWNS.rate(low), WinRateScale::CENTIPAWNS.rate(high));
            assert!((0.0..=1.0).contains(&low) && low <= high, "{low} {high}");
        }
    }

    #[test]
    fn limits_and_invalid_input() {
        let scale = WinRateScale::default();
        assert_eq!((scale.rate(Value::win(9)), scale.rate(Value::loss(9))), (1.0, 0.0));
        assert_eq!(scale.rate(Value::DRAW), 0.5);
        assert_eq!(scale.value(1.0), Value::estimate(30_000));
        assert_eq!(scale.value(-3.0), Value::estimate(-30_000));
        assert_eq!(scale.value(f64::NAN), Value::DRAW);
        for units in [0.0, -5.0, f64::NAN, f64::INFINITY] {
            assert_eq!(WinRateScale::new(units), WinRateScale::CENTIPAWNS);
        }
    }
}
