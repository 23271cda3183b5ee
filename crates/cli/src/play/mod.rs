//! `tesuji play`: a game in the terminal, against an engine, another person, or between engines.
//!
//! `sitting` knows the game and who plays it; `screen` shows it on a terminal, `lines` in plain text where
//! there is none.

mod keep;
mod lines;
mod screen;
mod seat;
mod sitting;

use std::io::{IsTerminal, stdin, stdout};

use crate::args::{self, Source};
use crate::command::{each_record, reach};
use crate::entry::{CliGame, Playable};
use crate::failure::{Done, Failure};
use crate::out::Out;
use keep::Keeper;
pub(crate) use keep::stamp;
use seat::Seat;
use sitting::Sitting;

const HUMAN: &str = "human";

pub(crate) fn run<G: Playable>(shelf: &CliGame<G>, args: &args::Play, out: &mut Out) -> Done {
    let record = match &args.record {
        None => reach::<G>(&args.at)?,
        Some(file) => load::<G>(&args.at.game, file)?,
    };
    let specs = seats(args.first.as_deref(), args.second.as_deref(), shelf.engines.default);
    let [first, second] = specs.map(|spec| Seat::new(shelf, spec, &args.limits.limits()));
    let helper = Seat::new(shelf, shelf.engines.default, &args.limits.limits())?;
    let dumb = std::env::var_os("TERM").is_some_and(|term| term == "dumb");
    let on_screen = !args.plain && !dumb && stdin().is_terminal() && stdout().is_terminal();
    let keeper = match (&args.save, on_screen) {
        (Some(file), _) => Some(Keeper::at::<G>(file)?),
        (None, true) => Some(Keeper::anywhere::<G>()),
        (None, false) => None,
    };
    let sitting = Sitting::new(record, [first?, second?], helper, keeper, shelf.claim);
    if on_screen { screen::run(sitting, out) } else { lines::run(sitting, out) }
}

/// Who plays: where only one seat is taken the other goes to a person, or to the engine if a person sits there.
fn seats<'a>(first: Option<&'a str>, second: Option<&'a str>, engine: &'a str) -> [&'a str; 2] {
    let opposite = |taken: &str| if taken == HUMAN { engine } else { HUMAN };
    match (first, second) {
        (None, None) => [HUMAN, engine],
        (Some(first), None) => [first, opposite(first)],
        (None, Some(second)) => [opposite(second), second],
        (Some(first), Some(second)) => [first, second],
    }
}

/// The first record of a file.
fn load<G: Playable>(game: &str, file: &str) -> Result<tesuji_game::Record<G>, Failure> {
    let source = Source { game: game.to_owned(), file: file.to_owned(), format: None };
    let mut found = None;
    each_record::<G>(&source, |_, reading| {
        found.get_or_insert(reading);
        Ok(())
    })?;
    let reading = found.ok_or_else(|| Failure::usage(format!("{file:?} holds no record")))?;
    match reading.fault {
        Some(fault) => Err(Failure::usage(format!("{file:?}: {fault}"))),
        None => Ok(reading.record),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_other_seat() {
        assert_eq!(seats(None, None, "e"), ["human", "e"]);
        assert_eq!(seats(Some("human"), None, "e"), ["human", "e"]);
        assert_eq!(seats(Some("random"), None, "e"), ["random", "human"]);
        assert_eq!(seats(None, Some("human"), "e"), ["e", "human"]);
        assert_eq!(seats(None, Some("random"), "e"), ["human", "random"]);
    }
}
