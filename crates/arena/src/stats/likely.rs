//! The likeliest distribution under a hypothesis, given what was seen.

use super::counts::moments;

/// The likeliest distribution with mean `target` on `support`, given `shares` seen there, none of them 0. `None`
/// when no distribution has that mean.
///
/// It is `shares / (1 + x (support - target))`, `x` chosen to give the mean. What matters happens close to the
/// ends of the range of `x`, so the search runs over the distance from the end on whose side the root lies.
pub(super) fn with_mean(support: &[f64], shares: &[f64], target: f64) -> Option<Vec<f64>> {
    let least = support.iter().copied().fold(f64::INFINITY, f64::min);
    let most = support.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    // Also refuses what is no number.
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
    let likely: Vec<f64> =
        support.iter().zip(shares).map(|(&value, share)| share / divisor(value, far)).collect();
    let sum: f64 = likely.iter().sum();
    Some(likely.iter().map(|share| share / sum).collect())
}

/// The likeliest distribution whose mean lies `spreads` standard deviations above one half. Settles in a few
/// rounds, each of which bends the support so that the condition becomes one on a mean.
pub(super) fn with_spread(support: &[f64], shares: &[f64], spreads: f64) -> Vec<f64> {
    let mut likely = vec![1.0 / shares.len() as f64; shares.len()];
    for _ in 0..100 {
        let (mean, variance) = moments(support, &likely);
        let sigma = variance.sqrt();
        let bent: Vec<f64> = support
            .iter()
            .map(|value| value - 0.5 - spreads * sigma * (1.0 + ((mean - value) / sigma).powi(2)) / 2.0)
            .collect();
        let Some(next) = with_mean(&bent, shares, 0.0) else { break };
        let moved = likely.iter().zip(&next).map(|(old, new)| (old - new).abs()).fold(0.0, f64::max);
        likely = next;
        if moved < 1e-9 {
            break;
        }
    }
    likely
}
