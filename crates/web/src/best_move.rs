//! `POST /api/v1/{game}/best-move`.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use axum::extract::{Extension, Path, State};
use axum::response::Response;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use tesuji_registry::{AnalysisEvent, AnalysisUpdate, EngineChoice, PlayRequest, ValueReport, public_spec};
use tesuji_task::Context;

use crate::body::{JsonBody, ok};
use crate::error::ApiError;
use crate::pool::Lane;
use crate::state::{App, Client};
use crate::thread::search;
use crate::wire::{BestMoveAnswer, LimitsBody, PositionBody};

/// A search without any limit takes this long.
pub(crate) const MOVE_TIME: Duration = Duration::from_secs(1);

/// Asks for a move to play.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub(crate) struct BestMoveBody {
    /// The position.
    #[serde(flatten)]
    pub(crate) at: PositionBody,
    /// The engine spec; the default engine of the game when absent.
    pub(crate) engine: Option<String>,
    /// When the search ends.
    pub(crate) limits: LimitsBody,
}

pub(crate) async fn best_move(
    State(app): State<App>,
    Extension(client): Extension<Client>,
    Path(name): Path<String>,
    JsonBody(body): JsonBody<BestMoveBody>,
) -> Result<Response, ApiError> {
    let game = app.game(&name)?;
    let at = body.at.spec(&app)?;
    let asked = body.limits.request(body.engine.as_ref());
    let (engine, clamped) = game.bounded(&asked, &app.bounds(&game, MOVE_TIME))?;
    // Faults of the position are told at once, not after a wait.
    let position = game.position(&at)?;
    let mut ticket = app.pool.join(client, Lane::Move)?;
    ticket.slot().await;
    app.metrics.searches.fetch_add(1, Ordering::Relaxed);
    let (request, stop) = (PlayRequest { at, engine }, Arc::clone(&ticket.stop));
    // When the client goes away this future is dropped, and the ticket cancels the search.
    let searched = search(move || {
        let (mut last, mut spec) = (AnalysisUpdate::default(), String::new());
        let context = Context::silent(&stop.cancel);
        let choice = game.choose_move(&request, context, &mut |event| match event {
            AnalysisEvent::Started { engine, .. } => spec = public_spec(&engine),
            AnalysisEvent::Update(update) => last = update,
        });
        choice.map(|choice| (choice, last, spec))
    });
    let (choice, last, engine) = searched.await??;
    drop(ticket);
    let (word, mv) = match choice {
        EngineChoice::Move { mv } => ("move", Some(mv)),
        EngineChoice::Claim => ("claim", None),
        EngineChoice::Resign => ("resign", None),
        EngineChoice::Over => ("over", None),
    };
    let line = last.lines.into_iter().find(|line| line.mv == mv);
    let (value, pv) = match line {
        Some(line) => (line.value, line.pv),
        None => (ValueReport::default(), mv.iter().cloned().collect()),
    };
    Ok(ok(&BestMoveAnswer {
        game: name,
        position: position.shown.position,
        mover: position.shown.mover,
        choice: word.to_owned(),
        mv,
        value: value.into(),
        pv,
        depth: last.depth,
        nodes: last.nodes,
        seconds: last.seconds,
        engine,
        source: last.source,
        clamped,
    }))
}
