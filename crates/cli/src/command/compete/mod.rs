//! `tesuji match` and `tesuji tournament`.

mod live;
mod tables;

use std::path::Path;

use tesuji_registry::{
    Competition, CompetitionEvent, CompetitionSummary, MatchRequest, Registry, SprtSettings, TournamentConfig,
};
use tesuji_task::Context;

use crate::args::{self, TournamentVerb};
use crate::failure::{Done, Failure};
use crate::out::Out;
use live::Live;
pub(crate) use tables::print_standings;

/// The match as a tournament.
pub(crate) fn match_config(registry: &Registry, args: &args::Match) -> Result<TournamentConfig, Failure> {
    let game = registry.game(&args.game)?;
    let args::Match { threads, hash, .. } = *args;
    let engine = |spec: &str| game.engine_spec(Some(spec), threads.map(usize::from), hash);
    let request = MatchRequest { engines: [engine(&args.one)?, engine(&args.two)?], ..request(args) };
    Ok(request.config()?)
}

pub(crate) fn run_match(registry: &Registry, args: &args::Match, out: &mut Out) -> Done {
    let competition = Competition::create(registry, match_config(registry, args)?, args.out.as_deref())?;
    if args.games % 2 == 1 && !out.quiet() {
        let even = args.games + 1;
        eprintln!("--games {}: every opening is played twice, with the sides swapped: {even} games", args.games);
    }
    play(registry, competition, args.out.as_deref(), args.json.json.then_some("match"), out)
}

pub(crate) fn run_tournament(registry: &Registry, args: &args::TournamentCommand, out: &mut Out) -> Done {
    let (competition, folder, json) = match &args.verb {
        TournamentVerb::Run { config, out: folder, games, json } => {
            let shown = config.display();
            let text = std::fs::read_to_string(config)
                .map_err(|error| Failure::usage(format!("cannot read {shown}: {error}")))?;
            let usage = |message: String| Failure::usage(format!("{shown}: {message}"));
            let mut config = TournamentConfig::parse(&text).map_err(|error| usage(error.to_string()))?;
            config.select(games).map_err(usage)?;
            (Competition::create(registry, config, Some(folder))?, folder, json)
        }
        TournamentVerb::Resume { folder, json } => (Competition::resume(registry, folder)?, folder, json),
    };
    play(registry, competition, Some(folder), json.json.then_some("tournament"), out)
}

fn request(args: &args::Match) -> MatchRequest {
    let sprt = |(elo0, elo1)| SprtSettings { model: args.model, elo0, elo1, alpha: 0.05, beta: 0.05 };
    MatchRequest {
        game: args.game.clone(),
        engines: [args.one.clone(), args.two.clone()],
        games: args.games,
        time: args.limits.time.clone(),
        clock: args.limits.clock.clone(),
        margin: args.limits.margin,
        depth: args.limits.depth,
        nodes: args.limits.nodes,
        plies: args.plies.map(usize::from),
        openings: args.openings.clone(),
        seed: args.seed,
        sprt: args.sprt.map(sprt),
        concurrency: args.concurrency.map(usize::from),
    }
}

/// Plays the missing games, prints the standings and writes the files.
fn play(
    registry: &Registry,
    mut competition: Competition,
    folder: Option<&Path>,
    schema: Option<&'static str>,
    out: &mut Out,
) -> Done {
    let cancel = out.cancel_on_interrupt();
    let mut live = Live::new(schema, out);
    let summary = competition.run(Context::silent(&cancel), &mut |event| live.event(event, out));
    live.finish()?;
    let CompetitionSummary { missing, cancelled } = summary?;
    print_standings(&competition.standings(), schema, out)?;
    let files = competition.write_files(registry)?;
    if let Some(schema) = schema {
        out.json(schema, CompetitionEvent::End { missing, files })?;
    } else if !files.is_empty() {
        out.line("")?;
        files.iter().try_for_each(|file| out.line(format_args!("written: {file}")))?;
    }
    match (missing, cancelled, folder) {
        (0, ..) => Ok(()),
        (_, true, Some(folder)) => Err(Failure::Failed(format!(
            "interrupted, {missing} games are missing; go on with: tesuji tournament resume {}",
            quoted(folder)
        ))),
        (_, true, None) => Err(Failure::Failed(format!(
            "interrupted, {missing} games are missing; with --out DIR a match can go on where it was"
        ))),
        (_, false, _) => Err(Failure::Failed(format!("{missing} games could not be played, see above"))),
    }
}

/// A path quoted for a shell.
fn quoted(path: &Path) -> String {
    let text = path.display().to_string();
    let plain = |c: char| c.is_ascii_alphanumeric() || "/._-+:=@%".contains(c);
    if text.chars().all(plain) { text } else { format!("'{}'", text.replace('\'', r"'\''")) }
}
