//! Logarithm and exponential by plain arithmetic. System libraries differ in the last bit, which is enough to grow
//! another tree from the same seed.

use std::f64::consts::{LN_2, SQRT_2};

/// e to the power of `x`; 0 or infinity outside of the range of `f64`.
pub(super) fn exp(x: f64) -> f64 {
    const LARGEST: f64 = 709.0;
    match x {
        x if x > LARGEST => return f64::INFINITY,
        x if x < -LARGEST => return 0.0,
        _ => {}
    }
    // e^x = 2^n · e^rest with |rest| ≤ ln 2 / 2, where the series is short.
    let n = (x / LN_2).round();
    let rest = x - n * LN_2;
    let series = (1..=14).rev().fold(1.0, |sum, k| 1.0 + sum * rest / f64::from(k));
    series * f64::from_bits(((n as i64 + 1023) as u64) << 52)
}

/// The natural logarithm of a positive normal number.
pub(super) fn ln(x: f64) -> f64 {
    let bits = x.to_bits();
    let mut n = (bits >> 52) as i64 - 1023;
    let mut part = f64::from_bits(bits & ((1 << 52) - 1) | 1023 << 52);
    if part > SQRT_2 {
        part /= 2.0;
        n += 1;
    }
    // ln p = 2·artanh((p − 1) / (p + 1))
    let s = (part - 1.0) / (part + 1.0);
    let square = s * s;
    let series = (0..11).rev().fold(0.0, |sum, k| sum * square + 1.0 / f64::from(2 * k + 1));
    n as f64 * LN_2 + 2.0 * s * series
}

/// The natural logarithm of a visit count, to three digits: fast, and exact enough for exploration.
#[inline]
pub(super) fn ln_of_count(count: u32) -> f32 {
    let bits = (count as f32).to_bits();
    let n = (bits >> 23) as i32 - 127;
    let part = f32::from_bits(bits & ((1 << 23) - 1) | 127 << 23);
    // The best cubic approximation of log2 that is exact at 1 and 2.
    let log2 = ((0.151_703_6 * part - 1.026_814_4) * part + 3.018_518) * part - 2.143_407;
    (n as f32 + log2) * std::f32::consts::LN_2
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exp_and_ln_agree_with_the_system() {
        for step in -4000..=4000 {
            let x = f64::from(step) / 100.0;
            assert!((exp(x) / x.exp() - 1.0).abs() < 1e-14, "exp {x}");
            let y = x.exp();
            assert!((ln(y) - y.ln()).abs() < 1e-14 * x.abs().max(1.0), "ln {y}");
        }
        for count in (1..5000).chain([1 << 20, u32::MAX]) {
            let error = f64::from(ln_of_count(count)) - f64::from(count).ln();
            assert!(error.abs() < 1e-3, "{count}: {error}");
        }
        assert_eq!((exp(1e9), exp(-1e9), exp(0.0), ln(1.0)), (f64::INFINITY, 0.0, 1.0, 0.0));
    }
}
