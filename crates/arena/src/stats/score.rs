//! Results by games and by pairs of games.

use std::collections::HashMap;
use std::fmt;
use std::hash::Hash;
use std::ops::AddAssign;

use serde::{Deserialize, Serialize};
use tesuji_game::{Outcome, grouped};

/// Games won, drawn and lost by one player.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize)]
pub struct MatchScore {
    /// Games won.
    pub wins: u64,
    /// Games drawn.
    pub draws: u64,
    /// Games lost.
    pub losses: u64,
}

impl MatchScore {
    /// A score from its three counts.
    pub const fn new(wins: u64, draws: u64, losses: u64) -> MatchScore {
        MatchScore { wins, draws, losses }
    }

    /// Adds a game.
    pub fn add(&mut self, outcome: Outcome) {
        let count = match outcome {
            Outcome::Win => &mut self.wins,
            Outcome::Draw => &mut self.draws,
            Outcome::Loss => &mut self.losses,
        };
        *count = count.saturating_add(1);
    }

    /// All games.
    pub fn games(&self) -> u64 {
        self.wins.saturating_add(self.draws).saturating_add(self.losses)
    }

    /// A win counts one point, a draw half a point.
    pub fn points(&self) -> f64 {
        self.wins as f64 + self.draws as f64 / 2.0
    }

    /// The score of the opponent.
    pub fn reversed(self) -> MatchScore {
        MatchScore { wins: self.losses, draws: self.draws, losses: self.wins }
    }
}

impl AddAssign for MatchScore {
    fn add_assign(&mut self, other: MatchScore) {
        self.wins = self.wins.saturating_add(other.wins);
        self.draws = self.draws.saturating_add(other.draws);
        self.losses = self.losses.saturating_add(other.losses);
    }
}

impl FromIterator<Outcome> for MatchScore {
    fn from_iter<I: IntoIterator<Item = Outcome>>(outcomes: I) -> MatchScore {
        let mut score = MatchScore::default();
        outcomes.into_iter().for_each(|outcome| score.add(outcome));
        score
    }
}

/// Won, drawn and lost: `12–3–5`.
impl fmt::Display for MatchScore {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [wins, draws, losses] = [self.wins, self.draws, self.losses].map(grouped);
        write!(out, "{wins}–{draws}–{losses}")
    }
}

/// Pairs of games of one opening with colours swapped, by the points of one player: 0, 1/2, 1, 3/2 or 2. Only complete
/// pairs count.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Pentanomial {
    /// The number of pairs with 0, 1/2, 1, 3/2 and 2 points.
    pub counts: [u64; 5],
    /// Games without a partner.
    pub left_out: u64,
}

impl Pentanomial {
    /// Pairs from their five counts.
    pub const fn new(counts: [u64; 5]) -> Pentanomial {
        Pentanomial { counts, left_out: 0 }
    }

    /// Pairs games by their key; games without a partner are left out. The order of the games does not matter as long as
    /// no key has more than two.
    pub fn gather<K: Eq + Hash>(games: impl IntoIterator<Item = (K, Outcome)>) -> Pentanomial {
        let mut pairs = Pentanomial::default();
        let mut waiting = HashMap::new();
        for (key, outcome) in games {
            match waiting.remove(&key) {
                Some(partner) => pairs.add(partner, outcome),
                None => {
                    waiting.insert(key, outcome);
                }
            }
        }
        pairs.left_out = waiting.len() as u64;
        pairs
    }

    /// Adds a complete pair.
    pub fn add(&mut self, one: Outcome, other: Outcome) {
        let halves = |outcome| match outcome {
            Outcome::Loss => 0,
            Outcome::Draw => 1,
            Outcome::Win => 2,
        };
        let count = &mut self.counts[halves(one) + halves(other)];
        *count = count.saturating_add(1);
    }

    /// Complete pairs.
    pub fn pairs(&self) -> u64 {
        self.counts.iter().fold(0, |sum, &count| sum.saturating_add(count))
    }

    /// The pairs from the point of view of the opponent.
    pub fn reversed(mut self) -> Pentanomial {
        self.counts.reverse();
        self
    }
}

impl fmt::Display for Pentanomial {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [none, half, one, more, two] = self.counts.map(grouped);
        write!(out, "[{none}, {half}, {one}, {more}, {two}]")
    }
}
