//! Bodies and query strings: read within limits, and written.

use axum::body::Body;
use axum::extract::{FromRequest, Request};
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::Response;
use http_body_util::BodyExt;
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::error::ApiError;
use crate::state::App;

/// A JSON body, whatever its content type says: the origin of a request is checked elsewhere. An empty body is `{}`.
pub(crate) struct JsonBody<T>(pub(crate) T);

impl<T: DeserializeOwned> FromRequest<App> for JsonBody<T> {
    type Rejection = ApiError;

    async fn from_request(request: Request, app: &App) -> Result<JsonBody<T>, ApiError> {
        let most = app.limits().body;
        let mut body = request.into_body();
        let mut bytes = Vec::new();
        let mut length = 0;
        let reading = async {
            while let Some(frame) = body.frame().await {
                let frame =
                    frame.map_err(|_| ApiError::new(StatusCode::BAD_REQUEST, "the body of the request broke off"))?;
                let Ok(data) = frame.into_data() else { continue };
                length += data.len();
                // A client that still sends would not see the answer: what is too much is read, up to a point, and dropped.
                match length {
                    length if length <= most => bytes.extend_from_slice(&data),
                    length if length <= DRAINED * most => bytes.clear(),
                    _ => break,
                }
            }
            Ok::<(), ApiError>(())
        };
        let read = tokio::time::timeout(app.limits().patience, reading).await;
        if length > most {
            let message = format!("a body has at most {most} bytes");
            return Err(ApiError::new(StatusCode::PAYLOAD_TOO_LARGE, message));
        }
        read.map_err(|_| ApiError::new(StatusCode::REQUEST_TIMEOUT, "the body of the request took too long"))??;
        let text: &[u8] = if bytes.trim_ascii().is_empty() { b"{}" } else { &bytes };
        serde_json::from_slice(text).map(JsonBody).map_err(|error| {
            ApiError::new(StatusCode::BAD_REQUEST, format!("the body is not the JSON expected here: {error}"))
        })
    }
}

/// So many times as much as a body may have is read of one that has too much.
const DRAINED: usize = 32;

/// A query string; every parameter at most once.
pub(crate) struct QueryOf<T>(pub(crate) T);

impl<T: DeserializeOwned> FromRequest<App> for QueryOf<T> {
    type Rejection = ApiError;

    async fn from_request(request: Request, _: &App) -> Result<QueryOf<T>, ApiError> {
        let query = request.uri().query().unwrap_or_default();
        serde_urlencoded::from_str(query)
            .map(QueryOf)
            .map_err(|error| ApiError::new(StatusCode::BAD_REQUEST, format!("the query is wrong: {error}")))
    }
}

/// An answer in JSON.
pub(crate) fn json(status: StatusCode, content: &impl Serialize) -> Response {
    let (status, bytes) = match serde_json::to_vec(content) {
        Ok(bytes) => (status, bytes),
        Err(error) => {
            tracing::error!(%error, "an answer cannot be written");
            (StatusCode::INTERNAL_SERVER_ERROR, br#"{"error":{"message":"an internal error"}}"#.to_vec())
        }
    };
    let mut response = Response::new(Body::from(bytes));
    *response.status_mut() = status;
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("application/json"));
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    response
}

/// An answer to a request that succeeded.
pub(crate) fn ok(content: &impl Serialize) -> Response {
    json(StatusCode::OK, content)
}
