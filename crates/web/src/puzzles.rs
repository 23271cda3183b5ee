//! `/api/v1/{game}/puzzles`: positions with exactly one proven solution, and feedback to answers.

use std::sync::Arc;

use axum::extract::{Extension, Path, State};
use axum::response::Response;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use tesuji_registry::{GameHandle, PuzzleAnswerRequest, PuzzleListRequest, PuzzleTask};
use tesuji_task::Context;

use crate::body::{JsonBody, QueryOf, ok};
use crate::error::ApiError;
use crate::pool::Lane;
use crate::state::{App, Client};

/// Which puzzles.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub(crate) struct PuzzleQuery {
    /// The least difficulty, from 1 (easy) to 10 (hard).
    pub(crate) from: Option<u32>,
    /// The greatest difficulty.
    pub(crate) to: Option<u32>,
}

/// The puzzles of a game, without their solutions.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub(crate) struct PuzzlesAnswer {
    /// The puzzles.
    pub(crate) puzzles: Vec<PuzzleTask>,
}

fn puzzling(app: &App, name: &str) -> Result<GameHandle, ApiError> {
    let game = app.game(name)?;
    if game.has_puzzles() { Ok(game) } else { Err(ApiError::not_found(format!("{name} has no puzzles"))) }
}

/// `GET /api/v1/{game}/puzzles`.
pub(crate) async fn list(
    State(app): State<App>,
    Path(name): Path<String>,
    QueryOf(query): QueryOf<PuzzleQuery>,
) -> Result<Response, ApiError> {
    let game = puzzling(&app, &name)?;
    let puzzles = game.list_puzzles(&PuzzleListRequest { from: query.from, to: query.to })?;
    Ok(ok(&PuzzlesAnswer { puzzles }))
}

/// `GET /api/v1/{game}/puzzles/{id}`: with its solution.
pub(crate) async fn one(
    State(app): State<App>,
    Path((name, id)): Path<(String, String)>,
) -> Result<Response, ApiError> {
    let game = puzzling(&app, &name)?;
    Ok(ok(&game.puzzle(&id).map_err(|error| ApiError::not_found(error.to_string()))?))
}

/// `POST /api/v1/{game}/puzzles/answer`.
pub(crate) async fn answer(
    State(app): State<App>,
    Extension(client): Extension<Client>,
    Path(name): Path<String>,
    JsonBody(request): JsonBody<PuzzleAnswerRequest>,
) -> Result<Response, ApiError> {
    let game = puzzling(&app, &name)?;
    let mut ticket = app.pool.join(client, Lane::Move)?;
    ticket.slot().await;
    let stop = Arc::clone(&ticket.stop);
    let checked = tokio::task::spawn_blocking(move || game.check_answer(&request, Context::silent(&stop.cancel)));
    let feedback = checked.await.map_err(|_| ApiError::broken())??;
    drop(ticket);
    Ok(ok(&feedback))
}
