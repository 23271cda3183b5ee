//! A score or pairs as a distribution over what one observation can bring.

use super::{Pairs, Score};

/// Results of one player, game by game or pair by pair.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Counts {
    /// Single games: three outcomes.
    Games(Score),
    /// Pairs of games: five outcomes.
    Pairs(Pairs),
}

/// Shares of the possible results, none of them zero.
#[derive(Clone, Debug)]
pub(super) struct Distribution {
    /// What a result is worth, from 0 to 1.
    pub(super) support: &'static [f64],
    /// How often it happened, as a share.
    pub(super) shares: Vec<f64>,
    /// How many results there were, as a weight.
    pub(super) weight: f64,
    /// Games in one observation.
    pub(super) games: f64,
}

/// What takes the place of an empty count, so that nothing divides by zero.
const EMPTY: f64 = 1e-3;

impl Counts {
    /// Games, or pairs.
    pub fn observations(&self) -> u64 {
        match self {
            Counts::Games(score) => score.games(),
            Counts::Pairs(pairs) => pairs.pairs(),
        }
    }

    /// Observations that say who is stronger: games that were no draw, pairs that were not shared evenly.
    pub fn decisive(&self) -> u64 {
        match self {
            Counts::Games(score) => score.wins.saturating_add(score.losses),
            Counts::Pairs(pairs) => {
                let [none, half, _, more, two] = pairs.counts;
                [none, half, more, two].iter().fold(0, |sum, &count| sum.saturating_add(count))
            }
        }
    }

    pub(super) fn distribution(&self) -> Distribution {
        let (support, counts, games): (&'static [f64], Vec<u64>, f64) = match self {
            Counts::Games(score) => (&[0.0, 0.5, 1.0], vec![score.losses, score.draws, score.wins], 1.0),
            Counts::Pairs(pairs) => (&[0.0, 0.25, 0.5, 0.75, 1.0], pairs.counts.to_vec(), 2.0),
        };
        let counts: Vec<f64> =
            counts.iter().map(|&count| if count == 0 { EMPTY } else { count as f64 }).collect();
        let weight = counts.iter().sum();
        Distribution { support, shares: counts.iter().map(|count| count / weight).collect(), weight, games }
    }
}

impl Distribution {
    /// What one observation brings above one half, and its variance. The half is left out because a small
    /// advantage over many draws would drown in it.
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

impl From<Score> for Counts {
    fn from(score: Score) -> Counts {
        Counts::Games(score)
    }
}

impl From<Pairs> for Counts {
    fn from(pairs: Pairs) -> Counts {
        Counts::Pairs(pairs)
    }
}
