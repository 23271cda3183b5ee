//! `POST /api/v1/{game}/import` and `/export`.

use axum::extract::{Path, State};
use axum::response::Response;
use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use tesuji_registry::{ImportRequest, RecordExportRequest};

use crate::body::{JsonBody, ok};
use crate::error::ApiError;
use crate::state::App;

/// More records are counted, not told.
const RECORDS: usize = 1000;

/// Asks for the records in a text.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub(crate) struct ImportBody {
    /// The text.
    pub(crate) text: Option<String>,
    /// A file in base64 instead, for formats that are not text.
    pub(crate) bytes: Option<String>,
    /// The format; detected when absent.
    pub(crate) format: Option<String>,
}

/// A record in a format.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub(crate) struct ExportAnswer {
    /// The format.
    pub(crate) format: String,
    /// The usual ending of file names.
    pub(crate) extension: String,
    /// The file, if it is text.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) text: Option<String>,
    /// The file in base64, if it is not.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) bytes: Option<String>,
    /// What the format cannot keep.
    pub(crate) lost: Vec<String>,
}

pub(crate) async fn import(
    State(app): State<App>,
    Path(name): Path<String>,
    JsonBody(body): JsonBody<ImportBody>,
) -> Result<Response, ApiError> {
    let game = app.game(&name)?;
    let bytes = match (body.text, body.bytes) {
        (Some(text), None) => text.into_bytes(),
        (None, Some(bytes)) => {
            BASE64_STANDARD.decode(bytes).map_err(|error| ApiError::invalid("bytes", format!("not base64: {error}")))?
        }
        _ => return Err(ApiError::invalid("text", "one of text and bytes is needed")),
    };
    let request = ImportRequest { bytes, format: body.format, records: RECORDS };
    let read = tokio::task::spawn_blocking(move || game.import(&request)).await;
    Ok(ok(&read.map_err(|_| ApiError::broken())??))
}

pub(crate) async fn export(
    State(app): State<App>,
    Path(name): Path<String>,
    JsonBody(request): JsonBody<RecordExportRequest>,
) -> Result<Response, ApiError> {
    let game = app.game(&name)?;
    if request.record.moves.len() > app.limits().moves {
        return Err(ApiError::invalid("moves", format!("a game has at most {} moves here", app.limits().moves)));
    }
    let written = tokio::task::spawn_blocking(move || game.export_record(&request)).await;
    let written = written.map_err(|_| ApiError::broken())??;
    let (text, bytes) = match String::from_utf8(written.bytes) {
        Ok(text) => (Some(text), None),
        Err(error) => (None, Some(BASE64_STANDARD.encode(error.into_bytes()))),
    };
    Ok(ok(&ExportAnswer { format: written.format, extension: written.extension, text, bytes, lost: written.lost }))
}
