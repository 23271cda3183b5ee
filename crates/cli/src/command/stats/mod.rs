//! `tesuji stats`: statistics of records, or of the journals of tournaments.

mod compare;

use std::path::{Path, PathBuf};

use tesuji_registry::{
    FileError, GameHandle, JOURNAL, JournalStats, OpeningResults, PlayerRating, RecordStats, Registry, StatsRequest,
    StatsResponse,
};
use tesuji_report::grouped;

use super::counted;
use super::replay::tell_summary;
use crate::args;
use crate::command::compete::print_standings;
use crate::failure::{Done, Failure};
use crate::out::Out;

/// Plies between two figures of the branching factor.
const STEP: usize = 10;
/// Players shown; JSON has all that are rated.
const SHOWN: usize = 30;
/// Openings and castles shown of each kind; JSON has all.
const OPENINGS: usize = 15;
/// Faulty records named; the others are counted.
const FAULTS: usize = 20;

pub(crate) fn run(registry: &Registry, args: &args::Stats, out: &mut Out) -> Done {
    if args.compare {
        return compare::run(registry, args, out);
    }
    let game = registry.game(args.game.as_deref().unwrap_or_default())?;
    let mut records = Vec::new();
    for file in &args.files {
        match journal(Path::new(file)) {
            Some(journal) => print_journal(game, &journal, args, out)?,
            None => records.push(file.clone()),
        }
    }
    if records.is_empty() {
        return Ok(());
    }
    let request = StatsRequest { corpus: args.read.request(&records)?, min_games: args.min_games };
    let response = read(game, &request, out)?;
    match args.json.json {
        true => out.json("stats", &response)?,
        false => print(game, &response.stats, args.min_games, out)?,
    }
    let summary = response.read.unwrap_or_default();
    tell_summary(&summary);
    if summary.failed_files > 0 { Err(Failure::No) } else { Ok(()) }
}

/// The statistics of records. Names the first faulty ones.
fn read(game: &GameHandle, request: &StatsRequest, out: &mut Out) -> Result<StatsResponse, Failure> {
    let mut told = 0;
    let response = out.events(
        |context, events| game.record_stats(request, context, events),
        |_, error: FileError| {
            told += 1;
            if told <= FAULTS {
                eprintln!("tesuji: {error}");
            }
            Ok(())
        },
    )?;
    if told > FAULTS {
        eprintln!("tesuji: and {}", counted(told - FAULTS, "more error"));
    }
    Ok(response)
}

/// The journal at a path: that of a tournament's folder, or a file of this name.
fn journal(path: &Path) -> Option<PathBuf> {
    if path.is_dir() {
        let inside = path.join(JOURNAL);
        return inside.exists().then_some(inside);
    }
    (path.file_name().is_some_and(|name| name == JOURNAL)).then(|| path.to_owned())
}

/// The events of this game in a tournament.
fn print_journal(game: &GameHandle, path: &Path, args: &args::Stats, out: &mut Out) -> Done {
    let stats = JournalStats::read(path, game.name()).map_err(Failure::from)?;
    if stats.torn {
        eprintln!("tesuji: {}: the last line was cut short and does not count", path.display());
    }
    print_standings(&stats.standings, args.json.json.then_some("standings"), out)
}

fn print(game: &GameHandle, stats: &RecordStats, min_games: usize, out: &mut Out) -> Done {
    let RecordStats { plies, results, .. } = stats;
    let [records, faults, unfinished] =
        [stats.records, stats.faults, stats.unfinished].map(|count| grouped(count as u64));
    out.line(format_args!("records   {records}, {faults} with faults, {unfinished} unfinished"))?;
    out.line(format_args!(
        "plies     {} to {}, median {}, mean {:.1}",
        plies.shortest, plies.longest, plies.median, plies.mean
    ))?;
    let [first, second] = game.players();
    let ended = results.first + results.draw + results.second;
    let share = |count: usize| 100.0 * count as f64 / ended.max(1) as f64;
    let results = [(first, results.first), ("draw", results.draw), (second, results.second)]
        .map(|(name, count)| format!("{name} {} ({:.1} %)", grouped(count as u64), share(count)));
    out.line(format_args!("results   {}", results.join(", ")))?;
    let or_none = |words: Vec<String>| if words.is_empty() { "none".to_owned() } else { words.join(", ") };
    let reasons = stats.reasons.iter().map(|(reason, count)| format!("{reason} {}", grouped(*count as u64))).collect();
    out.line(format_args!("endings   {}", or_none(reasons)))?;
    let moves = stats.branching.iter().enumerate().step_by(STEP);
    let moves = moves.filter_map(|(ply, mean)| Some(format!("{:.1} at {}", (*mean)?, ply + 1))).collect();
    out.line(format_args!("moves     {}", or_none(moves)))?;
    let [opening, middle, end] = stats.phases;
    out.line(format_args!(
        "phases    {opening:.1} moves in the first third of a game, {middle:.1} in the second, {end:.1} in the last; \
         {:.1} in all",
        stats.mean_branching
    ))?;
    let ply = |ply: Option<usize>, otherwise: &str| ply.map_or(otherwise.to_owned(), |ply| format!("from ply {ply}"));
    out.line(format_args!(
        "begins    middlegame {}, endgame {}",
        ply(stats.begins.middlegame, "unknown (too few games)"),
        ply(stats.begins.endgame, "unknown (moves without values)")
    ))?;
    for kind in ["opening", "castle"] {
        print_openings(first, kind, &stats.openings, out)?;
    }
    print_players(stats, min_games, out)
}

/// The most frequent openings, or castles, with their results.
fn print_openings(first: &str, kind: &str, all: &[OpeningResults], out: &mut Out) -> Done {
    let openings: Vec<&OpeningResults> = all.iter().filter(|opening| opening.kind == kind).collect();
    if openings.is_empty() {
        return Ok(());
    }
    out.line("")?;
    out.line(format_args!("      {kind:<32}{:>7}   {:<20}{:>7}", "games", "wins–draws–losses", "score"))?;
    for OpeningResults { name, native, by_side, games, wins, draws, losses, .. } in openings.iter().take(OPENINGS) {
        let ended = wins + draws + losses;
        let score = (ended > 0).then(|| 100.0 * (*wins as f64 + *draws as f64 / 2.0) / ended as f64);
        let score = score.map_or("–".to_owned(), |score| format!("{score:.1} %"));
        let note = if *by_side { String::new() } else { format!("for {first}") };
        let [games, wins, draws, losses] = [games, wins, draws, losses].map(|&count| grouped(count as u64));
        let result = format!("{wins}–{draws}–{losses}");
        let words: Vec<&str> = [native.as_str(), note.as_str()].into_iter().filter(|word| !word.is_empty()).collect();
        let line = format!("      {name:<32}{games:>7}   {result:<20}{score:>7}  {}", words.join(", "));
        out.line(line.trim_end())?;
    }
    if openings.len() > OPENINGS {
        out.line(format_args!("      and {}", counted(openings.len() - OPENINGS, &format!("other {kind}"))))?;
    }
    Ok(())
}

fn print_players(stats: &RecordStats, min_games: usize, out: &mut Out) -> Done {
    let rated = stats.players.len();
    if rated > 0 {
        out.line("")?;
        out.line(format_args!("{:>4}  {:<32}{:>7} {:>9}   rating", "", "player", "games", "points"))?;
    }
    for (place, player) in stats.players.iter().take(SHOWN).enumerate() {
        let PlayerRating { name, games, points, elo, error, standing, .. } = player;
        let error = error.map_or(String::new(), |error| format!(" ± {error:.0}"));
        let note = if standing == "rated" { String::new() } else { format!("  ({standing})") };
        let games = grouped(*games as u64);
        out.line(format_args!("{:>4}  {name:<32}{games:>7} {points:>9.1}   {elo:+.0}{error}{note}", place + 1))?;
    }
    if rated > SHOWN {
        out.line(format_args!("      and {}", counted(rated - SHOWN, "other player")))?;
    }
    if stats.player_count > rated {
        let [all, rated, min] = [stats.player_count, rated, min_games].map(|count| grouped(count as u64));
        let least = if min_games > 1 { format!(" (at least {min})") } else { String::new() };
        out.line(format_args!(
            "      of {all} players the {rated} with the most games{least} are rated, by games among them"
        ))?;
    }
    if stats.groups > 1 {
        let groups = stats.groups;
        out.line(format_args!("      {groups} groups that never met: ratings compare within a group only"))?;
    }
    Ok(())
}
