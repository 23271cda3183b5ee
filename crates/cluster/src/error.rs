//! What goes wrong between us and the database, and what to do about it.

use postgres::error::SqlState;
use thiserror::Error;

/// Why something with the cluster did not succeed.
#[derive(Debug, Error)]
pub enum ClusterError {
    /// Bad input, rights or settings: the message says what would be right.
    #[error("{0}")]
    Invalid(String),
    /// The database cannot be reached or cannot answer now; another attempt may succeed.
    #[error("{0}")]
    Unavailable(String),
    /// The lease of the worker has ended: its units are queued again.
    #[error("the lease has ended, the units are queued again")]
    LeaseEnded,
    /// The work failed.
    #[error("{0}")]
    Failed(String),
    /// The operation was cancelled.
    #[error("cancelled")]
    Cancelled,
}

/// The state that the functions of the schema raise for a worker that is no longer alive.
const LEASE_ENDED: &str = "TJ001";

impl ClusterError {
    /// Whether another attempt may succeed.
    pub fn is_transient(&self) -> bool {
        matches!(self, ClusterError::Unavailable(_))
    }
}

impl From<postgres::Error> for ClusterError {
    fn from(error: postgres::Error) -> ClusterError {
        let Some(found) = error.as_db_error() else {
            let causes = causes(&error);
            // A certificate does not become valid by waiting.
            if causes.contains("certificate") || causes.contains("TLS") {
                return ClusterError::Invalid(format!(
                    "no trusted TLS connection to PostgreSQL: {causes}; give the certificate authority by sslrootcert=FILE, or \
                     sslmode=disable in a network that you trust"
                ));
            }
            return match causes.contains("authentication") || causes.contains("password missing") {
                true => ClusterError::Invalid(format!("PostgreSQL did not let us in: {causes}")),
                false => ClusterError::Unavailable(format!("PostgreSQL cannot be reached: {causes}")),
            };
        };
        let (code, message) = (found.code(), found.message());
        match code.code() {
            LEASE_ENDED => ClusterError::LeaseEnded,
            _ if *code == SqlState::INVALID_PASSWORD || *code == SqlState::INVALID_AUTHORIZATION_SPECIFICATION => {
                ClusterError::Invalid(format!(
                    "PostgreSQL did not let us in: {message}; check the user and the password of --db, or PGPASSWORD"
                ))
            }
            _ if *code == SqlState::INVALID_CATALOG_NAME => {
                ClusterError::Invalid(format!("{message}; create it with: createdb NAME"))
            }
            _ if *code == SqlState::INSUFFICIENT_PRIVILEGE => ClusterError::Invalid(format!(
                "the rights of this user do not suffice: {message}; workers need the role tesuji_worker, submitters \
                 tesuji_submitter: GRANT tesuji_worker TO name"
            )),
            _ if *code == SqlState::UNDEFINED_TABLE
                || *code == SqlState::UNDEFINED_FUNCTION
                || *code == SqlState::INVALID_SCHEMA_NAME =>
            {
                ClusterError::Invalid(format!(
                    "{message}: the schema is missing or old; run `tesuji cluster init` as its owner"
                ))
            }
            // Connections (08), resources such as disk and connections (53), an operator (57), the system (58), and
            // transactions that got into each other's way (40).
            code if ["08", "40", "53", "57", "58"].iter().any(|class| code.starts_with(class)) => {
                ClusterError::Unavailable(format!("PostgreSQL: {message} ({code})"))
            }
            // A file that cannot grow is a full disk, too, by another name.
            code if message.starts_with("could not extend file") || message.starts_with("could not write") => {
                ClusterError::Unavailable(format!("PostgreSQL: {message} ({code})"))
            }
            code => ClusterError::Failed(format!("PostgreSQL: {message} ({code})")),
        }
    }
}

/// An error with its causes in one line.
fn causes(error: &dyn std::error::Error) -> String {
    let mut text = error.to_string();
    let mut source = error.source();
    while let Some(cause) = source {
        let cause_text = cause.to_string();
        if !text.ends_with(&cause_text) {
            text.push_str(": ");
            text.push_str(&cause_text);
        }
        source = cause.source();
    }
    text
}

impl From<tesuji_registry::Error> for ClusterError {
    fn from(error: tesuji_registry::Error) -> ClusterError {
        match error {
            tesuji_registry::Error::Cancelled => ClusterError::Cancelled,
            tesuji_registry::Error::Failed(message) => ClusterError::Failed(message),
            error => ClusterError::Invalid(error.to_string()),
        }
    }
}
