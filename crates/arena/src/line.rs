//! What a journal holds, one JSON object per line: the tournament, its games, and engines that did not start.

use serde::{Deserialize, Serialize};
use tesuji_game::Side;

/// The version of the lines.
pub const SCHEMA: &str = "tesuji/journal/1";

/// A line of the journal.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum Line {
    /// The first one: which tournament this is.
    Tournament(Header),
    /// A game that was played.
    Game(Box<GameLine>),
    /// A game that could not begin; it is still to be played.
    Failure(FailureLine),
}

/// Which tournament a journal belongs to.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Header {
    /// The version of the lines.
    pub schema: String,
    /// A sum over the facts.
    pub id: String,
    /// What it is called.
    pub name: String,
    /// Its settings, as TOML.
    pub config: String,
    /// Everything the games depend on: settings, seeds, specs, rules, versions, sums of files.
    pub facts: Vec<(String, String)>,
}

/// A game that was played.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct GameLine {
    /// The number of the event, from 0.
    pub event: usize,
    /// Its number in the event, from 0.
    pub number: usize,
    /// The round, from 0.
    pub round: usize,
    /// Who moved first.
    pub first: String,
    /// Who moved second.
    pub second: String,
    /// The number of the opening.
    pub opening: usize,
    /// The position it began at, if not the usual one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub start: Option<String>,
    /// Plies of the opening.
    pub booked: usize,
    /// Whether the second player chose the first ply after the opening.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub second_begins: bool,
    /// All moves, between blanks.
    pub moves: String,
    /// Who won.
    pub result: Result,
    /// Why.
    pub reason: String,
    /// What the loser did wrong.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fault: Option<String>,
    /// The final score seen by the first player, where the game has one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub margin: Option<i32>,
    /// What was odd.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub oddities: Vec<String>,
    /// What the movers thought of each ply after the opening, each in its own eyes.
    pub values: Vec<Option<f64>>,
    /// Proven results in plies, positive for a win of the mover.
    pub proven: Vec<Option<i32>>,
    /// Plies looked ahead.
    pub depths: Vec<Option<u32>>,
    /// Positions visited.
    pub nodes: Vec<Option<u64>>,
    /// Time used, in milliseconds.
    pub times: Vec<f64>,
    /// CPU time used, in milliseconds.
    pub cpu: Vec<Option<f64>>,
    /// How late the answer was within the margin, in milliseconds.
    pub lags: Vec<f64>,
}

/// The result of a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Result {
    /// The first player won.
    First,
    /// The second player won.
    Second,
    /// Nobody did.
    Draw,
}

/// A game that could not begin.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct FailureLine {
    /// The number of the event, from 0.
    pub event: usize,
    /// The number of the game, from 0.
    pub number: usize,
    /// Who did not start.
    pub player: String,
    /// What it said.
    pub message: String,
}

impl Result {
    /// Half points of a side.
    pub fn half_points(self, side: Side) -> u32 {
        match (self, side) {
            (Result::Draw, _) => 1,
            (Result::First, Side::First) | (Result::Second, Side::Second) => 2,
            _ => 0,
        }
    }

    /// Who won.
    pub fn winner(self) -> Option<Side> {
        match self {
            Result::First => Some(Side::First),
            Result::Second => Some(Side::Second),
            Result::Draw => None,
        }
    }
}

impl From<Option<Side>> for Result {
    fn from(winner: Option<Side>) -> Result {
        match winner {
            Some(Side::First) => Result::First,
            Some(Side::Second) => Result::Second,
            None => Result::Draw,
        }
    }
}

impl GameLine {
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

    /// How many plies it lasted, the opening included.
    pub fn plies(&self) -> usize {
        self.booked + self.times.len()
    }
}

impl Line {
    /// The line as text, without a line feed.
    pub fn print(&self) -> String {
        // Only text, whole numbers and finite fractions: there is nothing JSON could not hold.
        serde_json::to_string(self).unwrap_or_default()
    }

    /// Reads a line.
    pub fn parse(text: &str) -> std::result::Result<Line, String> {
        serde_json::from_str(text).map_err(|error| error.to_string())
    }
}
