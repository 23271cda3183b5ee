//! `tesuji play`: a game in the terminal, against an engine, another human, or between engines.
//!
//! The game is a session of the registry. `screen` shows it on a terminal, `lines` as plain text.

mod lines;
mod new_file;
mod screen;

use std::io::{IsTerminal, stdin, stdout};

use tesuji_registry::{GameHandle, RecordSource, SessionRequest};

use crate::args;
use crate::command::load;
use crate::failure::{Done, Failure};
use crate::out::Out;
use new_file::new_file;
pub(crate) use new_file::stamp;

pub(crate) fn run(game: &GameHandle, args: &args::Play, out: &mut Out) -> Done {
    let dumb = std::env::var_os("TERM").is_some_and(|term| term == "dumb");
    let on_screen = !args.plain && !dumb && stdin().is_terminal() && stdout().is_terminal();
    let session = game.session(&SessionRequest {
        at: args.at.spec(),
        record: args.record.as_deref().map(record_source).transpose()?,
        first: args.first.clone(),
        second: args.second.clone(),
        limits: args.limits.limits(),
        save: args.save.clone().or_else(|| on_screen.then(|| new_file(game))),
    })?;
    if on_screen { screen::run(game, session, out) } else { lines::run(game, session, out) }
}

/// The records of a file, in any format.
fn record_source(file: &str) -> Result<RecordSource, Failure> {
    Ok(RecordSource { bytes: load(file)?, format: None, file: Some(file.to_owned()) })
}
