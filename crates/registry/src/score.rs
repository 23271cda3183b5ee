//! Games that end with a score, and the result of a game in words.

use serde::{Deserialize, Serialize};
use tesuji_game::{Margin, Record, result_text};

use crate::{Playable, Registration, SideName};

/// How a game counts.
pub struct Counting<G> {
    /// What is counted, in the plural.
    pub counted: &'static str,
    /// What each side has now, the first player's first.
    pub counts: fn(&G) -> [u32; 2],
    /// The final score, the first player's first.
    pub final_score: fn(&G) -> Option<[u32; 2]>,
}

impl<G> Clone for Counting<G> {
    fn clone(&self) -> Counting<G> {
        *self
    }
}

impl<G> Copy for Counting<G> {}

impl<G: Playable> Counting<G> {
    /// The counts of a position for people: `discs: black 12, white 9`.
    pub(crate) fn text(&self, game: &G) -> String {
        let ([first, second], [a, b]) = (G::players(), (self.counts)(game));
        format!("{}: {first} {a}, {second} {b}", self.counted)
    }
}

impl<G: Playable> Registration<G> {
    /// The game ends with a score.
    pub fn margin(mut self) -> Registration<G>
    where
        G: Margin,
    {
        self.counting = Some(Counting { counted: G::COUNTED, counts: G::counts, final_score: G::final_score });
        self
    }
}

/// How a game ended.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct GameEnding {
    /// The winner; none for a draw.
    pub winner: Option<SideName>,
    /// Why the game is over.
    pub reason: String,
    /// The final score, the first player's first, in games that end with one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub score: Option<[u32; 2]>,
    /// All of it for people: `black won 41–23`, `white won (resignation)`.
    pub text: String,
}

impl GameEnding {
    /// The ending of a record, if it has one.
    pub(crate) fn of<G: Playable>(record: &Record<G>, counting: Option<Counting<G>>) -> Option<GameEnding> {
        let ending = record.ending()?;
        let score = counting.and_then(|counting| (counting.final_score)(record.now()));
        Some(GameEnding {
            winner: ending.winner.map(SideName::from),
            reason: ending.reason.to_owned(),
            score,
            text: result_text(G::players(), ending.winner, ending.reason, score),
        })
    }

    /// By how much the first player won; negative if the second did.
    pub fn margin(&self) -> Option<i32> {
        self.score.map(|[first, second]| first.cast_signed() - second.cast_signed())
    }
}
