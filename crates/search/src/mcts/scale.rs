//! Win rates and values are two names for one thing: the logistic curve turns the one into the other.

use super::number::{exp, ln};
use crate::{Proven, Value};

/// How many units of value make the odds of winning e times better.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Scale(f64);

impl Scale {
    /// Centipawns, as engines that learn from win rates count them.
    pub const CENTIPAWNS: Scale = Scale(600.0);

    /// A scale of so many units; what is not a positive number counts as [`Scale::CENTIPAWNS`].
    pub fn new(units: f64) -> Scale {
        if units.is_finite() && units >= 1e-3 { Scale(units) } else { Scale::CENTIPAWNS }
    }

    /// The units.
    pub fn units(self) -> f64 {
        self.0
    }

    /// The share of points a value promises its mover: from 0 to 1, exactly these for proven results.
    pub fn rate(self, value: Value) -> f64 {
        match value.proven() {
            Some(Proven::Win(_)) => 1.0,
            Some(Proven::Loss(_)) => 0.0,
            // Taken from the losing side, so that both sides' shares sum to 1 without a rounding.
            None if value.get() <= 0 => 1.0 / (1.0 + exp(-f64::from(value.get()) / self.0)),
            None => 1.0 - self.rate(-value),
        }
    }

    /// The value that promises this share of points; an estimate even where it is 0 or 1, because a share is
    /// counted and not proven.
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

impl Default for Scale {
    fn default() -> Scale {
        Scale::CENTIPAWNS
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_and_back_again() {
        for units in [1.0, 20.0, 600.0, 756.0] {
            let scale = Scale::new(units);
            // Above odds of e^12 the share is too near to 1 for every unit to be told apart.
            let most = (units * 12.0).min(30_000.0) as i32;
            for units in -most..=most {
                let value = Value::estimate(units);
                assert_eq!(scale.value(scale.rate(value)), value, "{scale:?}");
                assert_eq!(scale.rate(value) + scale.rate(-value), 1.0, "{scale:?} {value}");
            }
        }
    }

    #[test]
    fn shares_come_back_too() {
        for step in 1..1000 {
            let rate = f64::from(step) / 1000.0;
            let again = Scale::CENTIPAWNS.rate(Scale::CENTIPAWNS.value(rate));
            assert!((again - rate).abs() < 0.25 / 600.0, "{rate} came back as {again}");
        }
    }

    #[test]
    fn a_better_value_never_promises_less() {
        let all = || (Value::LEAST.get()..=Value::MOST.get()).map(Value::of);
        for (low, high) in all().zip(all().skip(1)) {
            let (low, high) = (Scale::CENTIPAWNS.rate(low), Scale::CENTIPAWNS.rate(high));
            assert!((0.0..=1.0).contains(&low) && low <= high, "{low} {high}");
        }
    }

    #[test]
    fn the_ends_and_nonsense() {
        let scale = Scale::default();
        assert_eq!((scale.rate(Value::win(9)), scale.rate(Value::loss(9))), (1.0, 0.0));
        assert_eq!(scale.rate(Value::DRAW), 0.5);
        assert_eq!(scale.value(1.0), Value::estimate(30_000));
        assert_eq!(scale.value(-3.0), Value::estimate(-30_000));
        assert_eq!(scale.value(f64::NAN), Value::DRAW);
        for units in [0.0, -5.0, f64::NAN, f64::INFINITY] {
            assert_eq!(Scale::new(units), Scale::CENTIPAWNS);
        }
    }
}
