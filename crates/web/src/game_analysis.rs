//! `GET /api/v1/{game}/game-analysis`: every move of a game, with its value and what was better.

use std::sync::Arc;
use std::time::Duration;

use axum::extract::{Extension, Path, State};
use axum::response::Response;
use schemars::JsonSchema;
use serde::Serialize;
use tesuji_registry::{
    ClampedSetting, GameAnalysisEvent, GameAnalysisSummary, GameHandle, MoveAnalysis, MoveMark, PositionSpec,
    ProvenResult, SideName, public_spec,
};

use crate::analysis::{AnalysisQuery, CheckedAnalysis};
use crate::body::QueryOf;
use crate::error::ApiError;
use crate::job::stream;
use crate::pool::Sharing;
use crate::state::{App, Client};
use crate::wire::ValueAnswer;

/// Each position of a game without any limit takes this long.
const POSITION_TIME: Duration = Duration::from_millis(500);

/// The event `start`.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub(crate) struct GameStartEvent {
    /// Plies of the game.
    pub(crate) plies: usize,
    /// The engine with all its settings.
    pub(crate) engine: String,
    /// The unit of the values.
    pub(crate) unit: String,
    /// What was cut down.
    pub(crate) clamped: Vec<ClampedSetting>,
}

/// The event `move`.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub(crate) struct MoveEvent {
    /// The number of the move, from 1.
    pub(crate) ply: usize,
    /// The side that played it.
    pub(crate) mover: SideName,
    /// The move.
    #[serde(rename = "move")]
    pub(crate) mv: String,
    /// Its value, seen by the side that played it.
    #[serde(flatten)]
    pub(crate) value: ValueAnswer,
    /// The best move.
    pub(crate) best: Option<String>,
    /// The same in the notation of the country where the game is at home, if the query asks for it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) best_native: Option<String>,
    /// The value of the best move.
    pub(crate) best_value: Option<f64>,
    /// The result of the best move, if it is certain.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) best_proven: Option<ProvenResult>,
    /// How much the move lost.
    pub(crate) loss: f64,
    /// How bad the move is; absent for good ones.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) mark: Option<MoveMark>,
    /// Depth of the search.
    pub(crate) depth: u32,
    /// The principal variation of the best move.
    pub(crate) pv: Vec<String>,
}

impl From<MoveAnalysis> for MoveEvent {
    fn from(analysis: MoveAnalysis) -> MoveEvent {
        MoveEvent {
            ply: analysis.ply,
            mover: analysis.mover,
            mv: analysis.mv,
            value: analysis.value.into(),
            best: analysis.best,
            best_native: None,
            best_value: analysis.best_value,
            best_proven: analysis.best_proven,
            loss: analysis.loss,
            mark: analysis.mark,
            depth: analysis.depth,
            pv: analysis.pv,
        }
    }
}

impl MoveEvent {
    /// Adds the native notation of the best move.
    fn name(&mut self, game: &GameHandle, at: &PositionSpec) {
        let best: Vec<String> = self.best.iter().cloned().collect();
        let native = game.native_lines(at, Some(self.ply.saturating_sub(1)), &[best]).unwrap_or_default();
        self.best_native = native.into_iter().flatten().next();
    }
}

/// The event `done`.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub(crate) struct GameDoneEvent {
    /// What each side lost.
    pub(crate) summary: GameAnalysisSummary,
}

pub(crate) async fn game_analysis(
    State(app): State<App>,
    Extension(client): Extension<Client>,
    Path(name): Path<String>,
    QueryOf(query): QueryOf<AnalysisQuery>,
) -> Result<Response, ApiError> {
    let CheckedAnalysis { game, at, engine, clamped, shown } = query.checked(&app, &name, POSITION_TIME)?;
    let seat = Arc::clone(&app.game_analyses)
        .try_acquire_owned()
        .map_err(|_| ApiError::too_many("too many games are being analysed; try again later"))?;
    stream(&app, client, Sharing::MakesRoom, shown.position, move |ticket, context, events| {
        let summary = game.analyze_moves(&at, &engine, context, &mut |event| match event {
            GameAnalysisEvent::Started { plies, engine, unit, .. } => {
                let engine = public_spec(&engine);
                events.push("start", &GameStartEvent { plies, engine, unit, clamped: clamped.clone() });
            }
            GameAnalysisEvent::Move(analysis) => {
                let mut event = MoveEvent::from(*analysis);
                if query.native {
                    event.name(&game, &at);
                }
                events.push("move", &event);
                ticket.make_room();
            }
        })?;
        events.push("done", &GameDoneEvent { summary });
        drop(seat);
        Ok(())
    })
}
