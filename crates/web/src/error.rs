//! Answers that are errors.

use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use tesuji_registry::Error;

use crate::body::json;

/// Why a request was not answered.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct ApiError {
    pub(crate) status: StatusCode,
    pub(crate) fault: Fault,
}

/// What is wrong, and where.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
pub(crate) struct Fault {
    /// What is wrong, and what would be right.
    pub(crate) message: String,
    /// The field of the request.
    #[serde(default, rename = "where", skip_serializing_if = "Option::is_none")]
    pub(crate) at: Option<String>,
}

/// The body of an answer that is an error.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
pub(crate) struct ErrorBody {
    /// What is wrong.
    pub(crate) error: Fault,
}

/// Seconds after which a client that asks for too much may try again.
const RETRY_AFTER: &str = "1";

impl ApiError {
    pub(crate) fn new(status: StatusCode, message: impl Into<String>) -> ApiError {
        ApiError { status, fault: Fault { message: message.into(), at: None } }
    }

    pub(crate) fn invalid(at: &str, message: impl Into<String>) -> ApiError {
        ApiError { status: StatusCode::BAD_REQUEST, fault: Fault { message: message.into(), at: Some(at.to_owned()) } }
    }

    pub(crate) fn not_found(message: impl Into<String>) -> ApiError {
        ApiError::new(StatusCode::NOT_FOUND, message)
    }

    pub(crate) fn too_many(message: impl Into<String>) -> ApiError {
        ApiError::new(StatusCode::TOO_MANY_REQUESTS, message)
    }

    /// A search ended without an answer.
    pub(crate) fn broken() -> ApiError {
        ApiError::new(StatusCode::INTERNAL_SERVER_ERROR, "an internal error; the server goes on")
    }

    pub(crate) fn body(&self) -> ErrorBody {
        ErrorBody { error: self.fault.clone() }
    }
}

impl From<Error> for ApiError {
    fn from(error: Error) -> ApiError {
        match error {
            Error::Invalid(message) => ApiError::new(StatusCode::BAD_REQUEST, message),
            Error::Field { field, message } => ApiError::invalid(field, message),
            // Such messages name files and folders of this machine, which are nobody else's business.
            Error::Failed(message) => {
                tracing::error!(message, "a request failed");
                ApiError::new(StatusCode::INTERNAL_SERVER_ERROR, "the server could not do this; its log says why")
            }
            Error::Cancelled => ApiError::new(StatusCode::SERVICE_UNAVAILABLE, "the server is stopping"),
        }
    }
}

impl IntoResponse for ApiError {
    fn into_response(self) -> Response {
        let mut response = json(self.status, &self.body());
        if matches!(self.status, StatusCode::TOO_MANY_REQUESTS | StatusCode::SERVICE_UNAVAILABLE) {
            response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from_static(RETRY_AFTER));
        }
        response
    }
}
