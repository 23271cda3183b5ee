//! Why a request was not answered.

/// Why a request was not answered. A front end turns it into an exit code or a status.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Error {
    /// Bad input: the message names it, the place in it, and what would be right.
    #[error("{0}")]
    Invalid(String),
    /// Bad input in one field of the request.
    #[error("{field}: {message}")]
    Field {
        /// The field, as the request calls it.
        field: &'static str,
        /// What is wrong with it.
        message: String,
    },
    /// The work failed.
    #[error("{0}")]
    Failed(String),
    /// The operation was cancelled.
    #[error("cancelled")]
    Cancelled,
}

impl Error {
    /// Bad input.
    pub fn invalid(message: impl ToString) -> Error {
        Error::Invalid(message.to_string())
    }

    /// Bad input in one field of the request.
    pub fn field(field: &'static str, message: impl ToString) -> Error {
        Error::Field { field, message: message.to_string() }
    }

    /// The work failed.
    pub fn failed(message: impl ToString) -> Error {
        Error::Failed(message.to_string())
    }
}
