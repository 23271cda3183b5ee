//! `tesuji stats`: statistics of records, or of the journals of tournaments.

use std::path::{Path, PathBuf};

use tesuji_registry::{Error, GameHandle, JOURNAL, JournalStats, PlayerRating, RecordSource, RecordStats};

use super::{counted, load};
use crate::args;
use crate::command::compete::print_standings;
use crate::failure::{Done, Failure};
use crate::out::Out;

/// Plies between two figures of the branching factor.
const STEP: usize = 10;
/// Players shown; JSON has all that are rated.
const SHOWN: usize = 30;

pub(crate) fn run(game: &GameHandle, args: &args::Stats, out: &mut Out) -> Done {
    let mut records = Vec::new();
    for file in &args.files {
        match journal(Path::new(file)) {
            Some(journal) => print_journal(game, &journal, args, out)?,
            None => records.push(file),
        }
    }
    if records.is_empty() {
        return Ok(());
    }
    let mut unreadable = None;
    let mut sources = records.into_iter().map(|file| match load(file) {
        Ok(bytes) => Ok(RecordSource { bytes, format: args.format.clone(), file: Some(file.clone()) }),
        Err(failure) => {
            let error = Error::invalid(&failure);
            unreadable = Some(failure);
            Err(error)
        }
    });
    let stats = game.record_stats(&mut sources);
    drop(sources);
    if let Some(failure) = unreadable {
        return Err(failure);
    }
    let stats = stats?;
    if args.json.json { out.json("stats", &stats) } else { print(game, &stats, out) }
}

/// The journal at a path: that of a folder, or a file of this name.
fn journal(path: &Path) -> Option<PathBuf> {
    if path.is_dir() {
        return Some(path.join(JOURNAL));
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

fn print(game: &GameHandle, stats: &RecordStats, out: &mut Out) -> Done {
    let RecordStats { records, faults, unfinished, plies, results, .. } = stats;
    out.line(format_args!("records   {records}, {faults} with faults, {unfinished} unfinished"))?;
    out.line(format_args!(
        "plies     {} to {}, median {}, mean {:.1}",
        plies.shortest, plies.longest, plies.median, plies.mean
    ))?;
    let [first, second] = game.players();
    let ended = results.first + results.draw + results.second;
    let share = |count: usize| 100.0 * count as f64 / ended.max(1) as f64;
    let results = [(first, results.first), ("draw", results.draw), (second, results.second)]
        .map(|(name, count)| format!("{name} {count} ({:.1} %)", share(count)));
    out.line(format_args!("results   {}", results.join(", ")))?;
    let or_none = |words: Vec<String>| if words.is_empty() { "none".to_owned() } else { words.join(", ") };
    let reasons = stats.reasons.iter().map(|(reason, count)| format!("{reason} {count}")).collect();
    out.line(format_args!("endings   {}", or_none(reasons)))?;
    let moves = stats.branching.iter().enumerate().step_by(STEP);
    let moves = moves.filter_map(|(ply, mean)| Some(format!("{:.1} at {}", (*mean)?, ply + 1))).collect();
    out.line(format_args!("moves     {}", or_none(moves)))?;
    print_players(stats, out)
}

fn print_players(stats: &RecordStats, out: &mut Out) -> Done {
    let rated = stats.players.len();
    if rated == 0 {
        return Ok(());
    }
    out.line("")?;
    out.line(format_args!("{:>4}  {:<32}{:>7} {:>9}   rating", "", "player", "games", "points"))?;
    for (place, player) in stats.players.iter().take(SHOWN).enumerate() {
        let PlayerRating { name, games, points, elo, error, standing, .. } = player;
        let error = error.map_or(String::new(), |error| format!(" ± {error:.0}"));
        let note = if standing == "rated" { String::new() } else { format!("  ({standing})") };
        out.line(format_args!("{:>4}  {name:<32}{games:>7} {points:>9.1}   {elo:+.0}{error}{note}", place + 1))?;
    }
    if rated > SHOWN {
        out.line(format_args!("      and {}", counted(rated - SHOWN, "other player")))?;
    }
    if stats.player_count > rated {
        let all = stats.player_count;
        out.line(format_args!(
            "      of {all} players the {rated} with the most games are rated, by games among them"
        ))?;
    }
    if stats.groups > 1 {
        let groups = stats.groups;
        out.line(format_args!("      {groups} groups that never met: ratings compare within a group only"))?;
    }
    Ok(())
}
