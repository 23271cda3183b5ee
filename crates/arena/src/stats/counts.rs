//! Results as a distribution over the score of one observation.

use super::{MatchScore, Pentanomial};

/// Results of one player, game by game or pair by pair.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ResultCounts {
    /// Single games: three outcomes.
    Games(MatchScore),
    /// Pairs of games: five outcomes.
    Pairs(Pentanomial),
}

/// Shares of the possible results, none of them zero.
#[derive(Clone, Debug)]
pub(super) struct Distribution {
    /// The possible scores, from 0 to 1.
    pub(super) support: &'static [f64],
    /// The share of each.
    pub(super) shares: Vec<f64>,
    /// The number of observations, as a weight.
    pub(super) weight: f64,
    /// Games in one observation.
    pub(super) games: f64,
}

/// Replaces an empty count, to avoid division by zero.
const EMPTY: f64 = 1e-3;

impl ResultCounts {
    /// Games, or pairs.
    pub fn observations(&self) -> u64 {
        match self {
            ResultCounts::Games(score) => score.games(),
            ResultCounts::Pairs(pairs) => pairs.pairs(),
        }
    }

    /// Decisive observations: games that were not drawn, pairs that were not shared evenly.
    pub fn decisive(&self) -> u64 {
        match self {
            ResultCounts::Games(score) => score.wins.saturating_add(score.losses),
            ResultCounts::Pairs(pairs) => {
                let [none, half, _, more, two] = pairs.counts;
                [none, half, more, two].iter().fold(0, |sum, &count| sum.saturating_add(count))
            }
        }
    }

    pub(super) fn distribution(&self) -> Distribution {
        let (support, counts, games): (&'static [f64], Vec<u64>, f64) = match self {
            ResultCounts::Games(score) => (&[0.0, 0.5, 1.0], vec![score.losses, score.draws, score.wins], 1.0),
            ResultCounts::Pairs(pairs) => (&[0.0, 0.25, 0.5, 0.75, 1.0], pairs.counts.to_vec(), 2.0),
        };
        let counts: Vec<f64> = counts.iter().map(|&count| if count == 0 { EMPTY } else { count as f64 }).collect();
        let weight = counts.iter().sum();
        Distribution { support, shares: counts.iter().map(|count| count / weight).collect(), weight, games }
    }
}

impl Distribution {
    /// The mean score minus one half, and the variance. The half is subtracted first to keep the precision of a small
    /// advantage over many draws.
    pub(super) fn moments(&self) -> (f64, f64) {
        let above: Vec<f64> = self.support.iter().map(|value| value - 0.5).collect();
        moments(&above, &self.shares)
    }
}

/// Mean and variance of a distribution.
pub(super) fn moments(support: &[f64], shares: &[f64]) -> (f64, f64) {
    let mean: f64 = support.iter().zip(shares).map(|(value, share)| share * value).sum();
    let variance = support.iter().zip(shares).map(|(value, share)| share * (value - mean).powi(2)).sum();
    (mean, variance)
}

impl From<MatchScore> for ResultCounts {
    fn from(score: MatchScore) -> ResultCounts {
        ResultCounts::Games(score)
    }
}

impl From<Pentanomial> for ResultCounts {
    fn from(pairs: Pentanomial) -> ResultCounts {
        ResultCounts::Pairs(pairs)
    }
}
