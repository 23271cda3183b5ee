//! The page and its files.

use std::hash::{DefaultHasher, Hash, Hasher};

use axum::body::Body;
use axum::extract::{Path, State};
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};

use crate::error::ApiError;
use crate::state::App;

/// The file that is the page.
const INDEX: &str = "index.html";

/// `/`: the choice of a game.
pub(crate) async fn index(State(app): State<App>, headers: HeaderMap) -> Response {
    file(&app, INDEX, &headers)
}

/// `/{game}`: its board.
pub(crate) async fn game(
    State(app): State<App>,
    Path(name): Path<String>,
    headers: HeaderMap,
) -> Result<Response, ApiError> {
    app.game(&name)?;
    Ok(file(&app, INDEX, &headers))
}

/// `/assets/{path}`.
pub(crate) async fn asset(State(app): State<App>, Path(name): Path<String>, headers: HeaderMap) -> Response {
    file(&app, &name, &headers)
}

/// What browsers ask for by themselves.
pub(crate) async fn favicon(State(app): State<App>, headers: HeaderMap) -> Response {
    file(&app, "favicon.svg", &headers)
}

/// What robots ask for by themselves.
pub(crate) async fn robots(State(app): State<App>, headers: HeaderMap) -> Response {
    file(&app, "robots.txt", &headers)
}

fn file(app: &App, name: &str, headers: &HeaderMap) -> Response {
    let Some(asset) = app.assets.get(name) else { return ApiError::not_found("there is no such file").into_response() };
    let mut hasher = DefaultHasher::new();
    asset.bytes.hash(&mut hasher);
    let tag = format!("\"{:016x}\"", hasher.finish());
    let is_known = headers.get(header::IF_NONE_MATCH).is_some_and(|known| known.as_bytes() == tag.as_bytes());
    let mut response = if is_known {
        StatusCode::NOT_MODIFIED.into_response()
    } else {
        let mut response = Response::new(Body::from(asset.bytes.into_owned()));
        response.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static(asset.content_type));
        response
    };
    let headers = response.headers_mut();
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-cache"));
    if let Ok(tag) = HeaderValue::from_str(&tag) {
        headers.insert(header::ETAG, tag);
    }
    response
}
