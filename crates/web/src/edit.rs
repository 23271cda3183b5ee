//! `POST /api/v1/{game}/edit`: the position that was set up on a board.

use axum::extract::{Path, State};
use axum::response::Response;
use tesuji_registry::{EditedBoard, PositionSpec};

use crate::body::{JsonBody, ok};
use crate::error::ApiError;
use crate::state::App;

pub(crate) async fn edit(
    State(app): State<App>,
    Path(name): Path<String>,
    JsonBody(board): JsonBody<EditedBoard>,
) -> Result<Response, ApiError> {
    let game = app.game(&name)?;
    let position = Some(game.compose(&board)?);
    Ok(ok(&game.position(&PositionSpec { position, ..PositionSpec::default() })?))
}
