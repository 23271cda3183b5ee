//! `POST /api/v1/{game}/position`.

use axum::extract::{Path, State};
use axum::response::Response;
use tesuji_registry::{GameHandle, PositionResponse, PositionSpec};

use crate::body::{JsonBody, ok};
use crate::error::ApiError;
use crate::state::App;
use crate::wire::PositionBody;

/// Longer games are replayed on another thread, so that they hold nobody up.
const LONG: usize = 2000;

pub(crate) async fn position(
    State(app): State<App>,
    Path(name): Path<String>,
    JsonBody(body): JsonBody<PositionBody>,
) -> Result<Response, ApiError> {
    let game = app.game(&name)?;
    let at = body.spec(&app)?;
    Ok(ok(&answer(game, at).await?))
}

/// What there is to say about a position.
pub(crate) async fn answer(game: GameHandle, at: PositionSpec) -> Result<PositionResponse, ApiError> {
    let length = |text: &Option<String>| text.as_ref().map_or(0, String::len);
    let answer = if length(&at.moves) + length(&at.position) > LONG {
        tokio::task::spawn_blocking(move || game.position(&at)).await.map_err(|_| ApiError::broken())?
    } else {
        game.position(&at)
    };
    Ok(answer?)
}
