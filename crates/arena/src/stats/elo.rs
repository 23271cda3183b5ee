//! How much stronger one player is, with an honest error.

use std::f64::consts::LN_10;
use std::fmt;

use serde_json::{Value, json};

use super::{Counts, NINETY_FIVE, phi};

/// Scores are cut here before they become Elo: a score of 1 would be infinitely strong.
const EDGE: f64 = 1e-3;

/// With fewer decisive observations the estimate of the variance, and with it every error bar, means nothing.
const FEW: u64 = 4;

/// What a set of results says about the difference of two players, positive when the first is stronger. Every
/// figure is finite; [`Estimate::doubt`] tells when they mean little.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Estimate {
    /// The results it rests on.
    pub counts: Counts,
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
    /// Whether the mean lies beyond what can be told as Elo, so that `elo` is only a bound.
    pub clamped: bool,
    /// The likelihood that the first player is stronger.
    pub los: f64,
    /// The difference in normalised Elo: in units of the spread of a game, not of its score.
    pub nelo: f64,
    /// Half the width of the 95 % interval of `nelo`.
    pub nelo_error: f64,
}

/// Why the figures of an estimate mean little.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Doubt {
    /// Nothing was played.
    NoGames,
    /// Almost everything was drawn or shared.
    FewDecisive,
}

impl Estimate {
    /// Estimates from a [`Score`](super::Score) or from [`Pairs`](super::Pairs).
    pub fn of(counts: impl Into<Counts>) -> Estimate {
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

    /// Whether "±" would hide something: the error exceeds the estimate, or one arm is clearly the longer.
    pub fn lopsided(&self) -> bool {
        let (below, above) = (self.elo - self.low, self.high - self.elo);
        self.half_width() > self.elo.abs() || (above - below).abs() > 0.1 * self.half_width()
    }

    /// Why the figures mean little, if they do.
    pub fn doubt(&self) -> Option<Doubt> {
        match (self.counts.observations(), self.counts.decisive()) {
            (0, _) => Some(Doubt::NoGames),
            (_, decisive) if decisive < FEW => Some(Doubt::FewDecisive),
            _ => None,
        }
    }

    /// All figures, and the sentence a reader should see. Without games the figures are `null`.
    pub fn json(&self) -> Value {
        if self.doubt() == Some(Doubt::NoGames) {
            return json!({"observations": 0, "elo": null, "low": null, "high": null, "text": self.to_string()});
        }
        json!({
            "observations": self.counts.observations(),
            "mean": self.mean,
            "variance": self.variance,
            "elo": self.elo,
            "low": self.low,
            "high": self.high,
            "half_width": self.half_width(),
            "clamped": self.clamped,
            "los": self.los,
            "nelo": self.nelo,
            "nelo_error": self.nelo_error,
            "doubt": self.doubt().map(|doubt| doubt.to_string()),
            "text": self.to_string(),
        })
    }
}

impl fmt::Display for Doubt {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(match self {
            Doubt::NoGames => "no games",
            Doubt::FewDecisive => "too few decisive games",
        })
    }
}

/// `+10.6 ± 9.2`, or the interval where that would mislead, or why there is nothing to say.
impl fmt::Display for Estimate {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(doubt) = self.doubt() {
            return doubt.fmt(out);
        }
        let (elo, low, high) = (signed(self.elo), signed(self.low), signed(self.high));
        match self.clamped {
            true if self.elo > 0.0 => write!(out, "above {low}"),
            true => write!(out, "below {high}"),
            false if self.lopsided() => write!(out, "{elo} [{low}, {high}]"),
            false => write!(out, "{elo} ± {:.1}", self.half_width()),
        }
    }
}

/// One decimal, with its sign, and nothing before a zero.
pub(super) fn signed(value: f64) -> String {
    let text = format!("{value:+.1}");
    if text == "-0.0" || text == "+0.0" { "0.0".into() } else { text }
}

/// The difference that explains a mean score this much above one half.
fn elo(above: f64) -> f64 {
    let lead = 2.0 * above.clamp(EDGE - 0.5, 0.5 - EDGE);
    400.0 / LN_10 * (lead.ln_1p() - (-lead).ln_1p())
}
