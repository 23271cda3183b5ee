//! The requests and answers that only HTTP has; all others are the registry's.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use tesuji_registry::{AnalysisLine, ClampedSetting, EngineRequest, PositionSpec, SearchLimits, SideName, ValueReport};

use crate::error::ApiError;
use crate::state::App;

/// A position: one in the game's notation, or the start, and moves from there.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub(crate) struct PositionBody {
    /// The position in the game's notation; the start when absent.
    pub(crate) position: Option<String>,
    /// Ostle: the board before the last move, as its own mover saw it.
    pub(crate) previous: Option<String>,
    /// Moves from there.
    pub(crate) moves: Option<MoveList>,
}

/// Moves: a list, or one text with blanks between them.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(untagged, expecting = "moves are a list of texts, or one text with blanks between them")]
pub(crate) enum MoveList {
    /// One text.
    Text(String),
    /// A list.
    List(Vec<String>),
}

impl PositionBody {
    pub(crate) fn spec(&self, app: &App) -> Result<PositionSpec, ApiError> {
        let most = app.limits().moves;
        let moves = match &self.moves {
            None => None,
            Some(MoveList::Text(text)) => Some(text.clone()),
            Some(MoveList::List(list)) => Some(list.join(" ")),
        };
        if moves.as_ref().is_some_and(|text| text.split_whitespace().nth(most).is_some()) {
            return Err(ApiError::invalid("moves", format!("a game has at most {most} moves here")));
        }
        let filled = |text: &Option<String>| text.clone().filter(|text| !text.trim().is_empty());
        Ok(PositionSpec { position: filled(&self.position), previous: filled(&self.previous), moves })
    }
}

/// When a search ends.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub(crate) struct LimitsBody {
    /// Time per move: `250ms`, `1s`.
    pub(crate) time: Option<String>,
    /// Nodes to search.
    pub(crate) nodes: Option<u64>,
    /// Depth in plies.
    pub(crate) depth: Option<u32>,
    /// Level of play, from 1 (first steps) to 10 (full strength), instead of an engine.
    pub(crate) level: Option<u32>,
    /// The seed of engines that play by chance, such as the mistakes of weak levels.
    pub(crate) seed: Option<u64>,
    /// Transposition table in MiB.
    pub(crate) hash: Option<u64>,
    /// Threads.
    pub(crate) threads: Option<usize>,
}

impl LimitsBody {
    pub(crate) fn request(&self, engine: Option<&String>) -> EngineRequest {
        let engine = engine.filter(|engine| !engine.is_empty()).cloned();
        let limits = SearchLimits {
            depth: self.depth,
            nodes: self.nodes,
            time: self.time.clone().filter(|time| !time.is_empty()),
            threads: self.threads,
            hash: self.hash,
            level: self.level,
            seed: self.seed,
            ..SearchLimits::default()
        };
        EngineRequest { engine, limits }
    }
}

/// A value with what a page needs beside it.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub(crate) struct ValueAnswer {
    /// The value, seen by the side to move.
    #[serde(flatten)]
    pub(crate) value: ValueReport,
    /// Whether it is certain.
    pub(crate) exact: bool,
    /// The value for people, in English: `+1.5`, `win in 7`.
    pub(crate) text: String,
}

impl From<ValueReport> for ValueAnswer {
    fn from(value: ValueReport) -> ValueAnswer {
        ValueAnswer { exact: value.proven.is_some() && value.bound.is_none(), text: value.text(), value }
    }
}

/// A principal variation with its value.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub(crate) struct LineAnswer {
    /// The first move.
    #[serde(rename = "move")]
    pub(crate) mv: Option<String>,
    /// Its value.
    #[serde(flatten)]
    pub(crate) value: ValueAnswer,
    /// The principal variation, with the first move.
    pub(crate) pv: Vec<String>,
    /// The same in the notation of the country where the game is at home, if the query asks for it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) native: Vec<String>,
    /// The probability that the policy of a network gives the move.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) prior: Option<f64>,
}

impl From<AnalysisLine> for LineAnswer {
    fn from(line: AnalysisLine) -> LineAnswer {
        LineAnswer { mv: line.mv, value: line.value.into(), pv: line.pv, native: Vec::new(), prior: line.prior }
    }
}

/// The move to play.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub(crate) struct BestMoveAnswer {
    /// The game.
    pub(crate) game: String,
    /// The position.
    pub(crate) position: String,
    /// The side to move.
    pub(crate) mover: SideName,
    /// What to do: `move`, `claim`, `resign` or `over`.
    pub(crate) choice: String,
    /// The move to play.
    #[serde(rename = "move")]
    pub(crate) mv: Option<String>,
    /// Its value.
    #[serde(flatten)]
    pub(crate) value: ValueAnswer,
    /// The principal variation.
    pub(crate) pv: Vec<String>,
    /// Depth in plies.
    pub(crate) depth: u32,
    /// Nodes searched.
    pub(crate) nodes: u64,
    /// Time of the search.
    pub(crate) seconds: f64,
    /// The engine with all its settings.
    pub(crate) engine: String,
    /// Where the move comes from: `search`, `book`, `tablebase` or `policy`.
    pub(crate) source: Option<String>,
    /// What was cut down.
    pub(crate) clamped: Vec<ClampedSetting>,
}
