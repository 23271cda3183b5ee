//! Playing strength from results: Elo, SPRT, ratings. Pure arithmetic on counts; every figure is finite for every input.
//!
//! The two games of an opening with colours swapped are one observation: prefer [`Pentanomial`] to [`MatchScore`]
//! wherever openings were played in pairs.

mod counts;
mod elo;
mod likelihood;
mod margins;
mod ratings;
mod score;
mod sprt;
mod summary;

pub use counts::ResultCounts;
pub use elo::{Estimate, EstimateReport, EstimateWarning};
pub use margins::Margins;
pub use ratings::{Difference, PoolError, Rating, RatingPool, RatingScale, RatingStatus, Ratings};
pub use score::{MatchScore, Pentanomial};
pub use sprt::{Sprt, SprtError, SprtModel, SprtReport, SprtVerdict};
pub use summary::{PairingGame, PairingReport, PairingSummary};

/// The expected score of a player that is `elo` stronger.
pub fn expected_score(elo: f64) -> f64 {
    1.0 / (1.0 + 10f64.powf(-elo / 400.0))
}

/// The 95 % interval of a normal distribution, in standard errors to either side.
pub const NINETY_FIVE: f64 = 1.959_964;

/// The cumulative standard normal distribution.
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
        assert!(phi(-10.0) > 0.0, "small probabilities do not round to zero");
    }
}
