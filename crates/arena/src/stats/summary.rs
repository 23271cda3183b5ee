//! All figures of one pairing, for whoever shows them: a terminal, a page, another program.

use serde_json::{Value, json};
use tesuji_game::Outcome;

use super::elo::signed;
use super::{Counts, Estimate, Margins, Pairs, Score, Sprt, Verdict};

/// One finished game of a pairing, as its first player saw it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Played {
    /// How it ended for the first player.
    pub outcome: Outcome,
    /// Which games belong together: the same opening with colours swapped. `None` for a game of its own.
    pub pair: Option<u64>,
    /// By how much the first player won, in games that count it.
    pub margin: Option<i32>,
}

/// What the games of two players say.
#[derive(Clone, PartialEq, Debug)]
pub struct Summary {
    /// Whose score it is.
    pub first: String,
    /// Against whom.
    pub second: String,
    /// Game by game.
    pub score: Score,
    /// Pair by pair; games without a partner are left out and counted there.
    pub pairs: Pairs,
    /// The estimate from single games.
    pub by_games: Estimate,
    /// The estimate from complete pairs.
    pub by_pairs: Estimate,
    /// Margins, where the game counts them.
    pub margins: Option<Margins>,
    /// The test that was asked for, its log-likelihood ratio and where it stands.
    pub sprt: Option<(Sprt, f64, Verdict)>,
}

impl Summary {
    /// Sums up games between two players. Games that were played twice move by move are to be left out before.
    pub fn of(first: &str, second: &str, games: &[Played], sprt: Option<Sprt>) -> Summary {
        // Games of their own get keys that no pair has.
        let keys = games.iter().enumerate().map(|(at, game)| game.pair.ok_or(at));
        let score: Score = games.iter().map(|game| game.outcome).collect();
        let pairs = Pairs::gather(keys.clone().zip(games.iter().map(|game| game.outcome)));
        let counted: Vec<_> = keys.zip(games).filter_map(|(key, game)| Some((key, game.margin?))).collect();
        let mut summary = Summary {
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
    pub fn counts(&self) -> Counts {
        if self.pairs.pairs() > 0 && self.pairs.left_out <= self.score.games() / 2 {
            self.pairs.into()
        } else {
            self.score.into()
        }
    }

    /// The estimate to rely on.
    pub fn estimate(&self) -> &Estimate {
        match self.counts() {
            Counts::Games(_) => &self.by_games,
            Counts::Pairs(_) => &self.by_pairs,
        }
    }

    /// The figures as short texts with their names, in the order a reader wants them.
    pub fn lines(&self) -> Vec<(&'static str, String)> {
        let estimate = self.estimate();
        let mut lines = vec![("games", self.score.games().to_string()), ("score", self.score.to_string())];
        if let Counts::Pairs(pairs) = self.counts() {
            let left_out = match pairs.left_out {
                0 => String::new(),
                1 => ", 1 game left out".into(),
                games => format!(", {games} games left out"),
            };
            lines.push(("pairs", format!("{pairs}{left_out}")));
        }
        lines.push(("elo", estimate.to_string()));
        if estimate.doubt().is_none() {
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

    /// All figures.
    pub fn json(&self) -> Value {
        let Score { wins, draws, losses } = self.score;
        json!({
            "first": self.first,
            "second": self.second,
            "games": self.score.games(),
            "wins": wins,
            "draws": draws,
            "losses": losses,
            "points": self.score.points(),
            "pentanomial": self.pairs.counts,
            "left_out": self.pairs.left_out,
            "by": match self.counts() {
                Counts::Games(_) => "games",
                Counts::Pairs(_) => "pairs",
            },
            "estimate": self.estimate().json(),
            "by_games": self.by_games.json(),
            "margin": self.margins.as_ref().map(Margins::json),
            "sprt": self.sprt.map(|(sprt, ..)| sprt.json(self.counts())),
        })
    }
}
