//! Defaults that depend on the command, for its help.

use clap::Command;

use super::games::at;

/// The time per move of a command without any limit.
const TIMES: &[(&[&str], &str)] = &[(&["play"], "1s"), (&["best-move"], "1s"), (&["analyze"], "5s, with --game 500ms")];

/// Adds the defaults to the help.
pub(super) fn add(command: Command) -> Command {
    TIMES.iter().fold(command, |command, (path, time)| {
        let help = format!("Time per move: 250ms, 1s, 2m [default: {time}, if nothing else limits the search]");
        at(command, path, &mut |command| command.mut_arg("time", |arg| arg.help(help.clone())))
    })
}
