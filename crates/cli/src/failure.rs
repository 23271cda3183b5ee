//! Why a command did not succeed, and the exit code that says so.

use std::fmt;
use std::io;
use std::process::ExitCode;

use tesuji_registry::Error;

/// What went wrong.
#[derive(Debug)]
pub(crate) enum Failure {
    /// The work failed, or the answer is "no"; what there is to say has been said.
    No,
    /// The work failed, for a reason still to be told.
    Failed(String),
    /// Bad input: names it, the place in it, and what would be right.
    Usage(String),
    /// Nobody reads our output any more, which is their good right.
    Closed,
    /// Writing failed.
    Write(io::Error),
}

impl Failure {
    /// The exit code of usage errors and bad input.
    pub(crate) const USAGE: u8 = 2;

    pub(crate) fn usage(message: impl Into<String>) -> Failure {
        Failure::Usage(message.into())
    }

    /// Tells the user and gives the exit code.
    pub(crate) fn report(self) -> ExitCode {
        match self {
            Failure::Closed => ExitCode::SUCCESS,
            Failure::No => ExitCode::FAILURE,
            Failure::Usage(_) => {
                eprintln!("tesuji: {self}");
                ExitCode::from(Failure::USAGE)
            }
            Failure::Failed(_) | Failure::Write(_) => {
                eprintln!("tesuji: {self}");
                ExitCode::FAILURE
            }
        }
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Failure::No => f.write_str("no"),
            Failure::Closed => f.write_str("nobody reads the output"),
            Failure::Failed(message) | Failure::Usage(message) => f.write_str(message),
            Failure::Write(error) => write!(f, "cannot write the output: {error}"),
        }
    }
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Failure {
        if error.kind() == io::ErrorKind::BrokenPipe { Failure::Closed } else { Failure::Write(error) }
    }
}

impl From<Error> for Failure {
    fn from(error: Error) -> Failure {
        match error {
            Error::Invalid(message) => Failure::Usage(message),
            Error::Field { field, message } => Failure::Usage(format!("--{field}: {message}")),
            Error::Failed(message) => Failure::Failed(message),
            Error::Cancelled => Failure::No,
        }
    }
}

/// What a command gives back.
pub(crate) type Done = Result<(), Failure>;
