//! Which request is answered by whom.

use axum::Router;
use axum::http::{StatusCode, Uri};
use axum::middleware::from_fn_with_state;
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use tower_http::catch_panic::CatchPanicLayer;

use crate::analysis::analysis;
use crate::best_move::best_move;
use crate::body::ok;
use crate::edit::edit;
use crate::error::ApiError;
use crate::exchange::{export, import};
use crate::game_analysis::game_analysis;
use crate::games::games;
use crate::mate::mate;
use crate::openapi::openapi;
use crate::position::position;
use crate::state::App;
use crate::{cluster, guard, metrics, pages, puzzles, table, tournament};

pub(crate) fn router(app: App) -> Router {
    let panics = app.clone();
    Router::new()
        .route("/", get(pages::index))
        .route("/{game}", get(pages::game))
        .route("/assets/{*path}", get(pages::asset))
        .route("/favicon.ico", get(pages::favicon))
        .route("/robots.txt", get(pages::robots))
        .route("/healthz", get(healthz))
        .route("/cluster", get(cluster::page))
        .route("/metrics", get(metrics::metrics))
        .route("/api/v1/games", get(games))
        .route("/api/v1/{game}/position", post(position))
        .route("/api/v1/{game}/best-move", post(best_move))
        .route("/api/v1/{game}/analysis", get(analysis))
        .route("/api/v1/{game}/game-analysis", get(game_analysis))
        .route("/api/v1/{game}/import", post(import))
        .route("/api/v1/{game}/export", post(export))
        .route("/api/v1/{game}/mate", post(mate))
        .route("/api/v1/{game}/table", get(table::status))
        .route("/api/v1/{game}/table/query", post(table::query))
        .route("/api/v1/{game}/table/longest", get(table::longest))
        .route("/api/v1/{game}/table/build", post(table::build).get(table::watch))
        .route("/api/v1/{game}/table/cancel", post(table::cancel))
        .route("/api/v1/{game}/edit", post(edit))
        .route("/api/v1/{game}/puzzles", get(puzzles::list))
        .route("/api/v1/{game}/puzzles/answer", post(puzzles::answer))
        .route("/api/v1/{game}/puzzles/{id}", get(puzzles::one))
        .route("/api/v1/tournament", get(tournament::overview))
        .route("/api/v1/tournament/games/{event}/{number}", get(tournament::game))
        .route("/api/v1/tournament/live", get(tournament::live))
        .route("/api/v1/cluster", get(cluster::overview))
        .route("/api/v1/openapi.json", get(openapi))
        .fallback(nothing)
        .method_not_allowed_fallback(wrong_method)
        .layer(CatchPanicLayer::custom(move |_| {
            panics.metrics.panics.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
            ApiError::broken().into_response()
        }))
        .layer(from_fn_with_state(app.clone(), guard::guard))
        .layer(from_fn_with_state(app.clone(), metrics::count))
        .with_state(app)
}

async fn healthz() -> Response {
    ok(&serde_json::json!({ "status": "ok" }))
}

async fn nothing(uri: Uri) -> ApiError {
    let known = "GET /api/v1/openapi.json lists what there is";
    ApiError::not_found(if uri.path().starts_with("/api") { known } else { "there is no such page" })
}

async fn wrong_method() -> ApiError {
    let message = "this path has another method; GET /api/v1/openapi.json lists what there is";
    ApiError::new(StatusCode::METHOD_NOT_ALLOWED, message)
}
