//! When a new evaluation takes the place of the best one.

use serde::{Deserialize, Serialize};

use crate::JobError;

/// When a candidate is accepted.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
#[serde(tag = "rule", rename_all = "lowercase")]
pub enum GateRule {
    /// Always; no match is played.
    Open,
    /// With this share of the points of a match of a fixed number of games.
    Score {
        /// Games.
        games: u32,
        /// The least share of the points.
        least: f64,
    },
    /// When a sequential test says that it is stronger.
    Sprt(GateSprt),
}

/// A sequential test as a gate. A test without a verdict after all games does not accept.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct GateSprt {
    /// Games at most.
    pub games: u32,
    /// H0: the candidate is at most this much stronger.
    pub elo0: f64,
    /// H1: the candidate is at least this much stronger.
    pub elo1: f64,
    /// The probability of accepting a candidate although H0 holds.
    pub alpha: f64,
    /// The probability of rejecting a candidate although H1 holds.
    pub beta: f64,
}

/// The score of a candidate against the best evaluation before it.
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct GateScore {
    /// Games won.
    pub wins: u64,
    /// Games drawn.
    pub draws: u64,
    /// Games lost.
    pub losses: u64,
    /// The log-likelihood ratio of a sequential test.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub llr: Option<f64>,
    /// The verdict of a sequential test: whether H1 holds. `None` without a test, or when the games did not suffice.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub is_stronger: Option<bool>,
}

impl GateScore {
    /// All games.
    pub fn games(&self) -> u64 {
        self.wins + self.draws + self.losses
    }

    /// The share of the points; a half without games.
    pub fn share(&self) -> f64 {
        match self.games() {
            0 => 0.5,
            games => (self.wins as f64 + self.draws as f64 / 2.0) / games as f64,
        }
    }
}

impl GateRule {
    /// Games at most.
    pub fn games(&self) -> u32 {
        match self {
            GateRule::Open => 0,
            GateRule::Score { games, .. } | GateRule::Sprt(GateSprt { games, .. }) => *games,
        }
    }

    /// Whether a candidate with this score is accepted.
    pub fn accepts(&self, score: &GateScore) -> bool {
        match self {
            GateRule::Open => true,
            GateRule::Score { least, .. } => score.games() > 0 && score.share() >= *least,
            GateRule::Sprt(_) => score.is_stronger == Some(true),
        }
    }

    /// Refuses a rule that no match can fulfil.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn check(&self) -> Result<(), JobError> {
        let wrong = |message: String| Err(JobError::field("gate", message));
        match *self {
            GateRule::Open => Ok(()),
            GateRule::Score { games, .. } | GateRule::Sprt(GateSprt { games, .. }) if games < 2 => {
                wrong(format!("{games} games: each opening is played twice, so a match has at least 2"))
            }
            GateRule::Score { least, .. } if !(0.0..=1.0).contains(&least) => {
                wrong(format!("{least}: a share of the points is between 0 and 1"))
            }
            GateRule::Sprt(GateSprt { elo0, elo1, .. }) if elo0 >= elo1 => {
                wrong(format!("{elo0}:{elo1}: the first bound is the smaller one, such as 0:50"))
            }
            GateRule::Score { .. } | GateRule::Sprt(_) => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn score(wins: u64, draws: u64, losses: u64, is_stronger: Option<bool>) -> GateScore {
        GateScore { wins, draws, losses, llr: None, is_stronger }
    }

    #[test]
    fn a_candidate_passes_by_its_points_or_by_the_test() {
        let by_score = GateRule::Score { games: 20, least: 0.55 };
        assert!(by_score.accepts(&score(11, 0, 9, None)) && by_score.accepts(&score(2, 18, 0, None)));
        assert!(!by_score.accepts(&score(10, 1, 9, None)));
        assert!(!by_score.accepts(&GateScore::default()), "a match that was not played proves nothing");
        let sprt = GateRule::Sprt(GateSprt { games: 100, elo0: 0.0, elo1: 50.0, alpha: 0.05, beta: 0.05 });
        assert!(sprt.accepts(&score(9, 1, 2, Some(true))));
        assert!(!sprt.accepts(&score(60, 0, 40, None)) && !sprt.accepts(&score(60, 0, 40, Some(false))));
        assert!(GateRule::Open.accepts(&GateScore::default()));
        assert_eq!((by_score.games(), sprt.games(), GateRule::Open.games()), (20, 100, 0));
    }

    #[test]
    fn impossible_rules_are_refused() {
        let sprt = |games, elo0, elo1| GateRule::Sprt(GateSprt { games, elo0, elo1, alpha: 0.05, beta: 0.05 }).check();
        assert!(sprt(2, 0.0, 10.0).is_ok() && sprt(1, 0.0, 10.0).is_err() && sprt(2, 10.0, 10.0).is_err());
        assert!(GateRule::Score { games: 2, least: 1.5 }.check().is_err());
        assert!(GateRule::Score { games: 0, least: 0.5 }.check().is_err() && GateRule::Open.check().is_ok());
    }
}
