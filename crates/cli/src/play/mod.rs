//! `tesuji play`: a game in the terminal, against an engine, another human, or between engines.
//!
//! The game is a session of the registry. `screen` shows it on a terminal, `lines` as plain text.

mod lines;
mod new_file;
pub(crate) mod screen;

use std::io::{IsTerminal, stdin, stdout};
use std::time::{SystemTime, UNIX_EPOCH};

use tesuji_registry::{GameHandle, RecordSource, SessionRequest, SessionView};

use crate::args;
use crate::command::load;
use crate::failure::{Done, Failure};
use crate::out::Out;
use new_file::new_file;
pub(crate) use new_file::stamp;

pub(crate) fn run(game: &GameHandle, args: &args::Play, out: &mut Out) -> Done {
    let dumb = std::env::var_os("TERM").is_some_and(|term| term == "dumb");
    let on_screen = !args.plain && !dumb && stdin().is_terminal() && stdout().is_terminal();
    let mut limits = args.limits.limits();
    if limits.level.is_some() && limits.seed.is_none() {
        limits.seed = clock_seed();
    }
    let session = game.session(&SessionRequest {
        at: args.at.spec(),
        record: args.record.as_deref().map(record_source).transpose()?,
        first: args.first.clone(),
        second: args.second.clone(),
        limits,
        save: args.save.clone().or_else(|| new_file(game)),
    })?;
    if args.japanese && session.view().native.is_none() {
        let message = format!("--japanese: {} has no Japanese names of moves; shogi has them", game.name());
        return Err(Failure::usage(message));
    }
    if on_screen {
        screen::run(game, session, args.japanese, out)
    } else {
        lines::run(game, session, args.japanese, out)
    }
}

/// Another seed for every game, so that a level does not repeat its mistakes.
fn clock_seed() -> Option<u64> {
    SystemTime::now().duration_since(UNIX_EPOCH).ok().map(|time| time.as_millis() as u64)
}

/// Where the game is saved, and how to continue it if it is not over.
///
/// # Errors
/// The latest move could not be saved.
fn saved_lines(game: &GameHandle, view: &SessionView) -> Result<Vec<String>, Failure> {
    if let Some(error) = &view.save_error {
        return Err(Failure::Failed(format!("the game is not saved: {error}")));
    }
    let Some(path) = &view.saved else { return Ok(Vec::new()) };
    let mut lines = vec![format!("the game is saved in {path}")];
    if view.ending.is_none() {
        lines.push(format!("continue it with: tesuji play {} --game {}", game.name(), quoted(path)));
    }
    Ok(lines)
}

/// A word as a shell reads it.
fn quoted(word: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "/._-+=:,@%".contains(c);
    if !word.is_empty() && word.chars().all(is_plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', "'\\''"))
    }
}

/// The records of a file, in any format.
fn record_source(file: &str) -> Result<RecordSource, Failure> {
    Ok(RecordSource { bytes: load(file)?, format: None, file: Some(file.to_owned()) })
}
