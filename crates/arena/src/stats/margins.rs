//! Margins of victory, for games that have them: discs in Othello.

use std::collections::HashMap;
use std::hash::Hash;

use serde::{Deserialize, Serialize};

/// Mean margins of one player, with an error by games and one by pairs. Both players play each opening from both sides,
/// so the error by pairs is free of the variance between openings.
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Margins {
    /// Games counted.
    pub games: u64,
    /// The mean over games; 0 without games.
    pub mean: f64,
    /// Its standard error, from two games on.
    pub error: Option<f64>,
    /// Complete pairs.
    pub pairs: u64,
    /// The mean over complete pairs; 0 without pairs.
    pub pair_mean: f64,
    /// Its standard error, from two pairs on.
    pub pair_error: Option<f64>,
    /// Games whose partner is missing.
    pub left_out: u64,
}

impl Margins {
    /// Collects the margins of games, paired by their key.
    pub fn gather<K: Eq + Hash>(games: impl IntoIterator<Item = (K, i32)>) -> Margins {
        let (mut single, mut paired) = (Spread::default(), Spread::default());
        let mut waiting: HashMap<K, f64> = HashMap::new();
        for (key, margin) in games {
            let margin = f64::from(margin);
            single.add(margin);
            match waiting.remove(&key) {
                Some(partner) => paired.add((partner + margin) / 2.0),
                None => {
                    waiting.insert(key, margin);
                }
            }
        }
        Margins {
            games: single.count,
            mean: single.mean,
            error: single.error(),
            pairs: paired.count,
            pair_mean: paired.mean,
            pair_error: paired.error(),
            left_out: waiting.len() as u64,
        }
    }
}

/// Mean and variance in one pass (Welford).
#[derive(Default)]
struct Spread {
    count: u64,
    mean: f64,
    squares: f64,
}

impl Spread {
    fn add(&mut self, value: f64) {
        self.count += 1;
        let off = value - self.mean;
        self.mean += off / self.count as f64;
        self.squares += off * (value - self.mean);
    }

    fn error(&self) -> Option<f64> {
        let count = self.count as f64;
        (self.count >= 2).then(|| (self.squares / (count - 1.0) / count).sqrt())
    }
}
