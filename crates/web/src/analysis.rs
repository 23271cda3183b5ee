//! `GET /api/v1/{game}/analysis`: the best moves of a position, iteration by iteration.

use std::time::Duration;

use axum::extract::{Extension, Path, State};
use axum::response::Response;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use tesuji_registry::{
    AnalysisEvent, AnalysisUpdate, AnalyzeRequest, ClampedSetting, EngineChoice, EngineRequest, GameHandle,
    PositionSpec, ShowRequest, ShowResponse, SideName, public_spec,
};

use crate::body::QueryOf;
use crate::error::ApiError;
use crate::job::stream;
use crate::pool::Sharing;
use crate::state::{App, Client};
use crate::wire::{LimitsBody, LineAnswer, MoveList, PositionBody};

/// The best lines have native notation; nobody reads more of them.
const NATIVE_LINES: usize = 8;
/// A search without any limit takes this long.
const ANALYSIS_TIME: Duration = Duration::from_secs(5);

/// The query of an analysis.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub(crate) struct AnalysisQuery {
    /// The position in the game's notation; the start when absent.
    pub(crate) position: Option<String>,
    /// Ostle: the board before the last move.
    pub(crate) previous: Option<String>,
    /// Moves from there, with blanks between them.
    pub(crate) moves: Option<String>,
    /// The engine spec; the default engine of the game when absent.
    pub(crate) engine: Option<String>,
    /// The number of best moves, or `all`.
    pub(crate) lines: Option<String>,
    /// Time: `250ms`, `1s`.
    pub(crate) time: Option<String>,
    /// Nodes to search.
    pub(crate) nodes: Option<u64>,
    /// Depth in plies.
    pub(crate) depth: Option<u32>,
    /// Level of play, from 1 (first steps) to 10 (full strength).
    pub(crate) level: Option<u32>,
    /// The seed of engines that play by chance.
    pub(crate) seed: Option<u64>,
    /// Transposition table in MiB.
    pub(crate) hash: Option<u64>,
    /// Threads.
    pub(crate) threads: Option<usize>,
    /// Whether lines are told in native notation as well, where the game has one.
    pub(crate) native: bool,
}

impl AnalysisQuery {
    pub(crate) fn at(&self) -> PositionBody {
        PositionBody {
            position: self.position.clone(),
            previous: self.previous.clone(),
            moves: self.moves.clone().map(MoveList::Text),
        }
    }

    pub(crate) fn engine(&self) -> EngineRequest {
        let limits = LimitsBody {
            time: self.time.clone(),
            nodes: self.nodes,
            depth: self.depth,
            level: self.level,
            seed: self.seed,
            hash: self.hash,
            threads: self.threads,
        };
        limits.request(self.engine.as_ref())
    }

    /// What the query asks for, checked: faults are told at once, not after a wait.
    pub(crate) fn checked(&self, app: &App, name: &str, default_time: Duration) -> Result<CheckedAnalysis, ApiError> {
        let game = app.game(name)?;
        let at = self.at().spec(app)?;
        let (engine, clamped) = game.bounded(&self.engine(), &app.bounds(&game, default_time))?;
        let shown = game.show(&ShowRequest { at: at.clone(), ..ShowRequest::default() })?;
        Ok(CheckedAnalysis { game, at, engine, clamped, shown })
    }

    /// The number of lines, at most `most`; every legal move has one by `all`.
    fn lines(&self, legal: usize, most: usize, clamped: &mut Vec<ClampedSetting>) -> Result<usize, ApiError> {
        let asked = match self.lines.as_deref() {
            None | Some("") => 1,
            Some("all") => legal,
            Some(text) => text.parse().map_err(|_| ApiError::invalid("lines", "a number from 1 on, or all"))?,
        };
        if asked > most {
            let field = "lines".to_owned();
            clamped.push(ClampedSetting { field, asked: asked.to_string(), used: most.to_string() });
        }
        Ok(asked.clamp(1, most).min(legal.max(1)))
    }
}

/// An analysis that may begin.
pub(crate) struct CheckedAnalysis {
    pub(crate) game: GameHandle,
    pub(crate) at: PositionSpec,
    pub(crate) engine: EngineRequest,
    pub(crate) clamped: Vec<ClampedSetting>,
    /// The position.
    pub(crate) shown: ShowResponse,
}

/// The event `start`.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub(crate) struct StartEvent {
    /// The position.
    pub(crate) position: String,
    /// The side to move.
    pub(crate) mover: SideName,
    /// The engine with all its settings.
    pub(crate) engine: String,
    /// The unit of the values.
    pub(crate) unit: String,
    /// What was cut down.
    pub(crate) clamped: Vec<ClampedSetting>,
}

/// The event `update`.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub(crate) struct UpdateEvent {
    /// The position that the values belong to.
    pub(crate) position: String,
    /// The side to move, who sees the values.
    pub(crate) mover: SideName,
    /// Depth in plies.
    pub(crate) depth: u32,
    /// Nodes searched.
    pub(crate) nodes: u64,
    /// Time since the search began.
    pub(crate) seconds: f64,
    /// The selective depth.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) deepest: Option<u32>,
    /// Where the lines come from: `search`, `book`, `tablebase` or `policy`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) source: Option<String>,
    /// The best moves, best first.
    pub(crate) lines: Vec<LineAnswer>,
}

/// The event `done`.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub(crate) struct DoneEvent {
    /// The position.
    pub(crate) position: String,
    /// What the engine would do.
    #[serde(flatten)]
    pub(crate) choice: EngineChoice,
    /// `complete`, or `shared` when the search made room for others.
    pub(crate) ended: String,
    /// What was cut down.
    pub(crate) clamped: Vec<ClampedSetting>,
}

impl UpdateEvent {
    pub(crate) fn new(position: &str, mover: SideName, update: AnalysisUpdate) -> UpdateEvent {
        UpdateEvent {
            position: position.to_owned(),
            mover,
            depth: update.depth,
            nodes: update.nodes,
            seconds: update.seconds,
            deepest: update.deepest,
            source: update.source,
            lines: update.lines.into_iter().map(LineAnswer::from).collect(),
        }
    }

    /// Adds the native notation of the best lines.
    fn name(&mut self, game: &GameHandle, at: &PositionSpec) {
        let lines: Vec<Vec<String>> = self.lines.iter().take(NATIVE_LINES).map(|line| line.pv.clone()).collect();
        let native = game.native_lines(at, None, &lines).unwrap_or_default();
        self.lines.iter_mut().zip(native).for_each(|(line, native)| line.native = native);
    }
}

pub(crate) async fn analysis(
    State(app): State<App>,
    Extension(client): Extension<Client>,
    Path(name): Path<String>,
    QueryOf(query): QueryOf<AnalysisQuery>,
) -> Result<Response, ApiError> {
    let CheckedAnalysis { game, at, engine, mut clamped, shown } = query.checked(&app, &name, ANALYSIS_TIME)?;
    let lines = query.lines(shown.moves.len(), app.limits().lines, &mut clamped)?;
    let (position, mover) = (shown.position, shown.mover);
    stream(&app, client, Sharing::EndsEarly, position.clone(), move |ticket, context, events| {
        let told = game.analyze(&AnalyzeRequest { at: at.clone(), engine, lines }, context, &mut |event| match event {
            AnalysisEvent::Started { engine, unit, mover } => {
                let (position, clamped, engine) = (position.clone(), clamped.clone(), public_spec(&engine));
                events.push("start", &StartEvent { position, mover, engine, unit, clamped });
            }
            AnalysisEvent::Update(update) => {
                let mut update = UpdateEvent::new(&position, mover, update);
                if query.native {
                    update.name(&game, &at);
                }
                events.update("update", &update);
            }
        });
        let choice = told?.choice;
        let ended = if ticket.stop.made_room() { "shared" } else { "complete" };
        events.push("done", &DoneEvent { position, choice, ended: ended.to_owned(), clamped });
        Ok(())
    })
}
