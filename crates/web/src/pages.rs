//! The page and its files.

use std::hash::{DefaultHasher, Hash, Hasher};

use axum::body::Body;
use axum::extract::{Path, RawQuery, State};
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::{Deserialize, Serialize};
use tesuji_registry::PositionResponse;

use crate::assets::Asset;
use crate::error::ApiError;
use crate::games::GamesAnswer;
use crate::position::answer;
use crate::state::App;
use crate::wire::{MoveList, PositionBody};

/// The file that is the page.
const INDEX: &str = "index.html";

/// Where the page has what it needs first, so that it need not ask.
const START: &str = "<!-- start -->";

/// What a page needs first: the games and, on the page of one, the position of its address.
#[derive(Serialize)]
struct Start<'a> {
    games: &'a GamesAnswer,
    #[serde(skip_serializing_if = "Option::is_none")]
    position: Option<StartPosition>,
}

#[derive(Serialize)]
struct StartPosition {
    game: String,
    asked: PositionBody,
    answer: Box<PositionResponse>,
}

/// The part of an address that is a position.
#[derive(Default, Deserialize)]
#[serde(default)]
struct Address {
    position: Option<String>,
    moves: Option<String>,
}

/// `/`: the choice of a game.
pub(crate) async fn index(State(app): State<App>, headers: HeaderMap) -> Response {
    page(&app, None, &headers)
}

/// `/{game}`: its board.
pub(crate) async fn game(
    State(app): State<App>,
    Path(name): Path<String>,
    RawQuery(query): RawQuery,
    headers: HeaderMap,
) -> Result<Response, ApiError> {
    let handle = match app.game(&name) {
        Ok(handle) => handle,
        // Somebody who typed the address sees where to go; a program is told by words.
        Err(_)
            if headers
                .get(header::ACCEPT)
                .is_some_and(|types| types.to_str().is_ok_and(|text| text.contains("text/html"))) =>
        {
            let mut response = page(&app, None, &headers);
            *response.status_mut() = StatusCode::NOT_FOUND;
            return Ok(response);
        }
        Err(error) => return Err(error),
    };
    // What is wrong with an address is told by the page, which asks again.
    let address: Address = serde_urlencoded::from_str(&query.unwrap_or_default()).unwrap_or_default();
    let moves = address.moves.unwrap_or_default();
    let moves = moves.split([' ', ',', '\n', '\t']).filter(|word| !word.is_empty()).map(str::to_owned).collect();
    let asked = PositionBody { position: address.position, moves: Some(MoveList::List(moves)), previous: None };
    let answer = match asked.spec(&app) {
        Ok(at) => answer(handle, at).await.ok(),
        Err(_) => None,
    };
    let position = answer.map(|answer| StartPosition { game: name, asked, answer: Box::new(answer) });
    Ok(page(&app, position, &headers))
}

fn page(app: &App, position: Option<StartPosition>, headers: &HeaderMap) -> Response {
    let Some(Asset { bytes, content_type }) = app.assets.get(INDEX) else {
        return ApiError::not_found("there is no such file").into_response();
    };
    let start = serde_json::to_string(&Start { games: app.games(), position }).unwrap_or_default();
    // A data block, which no browser runs; nothing in it ends it early.
    let block = format!("<script type=\"application/json\" id=\"start\">{}</script>", start.replace('<', "\\u003c"));
    let bytes = String::from_utf8_lossy(&bytes).replacen(START, &block, 1).into_bytes();
    answer_file(Asset { bytes: bytes.into(), content_type }, headers)
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
    match app.assets.get(name) {
        Some(asset) => answer_file(asset, headers),
        None => ApiError::not_found("there is no such file").into_response(),
    }
}

fn answer_file(asset: Asset, headers: &HeaderMap) -> Response {
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
