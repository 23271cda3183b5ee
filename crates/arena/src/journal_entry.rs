//! The lines of a journal, one JSON object each: the tournament, its games and failed starts.

use serde::{Deserialize, Serialize};
use tesuji_game::Side;

/// The version of the format.
pub const SCHEMA: &str = "tesuji/journal/2";
/// The version before, whose values were in steps of the evaluations. Its results are still valid.
pub(crate) const OLD_SCHEMA: &str = "tesuji/journal/1";

/// A line of the journal.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum JournalLine {
    /// The first line: the tournament.
    Tournament(JournalHeader),
    /// A game that was played.
    Game(Box<GameEntry>),
    /// A game that could not start; it is still to be played.
    Failure(FailureEntry),
}

/// The tournament of a journal.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct JournalHeader {
    /// The version of the format.
    pub schema: String,
    /// The checksum of the facts.
    pub id: String,
    /// Its name.
    pub name: String,
    /// Its configuration, as TOML.
    pub config: String,
    /// Everything the games depend on: settings, seeds, specs, rules, versions, checksums of files.
    pub facts: Vec<(String, String)>,
}

/// A game that was played.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct GameEntry {
    /// The number of the event, from 0.
    pub event: usize,
    /// Its number in the event, from 0.
    pub number: usize,
    /// The round, from 0.
    pub round: usize,
    /// The player that moves first.
    pub first: String,
    /// The player that moves second.
    pub second: String,
    /// The number of the opening.
    pub opening: usize,
    /// The start position, if it is not the usual one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub start: Option<String>,
    /// Plies of the opening.
    pub booked: usize,
    /// Whether the second player chose the first ply after the opening.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub second_begins: bool,
    /// All moves, separated by blanks.
    pub moves: String,
    /// The result.
    pub result: RecordedResult,
    /// Its reason.
    pub reason: String,
    /// The fault of the loser.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fault: Option<String>,
    /// The margin of the first player, where the game has one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub margin: Option<i32>,
    /// The final score of both sides, the first player's first, where the game has one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub score: Option<[u32; 2]>,
    /// Protocol oddities.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub oddities: Vec<String>,
    /// The evaluation of each ply after the opening, from the point of view of the mover, in the unit of the game.
    pub values: Vec<Option<f64>>,
    /// The win rates of tree searches, from 0 to 1; empty when there are none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub rates: Vec<Option<f64>>,
    /// Proven results in plies, positive for a win of the mover.
    pub proven: Vec<Option<i32>>,
    /// Search depths.
    pub depths: Vec<Option<u32>>,
    /// Nodes searched.
    pub nodes: Vec<Option<u64>>,
    /// Time used, in milliseconds.
    pub times: Vec<f64>,
    /// CPU time used, in milliseconds.
    pub cpu: Vec<Option<f64>>,
    /// Lag within the margin, in milliseconds.
    pub lags: Vec<f64>,
}

/// The result of a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum RecordedResult {
    /// The first player won.
    First,
    /// The second player won.
    Second,
    /// A draw.
    Draw,
}

/// A game that could not start.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct FailureEntry {
    /// The number of the event, from 0.
    pub event: usize,
    /// The number of the game, from 0.
    pub number: usize,
    /// The player that did not start.
    pub player: String,
    /// The error message.
    pub message: String,
}

impl RecordedResult {
    /// The half points of a side.
    pub fn half_points(self, side: Side) -> u32 {
        match (self, side) {
            (RecordedResult::Draw, _) => 1,
            (RecordedResult::First, Side::First) | (RecordedResult::Second, Side::Second) => 2,
            _ => 0,
        }
    }

    /// The winner.
    pub fn winner(self) -> Option<Side> {
        match self {
            RecordedResult::First => Some(Side::First),
            RecordedResult::Second => Some(Side::Second),
            RecordedResult::Draw => None,
        }
    }
}

impl From<Option<Side>> for RecordedResult {
    fn from(winner: Option<Side>) -> RecordedResult {
        match winner {
            Some(Side::First) => RecordedResult::First,
            Some(Side::Second) => RecordedResult::Second,
            None => RecordedResult::Draw,
        }
    }
}

impl GameEntry {
    /// The name of a side's player.
    pub fn player(&self, side: Side) -> &str {
        match side {
            Side::First => &self.first,
            Side::Second => &self.second,
        }
    }

    /// The side of a player.
    pub fn side(&self, name: &str) -> Option<Side> {
        Side::BOTH.into_iter().find(|&side| self.player(side) == name)
    }

    /// The plies after the opening that `side` chose: sides take turns, since a pass is a move.
    pub fn own_plies(&self, side: Side) -> impl Iterator<Item = usize> + use<> {
        let skip = usize::from(self.second_begins == (side == Side::First));
        (skip..self.times.len()).step_by(2)
    }

    /// Its plies, opening included.
    pub fn plies(&self) -> usize {
        self.booked + self.times.len()
    }
}

impl JournalLine {
    /// The line as text, without a line feed.
    pub fn print(&self) -> String {
        // Strings, integers and finite floats: serialisation cannot fail.
        serde_json::to_string(self).unwrap_or_default()
    }

    /// Reads a line.
    pub fn parse(text: &str) -> std::result::Result<JournalLine, String> {
        serde_json::from_str(text).map_err(|error| error.to_string())
    }
}
