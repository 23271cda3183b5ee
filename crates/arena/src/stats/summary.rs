//! All figures of one pairing.

use serde::{Deserialize, Serialize};
use tesuji_game::{Outcome, counted, grouped};

use super::elo::signed;
use super::{Estimate, EstimateReport, Margins, MatchScore, Pentanomial, ResultCounts, Sprt, SprtReport, SprtVerdict};

/// One finished game of a pairing, from the point of view of the first player.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PairingGame {
    /// The result of the first player.
    pub outcome: Outcome,
    /// The pair it belongs to: the same opening with colours swapped. `None` for a single game.
    pub pair: Option<u64>,
    /// The margin of the first player, in games that have one.
    pub margin: Option<i32>,
}

/// The figures of the games of two players.
#[derive(Clone, PartialEq, Debug)]
pub struct PairingSummary {
    /// The player whose score it is.
    pub first: String,
    /// Its opponent.
    pub second: String,
    /// The score by games.
    pub score: MatchScore,
    /// The score by pairs.
    pub pairs: Pentanomial,
    /// The estimate from single games.
    pub by_games: Estimate,
    /// The estimate from complete pairs.
    pub by_pairs: Estimate,
    /// Margins, where the game has them.
    pub margins: Option<Margins>,
    /// The sequential test, its log-likelihood ratio and its verdict.
    pub sprt: Option<(Sprt, f64, SprtVerdict)>,
}

impl PairingSummary {
    /// Summarises games between two players. Duplicates must be removed before.
    pub fn of(first: &str, second: &str, games: &[PairingGame], sprt: Option<Sprt>) -> PairingSummary {
        // Single games get keys that no pair has.
        let keys = games.iter().enumerate().map(|(at, game)| game.pair.ok_or(at));
        let score: MatchScore = games.iter().map(|game| game.outcome).collect();
        let pairs = Pentanomial::gather(keys.clone().zip(games.iter().map(|game| game.outcome)));
        let counted: Vec<_> = keys.zip(games).filter_map(|(key, game)| Some((key, game.margin?))).collect();
        let mut summary = PairingSummary {
            first: first.to_owned(),
            second: second.to_owned(),
            score,
            pairs,
            by_games: Estimate::of(score),
            by_pairs: Estimate::of(pairs),
            margins: (!counted.is_empty()).then(|| Margins::gather(counted)),
            sprt: None,
        };
        let counts = summary.counts();
        summary.sprt = sprt.map(|sprt| (sprt, sprt.llr(counts), sprt.verdict(counts)));
        summary
    }

    /// The results to rely on: pairs, unless most games have no partner.
    pub fn counts(&self) -> ResultCounts {
        if self.pairs.pairs() > 0 && self.pairs.left_out <= self.score.games() / 2 {
            self.pairs.into()
        } else {
            self.score.into()
        }
    }

    /// The estimate to rely on.
    pub fn estimate(&self) -> &Estimate {
        match self.counts() {
            ResultCounts::Games(_) => &self.by_games,
            ResultCounts::Pairs(_) => &self.by_pairs,
        }
    }

    /// The figures as labelled texts, in display order.
    pub fn lines(&self) -> Vec<(&'static str, String)> {
        let estimate = self.estimate();
        let mut lines = vec![("games", grouped(self.score.games())), ("score", self.score.to_string())];
        if let ResultCounts::Pairs(pairs) = self.counts() {
            let left_out = match pairs.left_out {
                0 => String::new(),
                games => format!(", {} left out", counted(games as usize, "game")),
            };
            lines.push(("pairs", format!("{pairs}{left_out}")));
        }
        lines.push(("elo", estimate.to_string()));
        if estimate.warning().is_none() {
            lines.push(("nelo", format!("{} ± {:.1}", signed(estimate.nelo), estimate.nelo_error)));
            lines.push(("los", format!("{:.1} %", 100.0 * estimate.los)));
        }
        if let Some(margins) = &self.margins {
            let text = match (margins.pair_error, margins.error) {
                (Some(error), _) => format!("{:+.2} ± {:.2} (by pairs)", margins.pair_mean, 1.96 * error),
                (None, Some(error)) => format!("{:+.2} ± {:.2} (by games)", margins.mean, 1.96 * error),
                (None, None) => format!("{:+.2}", margins.mean),
            };
            lines.push(("margin", text));
        }
        if let Some((sprt, llr, verdict)) = &self.sprt {
            let (lower, upper) = sprt.bounds();
            lines.push(("sprt", format!("{sprt}: LLR {llr:.2} [{lower:.2}, {upper:.2}], {verdict}")));
        }
        lines
    }

    /// The figures as they are reported.
    pub fn report(&self) -> PairingReport {
        let MatchScore { wins, draws, losses } = self.score;
        PairingReport {
            first: self.first.clone(),
            second: self.second.clone(),
            games: self.score.games(),
            wins,
            draws,
            losses,
            points: self.score.points(),
            pentanomial: self.pairs.counts,
            left_out: self.pairs.left_out,
            by: match self.counts() {
                ResultCounts::Games(_) => "games".to_owned(),
                ResultCounts::Pairs(_) => "pairs".to_owned(),
            },
            estimate: self.estimate().report(),
            by_games: self.by_games.report(),
            margin: self.margins,
            sprt: self.sprt.map(|(sprt, ..)| sprt.report(self.counts())),
            lines: self.lines().into_iter().map(|(label, text)| (label.to_owned(), text)).collect(),
        }
    }
}

/// The figures of a [`PairingSummary`], for JSON.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct PairingReport {
    /// The player whose score it is.
    pub first: String,
    /// Its opponent.
    pub second: String,
    /// Games.
    pub games: u64,
    /// Games won.
    pub wins: u64,
    /// Games drawn.
    pub draws: u64,
    /// Games lost.
    pub losses: u64,
    /// Points.
    pub points: f64,
    /// Pairs by points.
    pub pentanomial: [u64; 5],
    /// Games without a partner.
    pub left_out: u64,
    /// Whether the estimate is based on `games` or `pairs`.
    pub by: String,
    /// The estimate to rely on.
    pub estimate: EstimateReport,
    /// The estimate from single games.
    pub by_games: EstimateReport,
    /// Margins, where the game has them.
    pub margin: Option<Margins>,
    /// The sequential test, if there is one.
    pub sprt: Option<SprtReport>,
    /// The figures as labelled texts, in display order.
    #[serde(skip)]
    pub lines: Vec<(String, String)>,
}
