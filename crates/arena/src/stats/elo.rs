//! The Elo difference of two players with its error.

use std::f64::consts::LN_10;
use std::fmt;

use serde::{Deserialize, Serialize};

use super::{NINETY_FIVE, ResultCounts, phi};

/// Scores are clamped this far from 0 and 1, where Elo is infinite.
const EDGE: f64 = 1e-3;

/// With fewer decisive observations the estimated variance is meaningless.
const FEW: u64 = 4;

/// The difference of two players, positive when the first is stronger. Every figure is finite; [`Estimate::warning`]
/// says when they mean little.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Estimate {
    /// The results it is based on.
    pub counts: ResultCounts,
    /// The mean score of an observation, from 0 to 1.
    pub mean: f64,
    /// The variance of one observation.
    pub variance: f64,
    /// The standard error of the mean.
    pub error: f64,
    /// The difference in Elo.
    pub elo: f64,
    /// The lower end of the 95 % interval.
    pub low: f64,
    /// The upper end of the 95 % interval.
    pub high: f64,
    /// Whether the mean was clamped, so that `elo` is only a bound.
    pub clamped: bool,
    /// The likelihood that the first player is stronger.
    pub los: f64,
    /// The difference in normalised Elo: in units of the standard deviation of a game.
    pub nelo: f64,
    /// Half the width of the 95 % interval of `nelo`.
    pub nelo_error: f64,
}

/// Why the figures of an estimate mean little.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum EstimateWarning {
    /// There are no games.
    NoGames,
    /// There are too few decisive games.
    FewDecisive,
}

impl Estimate {
    /// Estimates from a [`MatchScore`](super::MatchScore) or from [`Pentanomial`](super::Pentanomial).
    pub fn of(counts: impl Into<ResultCounts>) -> Estimate {
        let counts = counts.into();
        let distribution = counts.distribution();
        let (above, variance) = distribution.moments();
        let error = (variance / distribution.weight).sqrt();
        let normal = 800.0 / LN_10;
        Estimate {
            counts,
            mean: 0.5 + above,
            variance,
            error,
            elo: elo(above),
            low: elo(above - NINETY_FIVE * error),
            high: elo(above + NINETY_FIVE * error),
            clamped: above.abs() > 0.5 - EDGE,
            los: phi(above / error),
            nelo: above / (distribution.games * variance).sqrt() * normal,
            nelo_error: NINETY_FIVE * normal / (distribution.games * distribution.weight).sqrt(),
        }
    }

    /// Half the width of the 95 % interval.
    pub fn half_width(&self) -> f64 {
        (self.high - self.low) / 2.0
    }

    /// Whether "±" would mislead: the error exceeds the estimate, or the interval is clearly asymmetric.
    pub fn asymmetric(&self) -> bool {
        let (below, above) = (self.elo - self.low, self.high - self.elo);
        self.half_width() > self.elo.abs() || (above - below).abs() > 0.1 * self.half_width()
    }

    /// The warning, if the figures mean little.
    pub fn warning(&self) -> Option<EstimateWarning> {
        match (self.counts.observations(), self.counts.decisive()) {
            (0, _) => Some(EstimateWarning::NoGames),
            (_, decisive) if decisive < FEW => Some(EstimateWarning::FewDecisive),
            _ => None,
        }
    }

    /// The figures as they are reported.
    pub fn report(&self) -> EstimateReport {
        let (observations, text) = (self.counts.observations(), self.to_string());
        if self.warning() == Some(EstimateWarning::NoGames) {
            return EstimateReport::Empty { observations, elo: None, low: None, high: None, text };
        }
        EstimateReport::Full {
            observations,
            mean: self.mean,
            variance: self.variance,
            elo: self.elo,
            low: self.low,
            high: self.high,
            half_width: self.half_width(),
            clamped: self.clamped,
            los: self.los,
            nelo: self.nelo,
            nelo_error: self.nelo_error,
            doubt: self.warning().map(|warning| warning.to_string()),
            text,
        }
    }
}

/// The figures of an [`Estimate`], for JSON.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(untagged)]
#[expect(missing_docs, reason = "the fields are those of `Estimate`")]
pub enum EstimateReport {
    /// With games.
    Full {
        observations: u64,
        mean: f64,
        variance: f64,
        elo: f64,
        low: f64,
        high: f64,
        half_width: f64,
        clamped: bool,
        los: f64,
        nelo: f64,
        nelo_error: f64,
        doubt: Option<String>,
        text: String,
    },
    /// Without games.
    Empty { observations: u64, elo: Option<f64>, low: Option<f64>, high: Option<f64>, text: String },
}

impl fmt::Display for EstimateWarning {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(match self {
            EstimateWarning::NoGames => "no games",
            EstimateWarning::FewDecisive => "too few decisive games",
        })
    }
}

/// `+10.6 ± 9.2`, or the interval where that would mislead, or the warning.
impl fmt::Display for Estimate {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(warning) = self.warning() {
            return warning.fmt(out);
        }
        let (elo, low, high) = (signed(self.elo), signed(self.low), signed(self.high));
        match self.clamped {
            true if self.elo > 0.0 => write!(out, "above {low}"),
            true => write!(out, "below {high}"),
            false if self.asymmetric() => write!(out, "{elo} [{low}, {high}]"),
            false => write!(out, "{elo} ± {:.1}", self.half_width()),
        }
    }
}

/// One decimal with its sign; zero has none.
pub(super) fn signed(value: f64) -> String {
    let text = format!("{value:+.1}");
    if text == "-0.0" || text == "+0.0" { "0.0".into() } else { text }
}

/// The Elo difference of a mean score this much above one half.
fn elo(above: f64) -> f64 {
    let lead = 2.0 * above.clamp(EDGE - 0.5, 0.5 - EDGE);
    400.0 / LN_10 * (lead.ln_1p() - (-lead).ln_1p())
}
