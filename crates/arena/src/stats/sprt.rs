//! The sequential probability ratio test (SPRT), generalised to normalised Elo and pairs of games.

use std::cmp::Ordering;
use std::f64::consts::{LN_10, SQRT_2};
use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::likelihood::{with_mean, with_spread};
use super::{ResultCounts, expected_score};

/// The unit of the bounds of a test.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum SprtModel {
    /// Normalised Elo: the length of a test does not depend on the draw rate.
    #[default]
    Normalised,
    /// Logistic Elo, as in rating lists.
    Logistic,
}

impl SprtModel {
    /// Both models.
    pub const ALL: [SprtModel; 2] = [SprtModel::Normalised, SprtModel::Logistic];
}

/// The verdict of a test.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum SprtVerdict {
    /// The difference is not above the lower bound.
    H0,
    /// The difference is not below the upper bound.
    H1,
    /// More games are needed.
    Inconclusive,
}

/// A test of the hypotheses `elo0` and `elo1`.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Sprt {
    elo0: f64,
    elo1: f64,
    alpha: f64,
    beta: f64,
    model: SprtModel,
}

/// Invalid settings of a test.
#[derive(Clone, Copy, PartialEq, Debug, Error)]
pub enum SprtError {
    /// The hypotheses are not in ascending order.
    #[error("SPRT bounds [{0}, {1}]: the first must be below the second")]
    Order(f64, f64),
    /// A hypothesis is out of range.
    #[error("SPRT bound {0}: bounds lie between -{LIMIT} and {LIMIT} Elo")]
    Far(f64),
    /// The error rates are out of range.
    #[error("SPRT errors alpha {0}, beta {1}: both must be above 0, and their sum below 1")]
    Rates(f64, f64),
}

/// The largest bound.
const LIMIT: f64 = 200.0;

/// The smallest error rate.
const LEAST_RATE: f64 = 1e-12;

impl Default for Sprt {
    /// [0, 5] normalised with errors of 5 %.
    fn default() -> Sprt {
        Sprt { elo0: 0.0, elo1: 5.0, alpha: 0.05, beta: 0.05, model: SprtModel::Normalised }
    }
}

impl Sprt {
    /// A test of `elo0` against `elo1`, wrong with probability `alpha` when `elo0` is true and `beta` when `elo1`
    /// is.
    pub fn new(elo0: f64, elo1: f64, alpha: f64, beta: f64, model: SprtModel) -> Result<Sprt, SprtError> {
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

    /// The unit of the hypotheses.
    pub fn model(&self) -> SprtModel {
        self.model
    }

    /// At or below the first value of the log-likelihood ratio H0 is accepted, at or above the second H1.
    pub fn bounds(&self) -> (f64, f64) {
        ((self.beta / (1.0 - self.alpha)).ln(), ((1.0 - self.beta) / self.alpha).ln())
    }

    /// The log-likelihood ratio of the hypotheses, given a [`MatchScore`](super::MatchScore) or [`Pentanomial`](super::Pentanomial).
    pub fn llr(&self, counts: impl Into<ResultCounts>) -> f64 {
        let counts = counts.into();
        if counts.observations() == 0 {
            return 0.0;
        }
        let seen = counts.distribution();
        let under = |elo: f64| match self.model {
            SprtModel::Logistic => {
                with_mean(seen.support, &seen.shares, expected_score(elo)).unwrap_or_else(|| seen.shares.clone())
            }
            SprtModel::Normalised => {
                let pairing = if seen.games > 1.0 { SQRT_2 } else { 1.0 };
                with_spread(seen.support, &seen.shares, elo * LN_10 / 800.0 * pairing)
            }
        };
        let (null, other) = (under(self.elo0), under(self.elo1));
        let ratio = seen.shares.iter().zip(&null).zip(&other);
        seen.weight * ratio.map(|((share, null), other)| share * (other / null).ln()).sum::<f64>()
    }

    /// The verdict, given the results so far.
    pub fn verdict(&self, counts: impl Into<ResultCounts>) -> SprtVerdict {
        let (lower, upper) = self.bounds();
        match self.llr(counts) {
            llr if llr <= lower => SprtVerdict::H0,
            llr if llr >= upper => SprtVerdict::H1,
            _ => SprtVerdict::Inconclusive,
        }
    }

    /// The test and its state, as they are reported.
    pub fn report(&self, counts: impl Into<ResultCounts>) -> SprtReport {
        let counts = counts.into();
        let (lower, upper) = self.bounds();
        SprtReport {
            model: self.model,
            elo0: self.elo0,
            elo1: self.elo1,
            alpha: self.alpha,
            beta: self.beta,
            lower,
            upper,
            llr: self.llr(counts),
            verdict: self.verdict(counts).to_string(),
        }
    }
}

/// The state of a test, for JSON.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct SprtReport {
    /// The unit of the hypotheses.
    pub model: SprtModel,
    /// H0.
    pub elo0: f64,
    /// H1.
    pub elo1: f64,
    /// The error rate under H0.
    pub alpha: f64,
    /// The error rate under H1.
    pub beta: f64,
    /// At or below this log-likelihood ratio H0 is accepted.
    pub lower: f64,
    /// At or above this log-likelihood ratio H1 is accepted.
    pub upper: f64,
    /// The log-likelihood ratio.
    pub llr: f64,
    /// `H0`, `H1` or `inconclusive`.
    pub verdict: String,
}

impl FromStr for SprtModel {
    type Err = String;

    fn from_str(text: &str) -> Result<SprtModel, String> {
        SprtModel::ALL.into_iter().find(|model| model.to_string() == text).ok_or_else(|| {
            let [one, other] = SprtModel::ALL;
            format!("write {one} or {other}")
        })
    }
}

impl fmt::Display for SprtModel {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(match self {
            SprtModel::Normalised => "normalised",
            SprtModel::Logistic => "logistic",
        })
    }
}

impl fmt::Display for SprtVerdict {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(match self {
            SprtVerdict::H0 => "H0",
            SprtVerdict::H1 => "H1",
            SprtVerdict::Inconclusive => "inconclusive",
        })
    }
}

impl fmt::Display for Sprt {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Sprt { elo0, elo1, alpha, beta, model } = self;
        write!(out, "SPRT [{elo0}, {elo1}] {model}, alpha {alpha}, beta {beta}")
    }
}
