//! The sequential probability ratio test: play until one of two hypotheses is unlikely enough.

use std::cmp::Ordering;
use std::f64::consts::{LN_10, SQRT_2};
use std::fmt;

use serde_json::{Value, json};
use thiserror::Error;

use super::likely::{with_mean, with_spread};
use super::{Counts, expected_score};

/// What the bounds of a test are measured in. The same number means different things: say which.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Model {
    /// Normalised Elo: the same number of games whatever the share of draws.
    #[default]
    Normalised,
    /// Logistic Elo: what rating lists show.
    Logistic,
}

/// Where a test stands.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Verdict {
    /// The difference is not above the lower bound.
    H0,
    /// The difference is not below the upper bound.
    H1,
    /// More games are needed.
    Inconclusive,
}

/// A test whether a difference is rather `elo0` or `elo1`.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Sprt {
    elo0: f64,
    elo1: f64,
    alpha: f64,
    beta: f64,
    model: Model,
}

/// A test that cannot be made.
#[derive(Clone, Copy, PartialEq, Debug, Error)]
pub enum SprtError {
    /// The hypotheses are the wrong way round, or one is no number.
    #[error("SPRT bounds [{0}, {1}]: the first must be below the second")]
    Order(f64, f64),
    /// A hypothesis far from anything worth testing.
    #[error("SPRT bound {0}: bounds lie between -{LIMIT} and {LIMIT} Elo")]
    Far(f64),
    /// Error rates that no test can have.
    #[error("SPRT errors alpha {0}, beta {1}: both must be above 0, and their sum below 1")]
    Rates(f64, f64),
}

/// Bounds beyond this need no sequential test.
const LIMIT: f64 = 200.0;

/// Error rates below this have bounds that no match reaches.
const LEAST_RATE: f64 = 1e-12;

impl Default for Sprt {
    /// [0, 5] normalised with errors of 5 %.
    fn default() -> Sprt {
        Sprt { elo0: 0.0, elo1: 5.0, alpha: 0.05, beta: 0.05, model: Model::Normalised }
    }
}

impl Sprt {
    /// A test of `elo0` against `elo1`, wrong with probability `alpha` when `elo0` is true and `beta` when `elo1`
    /// is.
    pub fn new(elo0: f64, elo1: f64, alpha: f64, beta: f64, model: Model) -> Result<Sprt, SprtError> {
        if elo0.partial_cmp(&elo1) != Some(Ordering::Less) {
            return Err(SprtError::Order(elo0, elo1));
        }
        if let Some(far) = [elo0, elo1].into_iter().find(|elo| elo.abs() > LIMIT) {
            return Err(SprtError::Far(far));
        }
        if !(alpha >= LEAST_RATE && beta >= LEAST_RATE && alpha + beta < 1.0) {
            return Err(SprtError::Rates(alpha, beta));
        }
        Ok(Sprt { elo0, elo1, alpha, beta, model })
    }

    /// The two hypotheses, in Elo of the model.
    pub fn hypotheses(&self) -> (f64, f64) {
        (self.elo0, self.elo1)
    }

    /// The two error rates.
    pub fn rates(&self) -> (f64, f64) {
        (self.alpha, self.beta)
    }

    /// What the hypotheses are measured in.
    pub fn model(&self) -> Model {
        self.model
    }

    /// At or below the first value of the log-likelihood ratio H0 is accepted, at or above the second H1.
    pub fn bounds(&self) -> (f64, f64) {
        ((self.beta / (1.0 - self.alpha)).ln(), ((1.0 - self.beta) / self.alpha).ln())
    }

    /// The log-likelihood ratio of the hypotheses, given a [`Score`](super::Score) or [`Pairs`](super::Pairs).
    pub fn llr(&self, counts: impl Into<Counts>) -> f64 {
        let counts = counts.into();
        if counts.observations() == 0 {
            return 0.0;
        }
        let seen = counts.distribution();
        let under = |elo: f64| match self.model {
            Model::Logistic => with_mean(seen.support, &seen.shares, expected_score(elo))
                .unwrap_or_else(|| seen.shares.clone()),
            Model::Normalised => {
                let pairing = if seen.games > 1.0 { SQRT_2 } else { 1.0 };
                with_spread(seen.support, &seen.shares, elo * LN_10 / 800.0 * pairing)
            }
        };
        let (null, other) = (under(self.elo0), under(self.elo1));
        let ratio = seen.shares.iter().zip(&null).zip(&other);
        seen.weight * ratio.map(|((share, null), other)| share * (other / null).ln()).sum::<f64>()
    }

    /// Where the test stands.
    pub fn verdict(&self, counts: impl Into<Counts>) -> Verdict {
        let (lower, upper) = self.bounds();
        match self.llr(counts) {
            llr if llr <= lower => Verdict::H0,
            llr if llr >= upper => Verdict::H1,
            _ => Verdict::Inconclusive,
        }
    }

    /// The test and where it stands.
    pub fn json(&self, counts: impl Into<Counts>) -> Value {
        let counts = counts.into();
        let (lower, upper) = self.bounds();
        json!({
            "model": self.model.to_string(),
            "elo0": self.elo0,
            "elo1": self.elo1,
            "alpha": self.alpha,
            "beta": self.beta,
            "lower": lower,
            "upper": upper,
            "llr": self.llr(counts),
            "verdict": self.verdict(counts).to_string(),
        })
    }
}

impl fmt::Display for Model {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(match self {
            Model::Normalised => "normalised",
            Model::Logistic => "logistic",
        })
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(match self {
            Verdict::H0 => "H0",
            Verdict::H1 => "H1",
            Verdict::Inconclusive => "inconclusive",
        })
    }
}

impl fmt::Display for Sprt {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Sprt { elo0, elo1, alpha, beta, model } = self;
        write!(out, "SPRT [{elo0}, {elo1}] {model}, alpha {alpha}, beta {beta}")
    }
}
