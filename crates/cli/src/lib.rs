//! The command line of tesuji, over any list of games: the shipped ones, or one of your own.
//!
//! One file per command in `command`. A command builds a request from its arguments, passes it to the registry and
//! renders the response. Results go to standard output, everything else to standard error.

mod args;
mod command;
mod draw;
mod failure;
mod interrupt;
mod out;
mod play;

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
    let words = args::imply_game(registry, std::env::args_os().collect());
    match args::parse(registry, words) {
        Ok(args) => {
            let mut out = Out::new(args.color, args.quiet);
            let done = command::run(registry, args, &mut out).and_then(|()| out.flush());
            done.map_or_else(|failure| failure.report(), |()| ExitCode::SUCCESS)
        }
        Err(error) => {
            let help = matches!(error.kind(), ErrorKind::DisplayHelp | ErrorKind::DisplayVersion);
            // Nothing is left to do about a closed terminal.
            let _ = error.print();
            if help { ExitCode::SUCCESS } else { ExitCode::from(Failure::USAGE) }
        }
    }
}

/// The words of a command line.
type Words = Vec<OsString>;
