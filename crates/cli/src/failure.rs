//! Why a command did not succeed, and the exit code that says so.

use std::io;
use std::process::ExitCode;

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
            Failure::Failed(message) => {
                eprintln!("tesuji: {message}");
                ExitCode::FAILURE
            }
            Failure::Usage(message) => {
                eprintln!("tesuji: {message}");
                ExitCode::from(Failure::USAGE)
            }
            Failure::Write(error) => {
                eprintln!("tesuji: cannot write the output: {error}");
                ExitCode::FAILURE
            }
        }
    }
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Failure {
        if error.kind() == io::ErrorKind::BrokenPipe { Failure::Closed } else { Failure::Write(error) }
    }
}

/// What a command gives back.
pub(crate) type Done = Result<(), Failure>;
