//! `POST /api/v1/{game}/mate`: a forced mate, played out.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use axum::extract::{Extension, Path, State};
use axum::response::Response;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use tesuji_registry::{ClampedSetting, MateEvent, MateRequest, MateSolution, duration};
use tesuji_task::Context;

use crate::body::{JsonBody, ok};
use crate::error::ApiError;
use crate::pool::Lane;
use crate::state::{App, Client};
use crate::thread::search;
use crate::wire::{LimitsBody, PositionBody};

/// Asks for a mate.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub(crate) struct MateBody {
    /// The position.
    #[serde(flatten)]
    pub(crate) at: PositionBody,
    /// When the search ends: by time or nodes.
    pub(crate) limits: LimitsBody,
    /// The longest mate asked for, in plies.
    pub(crate) max: Option<u32>,
}

/// A mate, or none.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub(crate) struct MateAnswer {
    /// What was found.
    #[serde(flatten)]
    pub(crate) solution: MateSolution,
    /// What was cut down.
    pub(crate) clamped: Vec<ClampedSetting>,
}

pub(crate) async fn mate(
    State(app): State<App>,
    Extension(client): Extension<Client>,
    Path(name): Path<String>,
    JsonBody(body): JsonBody<MateBody>,
) -> Result<Response, ApiError> {
    let game = app.game(&name)?;
    if !game.has_mate_solver() {
        return Err(ApiError::not_found(format!("{name} has no mates to solve; shogi has")));
    }
    let position = game.position(&body.at.spec(&app)?)?.shown.position;
    let mut clamped = Vec::new();
    let most = app.limits().time;
    let mut time = crate::best_move::MOVE_TIME.min(most);
    if let Some(text) = &body.limits.time {
        time = duration(text).map_err(|error| ApiError::invalid("time", error.to_string()))?;
        if time > most {
            let used = format!("{}ms", most.as_millis());
            clamped.push(ClampedSetting { field: "time".to_owned(), asked: text.clone(), used });
            time = most;
        }
    }
    let request = MateRequest {
        source: tesuji_registry::RecordSource { bytes: position.into_bytes(), format: None, file: None },
        max: body.max.unwrap_or(31).min(1999),
        time: Some(time),
        nodes: body.limits.nodes,
        hash: app.limits().hash,
        threads: Some(1),
        ..MateRequest::default()
    };
    let mut ticket = app.pool.join(client, Lane::Move)?;
    ticket.slot().await;
    app.metrics.searches.fetch_add(1, Ordering::Relaxed);
    let stop = Arc::clone(&ticket.stop);
    let searched = search(move || {
        let mut found: Option<MateSolution> = None;
        let done = game.solve_mates(&request, Context::silent(&stop.cancel), &mut |event| {
            if let MateEvent::Searched(solution) = event {
                found = Some(solution);
            }
        });
        done.map(|_| found)
    });
    let found = searched.await??;
    drop(ticket);
    Ok(ok(&MateAnswer { solution: found.ok_or_else(ApiError::broken)?, clamped }))
}
