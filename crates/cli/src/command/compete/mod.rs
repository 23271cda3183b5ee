//! `tesuji match` and `tesuji tournament`: games between engines, played by the arena, shown here.

mod describe;
mod live;
mod tables;

use std::path::Path;
use std::thread::available_parallelism;

use serde_json::json;
use tesuji_arena::{TournamentConfig, EventError, EventRunner, Finish, Tournament, TournamentError};
use tesuji_search::CancelToken;

use crate::Entry;
use crate::args::{self, TournamentVerb};
use crate::failure::{Done, Failure};
use crate::out::Out;
use crate::think::raise_on_interrupt;
use live::Live;
pub(crate) use tables::tell_events;

pub(crate) fn run_match(games: &[Entry], args: &args::Match, out: &mut Out) -> Done {
    let config = rooted(describe::match_of(args)?);
    let runners = |config: &TournamentConfig, index: usize| runner(games, config, index);
    let tournament = match &args.out {
        None => Tournament::in_memory(config, &runners),
        Some(folder) => Tournament::create(folder, config, &runners),
    };
    let tournament = tournament.map_err(|error| refused(&error))?;
    conduct(games, tournament, args.out.as_deref(), args.json.json.then_some("match"), out)
}

pub(crate) fn run_tournament(games: &[Entry], args: &args::Tournament, out: &mut Out) -> Done {
    let runners = |config: &TournamentConfig, index: usize| runner(games, config, index);
    let (tournament, folder, json) = match &args.verb {
        TournamentVerb::Run { config, out: folder, json } => {
            let shown = config.display();
            let text = std::fs::read_to_string(config)
                .map_err(|error| Failure::usage(format!("cannot read {shown}: {error}")))?;
            let config = TournamentConfig::parse(&text).map_err(|error| Failure::usage(format!("{shown}: {error}")))?;
            (Tournament::create(folder, rooted(config), &runners), folder, json)
        }
        TournamentVerb::Resume { folder, json } => (Tournament::open(folder, &runners), folder, json),
    };
    let tournament = tournament.map_err(|error| refused(&error))?;
    conduct(games, tournament, Some(folder), json.json.then_some("tournament"), out)
}

/// The runner of an event, from whoever knows its game.
fn runner(games: &[Entry], config: &TournamentConfig, index: usize) -> Result<Box<dyn EventRunner>, EventError> {
    let game = config.events.get(index).map(|event| event.game.as_str()).unwrap_or_default();
    let entry = games.iter().find(|entry| entry.name() == game).ok_or_else(|| {
        let known: Vec<&str> = games.iter().map(Entry::name).collect();
        EventError::Other(format!("there is no game {game:?}; there are {}", known.join(", ")))
    })?;
    entry.tool().runner(config, index)
}

fn refused(error: &TournamentError) -> Failure {
    Failure::usage(error.to_string())
}

/// The same tournament, with files that are found again from wherever somebody goes on.
fn rooted(mut config: TournamentConfig) -> TournamentConfig {
    for event in &mut config.events {
        if let Some(path) = event.openings.file.as_deref().and_then(|file| std::path::absolute(file).ok()) {
            event.openings.file = Some(path.display().to_string());
        }
    }
    config
}

/// Plays what is missing and tells what came of it.
fn conduct(
    games: &[Entry],
    mut tournament: Tournament,
    folder: Option<&Path>,
    schema: Option<&'static str>,
    out: &mut Out,
) -> Done {
    let stop = CancelToken::new();
    raise_on_interrupt(&stop);
    let config = tournament.config().clone();
    let cores = available_parallelism().map_or(1, usize::from);
    let mut live = Live::new(&config, schema, out);
    let finish = tournament.run(cores, &stop, &mut |news| live.hear(news, out));
    live.finish()?;
    let finish = finish.map_err(|error| Failure::Failed(error.to_string()))?;
    tell_events(&config, tournament.journal(), schema, &|_| true, out)?;
    let mut files = Vec::new();
    if let Some(folder) = folder {
        files = tables::keep(games, &tournament, folder).map_err(Failure::Failed)?;
    }
    if schema.is_some() {
        let missing = match finish {
            Finish::Complete => 0,
            Finish::Interrupted(missing) | Finish::Incomplete(missing) => missing,
        };
        out.json(schema.unwrap_or_default(), json!({ "event": "end", "missing": missing, "files": files }))?;
    } else if !files.is_empty() {
        out.line("")?;
        files.iter().try_for_each(|file| out.line(format_args!("written: {file}")))?;
    }
    match finish {
        Finish::Complete => Ok(()),
        Finish::Interrupted(missing) => Err(Failure::Failed(match folder {
            Some(folder) => format!(
                "interrupted, {missing} games are missing; go on with: tesuji tournament resume {}",
                quoted(folder)
            ),
            None => format!(
                "interrupted, {missing} games are missing; with --out DIR a match can go on where it was"
            ),
        })),
        Finish::Incomplete(missing) => {
            Err(Failure::Failed(format!("{missing} games could not be played, see above")))
        }
    }
}

/// A path as a shell reads it.
fn quoted(path: &Path) -> String {
    let text = path.display().to_string();
    let plain = |c: char| c.is_ascii_alphanumeric() || "/._-+:=@%".contains(c);
    if text.chars().all(plain) { text } else { format!("'{}'", text.replace('\'', r"'\''")) }
}
