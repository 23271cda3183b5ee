//! `/api/v1/{game}/table`: the tablebase of a solved game, and how to build it.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::response::Response;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use tesuji_registry::{
    Error, GameHandle, LineEntry, QueryRequest, QueryResponse, TablebaseEvent, TablebaseRequest, TablebaseStatus,
};
use tesuji_task::{CancelToken, Context};
use tokio::sync::watch;

use crate::body::{JsonBody, json, ok};
use crate::error::ApiError;
use crate::events::Events;
use crate::state::App;
use crate::wire::PositionBody;

/// The tablebases of this server, by game.
#[derive(Default)]
pub(crate) struct Builds {
    builds: Mutex<HashMap<String, Build>>,
    /// What there was when somebody looked. Opening a tablebase takes longer than many searches.
    seen: Mutex<HashMap<&'static str, (Instant, TablebaseStatus)>>,
}

/// How long a tablebase that has been seen is not looked at again.
const SEEN: Duration = Duration::from_secs(5);

/// A build that runs or has ended.
#[derive(Clone)]
struct Build {
    cancel: CancelToken,
    status: watch::Receiver<BuildStatus>,
}

/// How far a build is.
#[derive(Clone, PartialEq, Debug, Default, Serialize, JsonSchema)]
pub(crate) struct BuildStatus {
    /// Whether it runs.
    pub(crate) running: bool,
    /// How much of it is done, roughly.
    pub(crate) percent: f64,
    /// What it does.
    pub(crate) text: String,
    /// The pieces on the boards that are being solved.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) pieces: Option<String>,
    /// How far from the end of the game the boards are that are being solved.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) plies: Option<u8>,
    /// Why it failed or stopped.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) error: Option<String>,
}

/// What there is of a tablebase.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub(crate) struct TableAnswer {
    /// The tablebase.
    #[serde(flatten)]
    pub(crate) status: TablebaseStatus,
    /// A build by this server.
    pub(crate) build: Option<BuildStatus>,
    /// What the smallest build gives and costs.
    pub(crate) about: String,
    /// What can be built, and what it costs.
    pub(crate) offers: Vec<TableOffer>,
}

/// A tablebase that can be built.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub(crate) struct TableOffer {
    /// The most pieces of a board; all boards when absent.
    pub(crate) pieces: Option<u8>,
    /// What it is good for and what it costs.
    pub(crate) about: String,
}

/// Asks for the value of a position.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub(crate) struct TableQuery {
    /// The position.
    #[serde(flatten)]
    pub(crate) at: PositionBody,
    /// Whether to add the best line to the end.
    pub(crate) line: bool,
}

/// The value of a position.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub(crate) struct TableValue {
    /// The value and the moves.
    #[serde(flatten)]
    pub(crate) value: QueryResponse,
    /// The best line, if asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) line: Option<Vec<LineEntry>>,
}

/// Asks for a build.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub(crate) struct BuildBody {
    /// The most pieces of a board; 0 for all boards.
    pub(crate) pieces: u8,
}

impl Default for BuildBody {
    fn default() -> BuildBody {
        BuildBody { pieces: 8 }
    }
}

fn solvable(app: &App, name: &str) -> Result<GameHandle, ApiError> {
    let game = app.game(name)?;
    if game.is_solvable() { Ok(game) } else { Err(ApiError::not_found(format!("{name} has no tablebase"))) }
}

fn folder(app: &App) -> Option<String> {
    app.config.table_folder()
}

/// Runs what reads files beside the other requests.
async fn aside<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> Result<T, ApiError> {
    tokio::task::spawn_blocking(work).await.map_err(|_| ApiError::broken())
}

/// `GET /api/v1/{game}/table`.
pub(crate) async fn status(State(app): State<App>, Path(name): Path<String>) -> Result<Response, ApiError> {
    let game = solvable(&app, &name)?;
    let directory = folder(&app);
    let status = aside(move || game.tablebase_status(directory.as_deref())).await?;
    let build = app.builds.of(&name).map(|build| build.status.borrow().clone());
    let offer = |pieces, about: &str| TableOffer { pieces, about: about.to_owned() };
    let offers = vec![
        offer(Some(8), "all boards with up to 8 pieces: minutes, 2 GB of memory, some 100 MB on disk"),
        offer(None, "every board of the game: hours, 8 GB of memory, some GB on disk"),
    ];
    let about = offers[0].about.clone();
    Ok(ok(&TableAnswer { status, build, about, offers }))
}

/// `POST /api/v1/{game}/table/query`.
pub(crate) async fn query(
    State(app): State<App>,
    Path(name): Path<String>,
    JsonBody(body): JsonBody<TableQuery>,
) -> Result<Response, ApiError> {
    let game = solvable(&app, &name)?;
    let request = QueryRequest { at: body.at.spec(&app)?, line: body.line, directory: folder(&app) };
    let found = aside(move || game.query(&request)).await?;
    let mut value = found.map_err(|error| match error {
        // The position itself may be wrong; a missing or partial table is something to build.
        Error::Field { .. } => ApiError::from(error),
        other => ApiError::not_found(without_paths(&other)),
    })?;
    let line = value.line.take().map(|line| line.plies);
    Ok(ok(&TableValue { value, line }))
}

/// A message for strangers, who need not know the folders of this machine.
fn without_paths(error: &Error) -> String {
    tracing::debug!(%error, "no tablebase");
    "this position is not in the tablebase of this server; build it, or ask an engine".to_owned()
}

/// `GET /api/v1/{game}/table/longest`.
pub(crate) async fn longest(State(app): State<App>, Path(name): Path<String>) -> Result<Response, ApiError> {
    let game = solvable(&app, &name)?;
    let directory = folder(&app);
    let found = aside(move || game.longest_positions(directory.as_deref())).await?;
    let mut found = found.map_err(|error| ApiError::not_found(without_paths(&error)))?;
    found.command.clear();
    Ok(ok(&found))
}

/// `POST /api/v1/{game}/table/build`.
pub(crate) async fn build(
    State(app): State<App>,
    Path(name): Path<String>,
    JsonBody(body): JsonBody<BuildBody>,
) -> Result<Response, ApiError> {
    let game = solvable(&app, &name)?;
    let pieces = match body.pieces {
        0 => None,
        pieces @ 8..=10 => Some(pieces.to_string()),
        _ => return Err(ApiError::invalid("pieces", "8, 9 or 10; 0 for all boards")),
    };
    let request = TablebaseRequest { directory: folder(&app), pieces, ..TablebaseRequest::default() };
    let mut builds = app.builds.builds.lock().unwrap_or_else(PoisonError::into_inner);
    if builds.get(&name).is_some_and(|build| build.status.borrow().running) {
        return Err(ApiError::new(StatusCode::CONFLICT, "a build runs already; GET this path to watch it"));
    }
    let (send, status) = watch::channel(BuildStatus { running: true, ..BuildStatus::default() });
    let cancel = CancelToken::new();
    builds.insert(name, Build { cancel: cancel.clone(), status });
    drop(builds);
    tokio::task::spawn_blocking(move || run(&game, &request, &cancel, &send));
    Ok(json(StatusCode::ACCEPTED, &BuildStatus { running: true, ..BuildStatus::default() }))
}

fn run(game: &GameHandle, request: &TablebaseRequest, cancel: &CancelToken, send: &watch::Sender<BuildStatus>) {
    let done = game.build_tablebase(request, Context::silent(cancel), &mut |event| {
        send.send_if_modified(|status| progress(&event, status));
    });
    send.send_modify(|status| {
        status.running = false;
        match done {
            Ok(_) => (status.percent, status.text) = (100.0, "done".to_owned()),
            Err(Error::Cancelled) => status.error = Some("cancelled; another build goes on from here".to_owned()),
            Err(error) => {
                tracing::error!(%error, "a tablebase cannot be built");
                status.error = Some(public_message(&error.to_string()));
            }
        }
    });
}

/// A message for strangers, without the paths of this machine.
fn public_message(text: &str) -> String {
    let word = |word| if str::contains(word, ['/', '\\']) { "…" } else { word };
    text.split(' ').map(word).collect::<Vec<_>>().join(" ")
}

/// Takes over how much is done, where that is known, and what happens; whether the event tells any of it.
fn progress(event: &TablebaseEvent, status: &mut BuildStatus) -> bool {
    (status.pieces, status.plies) = (None, None);
    match event {
        TablebaseEvent::Solving { stage, stages, pieces, boards, layer, decided, .. } => {
            let part = *decided as f64 / (*boards).max(1) as f64;
            status.percent = (*stage as f64 + part.min(1.0)) / (*stages).max(1) as f64 * 100.0;
            status.text = format!("boards with {pieces} pieces, {layer} plies from the end");
            (status.pieces, status.plies) = (Some(pieces.clone()), Some(*layer));
        }
        TablebaseEvent::StageSolved { pieces } => status.text = format!("boards with {pieces} pieces are solved"),
        TablebaseEvent::Counting { class, done, total } => {
            status.text = format!("class {class}: {} % counted", done * 100 / (*total).max(1));
        }
        TablebaseEvent::Writing { class, done, total } => {
            status.text = format!("class {class}: {} % written", done * 100 / (*total).max(1));
        }
        _ => return false,
    }
    true
}

/// How often the progress of a build is told.
const TOLD: Duration = Duration::from_millis(200);

/// `GET /api/v1/{game}/table/build`.
pub(crate) async fn watch(State(app): State<App>, Path(name): Path<String>) -> Result<Response, ApiError> {
    solvable(&app, &name)?;
    let Some(Build { mut status, .. }) = app.builds.of(&name) else {
        return Err(ApiError::not_found("no build has been started; POST to this path starts one"));
    };
    let events = Events::default();
    let response = events.response(&app);
    let mut stopping = app.stopping.clone();
    tokio::spawn(async move {
        loop {
            let now = status.borrow_and_update().clone();
            match &now.error {
                _ if now.running => events.update("progress", &now),
                None => events.push("done", &now),
                Some(_) => events.push("failed", &now),
            }
            let stop = async { drop(stopping.wait_for(|stop| *stop).await) };
            tokio::select! {
                changed = status.changed(), if now.running => {
                    if changed.is_err() {
                        break;
                    }
                }
                () = events.gone() => break,
                () = stop => break,
            }
            if !now.running {
                break;
            }
            tokio::time::sleep(TOLD).await;
        }
        events.finish();
    });
    Ok(response)
}

/// `POST /api/v1/{game}/table/cancel`.
pub(crate) async fn cancel(State(app): State<App>, Path(name): Path<String>) -> Result<Response, ApiError> {
    solvable(&app, &name)?;
    let Some(build) = app.builds.of(&name) else { return Err(ApiError::not_found("no build has been started")) };
    build.cancel.cancel();
    Ok(ok(&BuildStatus::clone(&build.status.borrow())))
}

impl Builds {
    /// What there is of the tablebase of a game, as of a moment ago.
    pub(crate) fn tablebase(&self, game: &GameHandle, directory: Option<&str>) -> TablebaseStatus {
        if !game.is_solvable() {
            return TablebaseStatus::default();
        }
        let mut seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
        let recent = seen.get(game.name()).filter(|(at, _)| at.elapsed() < SEEN);
        match recent {
            Some((_, status)) => status.clone(),
            None => {
                let status = game.tablebase_status(directory);
                seen.insert(game.name(), (Instant::now(), status.clone()));
                status
            }
        }
    }

    fn of(&self, name: &str) -> Option<Build> {
        self.builds.lock().unwrap_or_else(PoisonError::into_inner).get(name).cloned()
    }

    /// Cancels all builds, which keeps what they have found.
    pub(crate) fn cancel(&self) {
        let builds = self.builds.lock().unwrap_or_else(PoisonError::into_inner);
        builds.values().for_each(|build| build.cancel.cancel());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_name_no_folder() {
        assert_eq!(public_message("/srv/a/tables: cannot be made: no space left"), "… cannot be made: no space left");
        assert_eq!(public_message("this needs 2000 MiB of memory"), "this needs 2000 MiB of memory");
    }
}
