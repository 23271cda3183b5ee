//! The command line of tesuji, over any list of games: the shipped ones, or one of your own.
//!
//! One file per command in `command`. A command builds a request from its arguments, passes it to the registry and
//! renders the response. Results go to standard output, everything else to standard error.

#[macro_use]
mod stderr;

mod args;
mod command;
mod draw;
mod failure;
mod input;
mod interrupt;
mod log;
mod out;
mod play;
#[cfg(unix)]
mod signals;

use std::ffi::OsString;
use std::process::ExitCode;

use clap::error::ErrorKind;

use tesuji_registry::Registry;

use crate::failure::Failure;
use crate::out::Out;

/// Runs the command line of this process over these games.
///
/// With one game alone its name may be left out: `tictactoe perft 9`.
pub fn run(registry: &Registry) -> ExitCode {
    let words = args::arranged(registry, std::env::args_os().collect());
    match args::parse(registry, &words) {
        Ok(args) => {
            let mut out = Out::new(&args.global);
            let done = command::run(registry, args, &mut out).and_then(|()| out.flush());
            done.map_or_else(|failure| failure.report(), |()| ExitCode::SUCCESS)
        }
        Err(error) if matches!(error.kind(), ErrorKind::DisplayHelp | ErrorKind::DisplayVersion) => {
            // Nothing is left to do about a closed terminal.
            let _ = error.print();
            ExitCode::SUCCESS
        }
        Err(error) => Failure::usage(args::one_line(registry, args::command(registry), &words, &error)).report(),
    }
}

/// The words of a command line.
type Words = Vec<OsString>;
