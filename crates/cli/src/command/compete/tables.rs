//! The tables of a tournament in plain text or JSON, and the files beside its journal.

use std::path::Path;

use serde_json::{Value, json};
use tesuji_arena::stats::{MatchScore, RatingStatus};
use tesuji_arena::{TournamentConfig, TournamentJournal, PlayerRow, EventStandings, Tournament, overall, reason, report, standings};
use tesuji_store::save;

use crate::Entry;
use crate::command::counted;
use crate::failure::Done;
use crate::out::Out;

/// Tells the tables of the events whose game is wanted.
pub(crate) fn tell_events(
    config: &TournamentConfig,
    journal: &TournamentJournal,
    schema: Option<&'static str>,
    wanted: &dyn Fn(&str) -> bool,
    out: &mut Out,
) -> Done {
    let all = standings(config, journal);
    let chosen: Vec<&EventStandings> = all.iter().filter(|standing| wanted(&standing.game)).collect();
    if let Some(schema) = schema {
        for standing in chosen {
            let mut fields = json!({ "event": "final" });
            if let (Value::Object(fields), Value::Object(figures)) = (&mut fields, standing.json()) {
                fields.extend(figures);
            }
            out.json(schema, fields)?;
        }
        return Ok(());
    }
    for (index, standing) in chosen.iter().enumerate() {
        if index > 0 {
            out.line("")?;
        }
        tell(standing, out)?;
    }
    if chosen.len() > 1 {
        tell_overall(&all, out)?;
    }
    Ok(())
}

fn tell(standing: &EventStandings, out: &mut Out) -> Done {
    let EventStandings { played, scheduled, .. } = standing;
    let games = if played == scheduled { played.to_string() } else { format!("{played} of {scheduled}") };
    out.line(format_args!("{}, {games} games", standing.game))?;
    match &standing.meetings[..] {
        [] => out.line("no games")?,
        [only] if standing.rows.len() == 2 => {
            out.line(format_args!("{} against {}", only.first, only.second))?;
            for (name, text) in only.lines() {
                out.line(format_args!("  {name:<8}{text}"))?;
            }
            tell_rows(standing, out)?;
        }
        _ => {
            tell_rows(standing, out)?;
            out.line("")?;
            tell_cross(standing, out)?;
        }
    }
    let MatchScore { wins, draws, losses } = standing.first_side;
    if played > &0 {
        out.line(format_args!("the first player won {wins}, drew {draws}, lost {losses}"))?;
    }
    let repeated = standing.counted.duplicates.len();
    if repeated > 0 {
        let words = counted(repeated, "game");
        out.line(format_args!("{words} repeated an earlier one move by move and did not count"))?;
    }
    let beyond = standing.counted.beyond.len();
    if beyond > 0 {
        out.line(format_args!("{} ended after the test had, and did not count", counted(beyond, "game")))?;
    }
    if standing.ratings.components > 1 {
        let groups = standing.ratings.components;
        out.line(format_args!("{groups} groups never met: ratings compare within a group only"))?;
    }
    Ok(())
}

/// One line per player.
fn tell_rows(standing: &EventStandings, out: &mut Out) -> Done {
    let rows = &standing.rows;
    let width = rows.iter().map(|row| row.name.chars().count()).max().unwrap_or(0).max(6);
    out.line(format_args!(
        "{:>3}  {:<width$} {:>6} {:>18} {:>7}  {:<14} {:>6} {:>9} {:>7}  faults",
        "", "player", "games", "won drawn lost", "score", "rating", "plies", "per move", "lag"
    ))?;
    for (place, row) in rows.iter().enumerate() {
        let MatchScore { wins, draws, losses } = row.score;
        let games = row.score.games();
        let share = 100.0 * row.score.points() / games.max(1) as f64;
        let results = format!("{wins} {draws:>5} {losses:>5}");
        let each = row.time.as_secs_f64() * 1e3 / row.moves.max(1) as f64;
        let lag = row.lag.as_secs_f64() * 1e3;
        let line = format!(
            "{:>3}  {:<width$} {games:>6} {results:>18} {share:>5.1} %  {:<14} {:>6.1} {each:>6.1} ms {lag:>4.1} ms  {}",
            place + 1,
            row.name,
            rating(row),
            row.plies,
            faults(row),
        );
        out.line(line.trim_end())?;
    }
    Ok(())
}

fn rating(row: &PlayerRow) -> String {
    let elo = row.rating.elo;
    match (row.rating.standing, row.rating.half_width()) {
        (RatingStatus::Unplayed, _) | (_, None) => "-".to_owned(),
        (RatingStatus::WonAll, _) => format!("> {elo:+.0}"),
        (RatingStatus::LostAll, _) => format!("< {elo:+.0}"),
        (_, Some(error)) => format!("{elo:+.0} ± {error:.0}"),
    }
}

/// `time 2, crash 1`; nothing for a player without fault.
fn faults(row: &PlayerRow) -> String {
    let lost = reason::FAULTS.iter().zip(row.faults).filter(|(_, count)| *count > 0);
    let mut words: Vec<String> = lost.map(|(name, count)| format!("{name} {count}")).collect();
    if row.unstarted > 0 {
        words.push(format!("not started {}", row.unstarted));
    }
    words.join(", ")
}

/// Who took how much from whom, in the order of the table.
fn tell_cross(standing: &EventStandings, out: &mut Out) -> Done {
    let rows = &standing.rows;
    let width = rows.iter().map(|row| row.name.chars().count()).max().unwrap_or(0).max(6);
    let heads: String = (1..=rows.len()).map(|place| format!("{place:>8}")).collect();
    out.line(format_args!("{:>3}  {:<width$}{heads}", "", ""))?;
    for (place, row) in rows.iter().enumerate() {
        let cell = |other: &PlayerRow| {
            let score = standing.cross[row.player][other.player];
            match score.games() {
                _ if other.player == row.player => format!("{:>8}", "·"),
                0 => format!("{:>8}", ""),
                games => {
                    let points = score.points();
                    let decimals = usize::from(points.fract() != 0.0);
                    format!("{:>8}", format!("{points:.decimals$}/{games}"))
                }
            }
        };
        let cells: String = rows.iter().map(cell).collect();
        out.line(format!("{:>3}  {:<width$}{cells}", place + 1, row.name).trim_end())?;
    }
    Ok(())
}

/// What everybody scored over all events.
fn tell_overall(all: &[EventStandings], out: &mut Out) -> Done {
    let sums = overall(all);
    let width = sums.iter().map(|(name, _)| name.chars().count()).max().unwrap_or(0).max(6);
    out.line("")?;
    out.line("all events")?;
    for (place, (name, score)) in sums.iter().enumerate() {
        let MatchScore { wins, draws, losses } = score;
        let games = score.games();
        let share = 100.0 * score.points() / games.max(1) as f64;
        let results = format!("{wins} {draws:>5} {losses:>5}");
        out.line(format_args!("{:>3}  {name:<width$} {games:>6} {results:>18} {share:>5.1} %", place + 1))?;
    }
    Ok(())
}

/// Writes the games in their own formats and the report beside the journal; says what was written.
pub(super) fn keep(games: &[Entry], tournament: &Tournament, folder: &Path) -> Result<Vec<String>, String> {
    let mut files = Vec::new();
    let mut write = |name: String, bytes: &[u8]| {
        let path = folder.join(name);
        save(&path, bytes).map_err(|error| error.to_string())?;
        files.push(path.display().to_string());
        Ok::<(), String>(())
    };
    for (index, runner) in tournament.runners().iter().enumerate() {
        let played = tournament.journal().games(index);
        let Some(entry) = games.iter().find(|entry| entry.name() == runner.game() && !played.is_empty())
        else {
            continue;
        };
        let (format, mut bytes) = entry.tool().kept(played.len());
        for game in played.values() {
            bytes.extend(runner.record(game, Some(format.name))?);
        }
        let ending = format.extensions.first().unwrap_or(&"txt");
        let number = if tournament.runners().len() > 1 { format!("{}-", index + 1) } else { String::new() };
        write(format!("{number}{}.{ending}", runner.game()), &bytes)?;
    }
    let page = report::page(tournament.config(), tournament.journal(), tournament.runners());
    write("report.html".to_owned(), page.as_bytes())?;
    Ok(files)
}
