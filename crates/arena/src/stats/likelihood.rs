//! The maximum-likelihood distribution under a hypothesis, given the observed one.

use super::counts::moments;

/// The most likely distribution on `support` with mean `target`, given the observed `shares`, none of them 0. `None` when
/// no distribution has that mean.
///
/// It is `shares / (1 + x (support - target))` with `x` chosen to give the mean. The root often lies close to an end of
/// the range of `x`, so the bisection runs over the distance from that end.
pub(super) fn with_mean(support: &[f64], shares: &[f64], target: f64) -> Option<Vec<f64>> {
    let least = support.iter().copied().fold(f64::INFINITY, f64::min);
    let most = support.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    // Also rejects NaN.
    if !(least < target && target < most) {
        return None;
    }
    let (mean, _) = moments(support, shares);
    let end = if mean > target { 1.0 / (target - least) } else { 1.0 / (most - target) };
    let divisor = |value: f64, distance: f64| {
        if mean > target {
            (value - least) * end + distance * (target - value)
        } else {
            (most - value) * end + distance * (value - target)
        }
    };
    let excess = |distance: f64| -> f64 {
        let terms = support.iter().zip(shares);
        let sum: f64 = terms.map(|(&value, share)| share * (value - target) / divisor(value, distance)).sum();
        if mean > target { sum } else { -sum }
    };
    // At distance `end` x is 0 and the excess positive; at distance 0 it is minus infinity.
    let (mut near, mut far) = (end * 1e-60, end);
    for _ in 0..400 {
        let middle = if far > 2.0 * near { near.sqrt() * far.sqrt() } else { near + (far - near) / 2.0 };
        if middle <= near || middle >= far {
            break;
        }
        if excess(middle) > 0.0 { far = middle } else { near = middle }
    }
    let fitted: Vec<f64> = support.iter().zip(shares).map(|(&value, share)| share / divisor(value, far)).collect();
    let sum: f64 = fitted.iter().sum();
    Some(fitted.iter().map(|share| share / sum).collect())
}

/// The most likely distribution whose mean lies `spreads` standard deviations above one half. A fixed-point iteration:
/// each step transforms the support so that the condition becomes one on a mean.
pub(super) fn with_spread(support: &[f64], shares: &[f64], spreads: f64) -> Vec<f64> {
    let mut fitted = vec![1.0 / shares.len() as f64; shares.len()];
    for _ in 0..100 {
        let (mean, variance) = moments(support, &fitted);
        let sigma = variance.sqrt();
        let bent: Vec<f64> = support
            .iter()
            .map(|value| value - 0.5 - spreads * sigma * (1.0 + ((mean - value) / sigma).powi(2)) / 2.0)
            .collect();
        let Some(next) = with_mean(&bent, shares, 0.0) else { break };
        let moved = fitted.iter().zip(&next).map(|(old, new)| (old - new).abs()).fold(0.0, f64::max);
        fitted = next;
        if moved < 1e-9 {
            break;
        }
    }
    fitted
}

#[cfg(test)]
mod tests {
    use super::*;

    const FIVE: [f64; 5] = [0.0, 0.25, 0.5, 0.75, 1.0];

    /// Shares of every shape, some of them minute.
    fn shapes() -> impl Iterator<Item = Vec<f64>> {
        (0..243u32).map(|code| {
            let weights: Vec<f64> = (0..5).map(|at| [1e-9, 1.0, 40.0][(code / 3u32.pow(at) % 3) as usize]).collect();
            let sum: f64 = weights.iter().sum();
            weights.iter().map(|weight| weight / sum).collect()
        })
    }

    #[test]
    fn the_mean_is_the_one_asked_for() {
        for shares in shapes() {
            for target in [0.02, 0.3, 0.5, 0.51, 0.9] {
                let fitted = with_mean(&FIVE, &shares, target).expect("within the support");
                let (mean, _) = moments(&FIVE, &fitted);
                assert!((mean - target).abs() < 1e-9, "{shares:?}: {mean}, not {target}");
            }
        }
        assert_eq!(with_mean(&FIVE, &[0.2; 5], 1.0), None);
        assert_eq!(with_mean(&FIVE, &[0.2; 5], f64::NAN), None);
    }

    #[test]
    fn the_spread_is_the_one_asked_for() {
        for shares in shapes() {
            for spreads in [-0.05, 0.0, 0.02, 0.1] {
                let (mean, variance) = moments(&FIVE, &with_spread(&FIVE, &shares, spreads));
                let found = (mean - 0.5) / variance.sqrt();
                assert!((found - spreads).abs() < 1e-6, "{shares:?}: {found}, not {spreads}");
            }
        }
    }

    #[test]
    fn what_was_seen_is_likeliest_where_it_fits() {
        for shares in shapes() {
            let (mean, variance) = moments(&FIVE, &shares);
            let same = |fitted: Vec<f64>| fitted.iter().zip(&shares).all(|(one, other)| (one - other).abs() < 1e-6);
            assert!(with_mean(&FIVE, &shares, mean).is_none_or(same), "{shares:?}");
            if (mean - 0.5).abs() < 0.2 * variance.sqrt() {
                assert!(same(with_spread(&FIVE, &shares, (mean - 0.5) / variance.sqrt())), "{shares:?}");
            }
        }
    }
}
