//! The normal distribution, as far as error bars need it.

/// Standard errors to either side that cover 95 %.
pub const NINETY_FIVE: f64 = 1.959_964;

/// The share of a normal distribution below `x` standard errors.
pub fn phi(x: f64) -> f64 {
    libm::erfc(-x / std::f64::consts::SQRT_2) / 2.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_shares() {
        assert_eq!(phi(0.0), 0.5);
        assert!((phi(NINETY_FIVE) - 0.975).abs() < 1e-8);
        assert!((phi(-1.0) - 0.158_655_253_931_457).abs() < 1e-14);
        assert_eq!((phi(f64::MAX), phi(f64::MIN)), (1.0, 0.0));
        assert!(phi(-10.0) > 0.0, "small shares do not vanish by rounding");
    }
}
