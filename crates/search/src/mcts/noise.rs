//! Root noise: a sample of the symmetric Dirichlet distribution, mixed into the priors of the root (AlphaZero).

use super::math::{exp, ln};
use crate::Rng;

/// Shares of `count` moves that sum to 1. The smaller `alpha`, the fewer moves get most of it.
pub(super) fn dirichlet(count: usize, alpha: f64, rng: &mut Rng) -> Vec<f32> {
    let draws: Vec<f64> = (0..count).map(|_| gamma(alpha, rng)).collect();
    let sum: f64 = draws.iter().sum();
    if sum > 0.0 {
        draws.into_iter().map(|draw| (draw / sum) as f32).collect()
    } else {
        vec![1.0 / count.max(1) as f32; count]
    }
}

/// A sample of the gamma distribution with scale 1 (Marsaglia and Tsang, 2000).
fn gamma(alpha: f64, rng: &mut Rng) -> f64 {
    if alpha < 1.0 {
        return gamma(alpha + 1.0, rng) * exp(ln(positive(rng)) / alpha);
    }
    let d = alpha - 1.0 / 3.0;
    let c = 1.0 / (9.0 * d).sqrt();
    loop {
        let x = normal(rng);
        let root = 1.0 + c * x;
        if root <= 0.0 {
            continue;
        }
        let v = root * root * root;
        if ln(positive(rng)) < 0.5 * x * x + d * (1.0 - v + ln(v)) {
            return d * v;
        }
    }
}

/// A sample of the normal distribution (Marsaglia's polar method).
fn normal(rng: &mut Rng) -> f64 {
    loop {
        let (x, y) = (2.0 * rng.unit() - 1.0, 2.0 * rng.unit() - 1.0);
        let square = x * x + y * y;
        if square > 0.0 && square < 1.0 {
            return x * (-2.0 * ln(square) / square).sqrt();
        }
    }
}

/// A number from 0 (exclusive) to 1.
fn positive(rng: &mut Rng) -> f64 {
    1.0 - rng.unit()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mean_and_variance_are_those_of_the_distribution() {
        let mut rng = Rng::new(5);
        for (count, alpha) in [(2, 0.5), (4, 2.0), (80, 0.125)] {
            let (mut sum, mut squares, samples) = (0.0, 0.0, 20_000);
            for _ in 0..samples {
                let shares = dirichlet(count, alpha, &mut rng);
                let whole: f32 = shares.iter().sum();
                assert!((whole - 1.0).abs() < 1e-4 && shares.iter().all(|share| *share >= 0.0), "{shares:?}");
                sum += f64::from(shares[0]);
                squares += f64::from(shares[0]).powi(2);
            }
            let (mean, whole) = (1.0 / count as f64, alpha * count as f64);
            let variance = mean * (1.0 - mean) / (whole + 1.0);
            let found = sum / f64::from(samples);
            let spread = squares / f64::from(samples) - found * found;
            assert!((found / mean - 1.0).abs() < 0.1, "{count} {alpha}: mean {found}");
            assert!((spread / variance - 1.0).abs() < 0.15, "{count} {alpha}: variance {spread} of {variance}");
        }
    }

    #[test]
    fn odd_sizes_are_survived() {
        let mut rng = Rng::new(1);
        assert!(dirichlet(0, 1.0, &mut rng).is_empty());
        assert_eq!(dirichlet(1, 0.3, &mut rng), [1.0]);
        // The draws vanish: everybody gets the same.
        let even = dirichlet(4, 1e-4, &mut rng);
        assert!((even.iter().sum::<f32>() - 1.0).abs() < 1e-4);
    }
}
