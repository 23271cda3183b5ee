//! Axes with ticks at round numbers.

use tesuji_game::grouped;

/// An axis from one round number to another.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Axis {
    pub(crate) low: f64,
    pub(crate) high: f64,
    /// The distance of ticks: 1, 2 or 5 times a power of ten.
    pub(crate) step: f64,
}

impl Axis {
    /// An axis that holds both numbers, with about `ticks` ticks.
    pub(crate) fn holding(low: f64, high: f64, ticks: f64) -> Axis {
        Axis::stepping(low, high, round_step((high - low).max(1e-9) / ticks))
    }

    /// The same for counts, whose ticks are whole numbers.
    pub(crate) fn of_counts(low: f64, high: f64, ticks: f64) -> Axis {
        Axis::stepping(low, high, round_step((high - low) / ticks).max(1.0))
    }

    fn stepping(low: f64, high: f64, step: f64) -> Axis {
        let low = (low / step).floor() * step;
        Axis { low, high: ((high / step).ceil() * step).max(low + step), step }
    }

    /// The ticks, the lowest first.
    pub(crate) fn ticks(self) -> impl Iterator<Item = f64> {
        let count = ((self.high - self.low) / self.step).round() as u32;
        (0..=count).map(move |index| {
            let tick = self.low + self.step * f64::from(index);
            // The sum of binary fractions misses zero.
            if tick.abs() < self.step * 1e-6 { 0.0 } else { tick }
        })
    }

    /// The share of the axis below a number.
    pub(crate) fn share(self, number: f64) -> f64 {
        (number - self.low) / (self.high - self.low)
    }

    /// A tick as text, with as many decimals as the step needs: `0.25`, `40`, `150k`, `2.5M`.
    pub(crate) fn label(self, tick: f64) -> String {
        let most = self.high.abs().max(self.low.abs());
        let (unit, sign) = match most {
            1e7.. => (1e6, "M"),
            1e6.. if self.step >= 1e5 => (1e6, "M"),
            1e4.. => (1e3, "k"),
            _ => (1.0, ""),
        };
        let step = self.step / unit;
        let decimals = if step.fract() == 0.0 { 0 } else { (-step.log10()).ceil().clamp(1.0, 6.0) as usize };
        // Whole numbers of four digits have a comma, as everywhere in text.
        let text = match (decimals, tick / unit) {
            (0, value) if value.abs() >= 1e3 => {
                let sign = if value < 0.0 { "-" } else { "" };
                format!("{sign}{}", grouped(value.abs().round() as u64))
            }
            (_, value) => format!("{value:.decimals$}"),
        };
        match tick == 0.0 {
            true if unit > 1.0 => "0".to_owned(),
            true => text,
            false => text + sign,
        }
    }

    /// The same with a plus sign.
    pub(crate) fn signed_label(self, tick: f64) -> String {
        let label = self.label(tick);
        if tick > 0.0 { format!("+{label}") } else { label }
    }
}

/// The least of 1, 2 and 5 times a power of ten that is not below `least`.
pub(crate) fn round_step(least: f64) -> f64 {
    let least = least.max(1e-9);
    let power = 10f64.powf(least.log10().floor());
    [1.0, 2.0, 5.0].into_iter().map(|digit| digit * power).find(|step| *step >= least * 0.999).unwrap_or(power * 10.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn axes_hold_their_values_in_few_round_steps() {
        for (low, high) in [(0.0, 0.0), (-3.0, 7.0), (-1200.0, 1200.0), (0.0, 0.013), (0.0, 9_999_999.0), (-0.5, 0.0)] {
            for axis in [Axis::holding(low, high, 5.0), Axis::of_counts(low, high, 5.0)] {
                assert!(axis.low <= low && high <= axis.high && axis.step > 0.0, "{low} {high}: {axis:?}");
                assert!(axis.ticks().count() <= 8, "{low} {high}: {axis:?}");
                let digits = axis.step / 10f64.powf(axis.step.log10().floor());
                assert!([1.0, 2.0, 5.0].iter().any(|digit| (digits - digit).abs() < 1e-6), "{axis:?}");
            }
        }
        assert_eq!(Axis::of_counts(0.0, 3.0, 5.0).ticks().collect::<Vec<_>>(), [0.0, 1.0, 2.0, 3.0]);
    }

    #[test]
    fn labels_are_short() {
        let labels = |low, high| {
            let axis = Axis::holding(low, high, 4.0);
            axis.ticks().map(|tick| axis.signed_label(tick)).collect::<Vec<_>>()
        };
        assert_eq!(labels(-0.3, 0.2), ["-0.4", "-0.2", "0.0", "+0.2"]);
        assert_eq!(labels(-2000.0, 2000.0), ["-2,000", "-1,000", "0", "+1,000", "+2,000"]);
        assert_eq!(labels(-33.0, 39.0), ["-40", "-20", "0", "+20", "+40"]);
        assert_eq!(labels(0.0, 180_000.0), ["0", "+50k", "+100k", "+150k", "+200k"]);
        assert_eq!(labels(0.0, 3.6e6), ["0", "+1M", "+2M", "+3M", "+4M"]);
        assert_eq!(labels(0.0, 1.3e6), ["0", "+0.5M", "+1.0M", "+1.5M"]);
        assert_eq!(labels(0.0, 39e6), ["0", "+10M", "+20M", "+30M", "+40M"]);
    }
}
