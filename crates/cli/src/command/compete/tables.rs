//! The standings of matches and tournaments as text or JSON.

use tesuji_registry::{CompetitionEvent, EventStandings, MatchScore, PlayerStanding, RatingStatus, overall};
use tesuji_report::grouped;

use crate::command::counted;
use crate::failure::Done;
use crate::out::Out;

/// Prints the standings of events.
pub(crate) fn print_standings(events: &[EventStandings], schema: Option<&'static str>, out: &mut Out) -> Done {
    if let Some(schema) = schema {
        return events.iter().try_for_each(|event| out.json(schema, CompetitionEvent::Final(event.clone())));
    }
    for (index, event) in events.iter().enumerate() {
        if index > 0 {
            out.line("")?;
        }
        print_event(event, out)?;
    }
    if events.len() > 1 {
        print_overall(events, out)?;
    }
    Ok(())
}

fn print_event(event: &EventStandings, out: &mut Out) -> Done {
    let EventStandings { played, scheduled, .. } = event;
    let [shown, all] = [played, scheduled].map(|&games| grouped(games as u64));
    let games = if played == scheduled { shown } else { format!("{shown} of {all}") };
    out.line(format_args!("{}, {games} games", event.game))?;
    match &event.meetings[..] {
        [] => out.line("no games")?,
        [only] if event.players.len() == 2 => {
            out.line(format_args!("{} against {}", only.first, only.second))?;
            for (label, text) in &only.lines {
                out.line(format_args!("  {label:<8}{text}"))?;
            }
            print_players(event, out)?;
        }
        _ => {
            print_players(event, out)?;
            out.line("")?;
            print_cross(event, out)?;
        }
    }
    if *played > 0 {
        let share = 100.0 * event.first_side.points() / event.first_side.games().max(1) as f64;
        out.line(format_args!("the side that moves first: {} ({share:.1} %)", event.first_side))?;
    }
    if event.duplicates > 0 {
        let games = counted(event.duplicates, "game");
        out.line(format_args!("{games} repeated an earlier one move by move and did not count"))?;
    }
    if event.beyond > 0 {
        let games = counted(event.beyond, "game");
        out.line(format_args!("{games} ended after the test had, and did not count"))?;
    }
    if event.components > 1 {
        let groups = event.components;
        out.line(format_args!("{groups} groups never met: ratings compare within a group only"))?;
    }
    Ok(())
}

/// The width of the column of names.
fn name_width<'a>(names: impl Iterator<Item = &'a str>) -> usize {
    names.map(|name| name.chars().count()).max().unwrap_or(0).max(6)
}

/// Games, results and percentage of a score.
fn score_columns(score: &MatchScore) -> String {
    let games = score.games();
    let share = 100.0 * score.points() / games.max(1) as f64;
    format!("{:>7} {:>15} {share:>5.1} %", grouped(games), score.to_string())
}

/// One line per player.
fn print_players(event: &EventStandings, out: &mut Out) -> Done {
    let width = name_width(event.players.iter().map(|player| player.name.as_str()));
    out.line(format_args!(
        "{:>3}  {:<width$} {:>7} {:>15} {:>7}  {:<14} {:>6} {:>9} {:>7}  faults",
        "", "player", "games", "W–D–L", "score", "rating", "plies", "per move", "lag"
    ))?;
    for (place, player) in event.players.iter().enumerate() {
        let each = player.seconds * 1e3 / player.moves.max(1) as f64;
        let line = format!(
            "{:>3}  {:<width$} {}  {:<14} {:>6.1} {each:>6.1} ms {:>4.1} ms  {}",
            place + 1,
            player.name,
            score_columns(&player.score),
            rating(player),
            player.plies,
            player.lag_ms,
            faults(player),
        );
        out.line(line.trim_end())?;
    }
    Ok(())
}

fn rating(player: &PlayerStanding) -> String {
    // A rating that rounds to zero has no minus sign.
    let elo = player.elo.round() + 0.0;
    match (player.status, player.elo_error) {
        (RatingStatus::Unplayed, _) | (_, None) => "-".to_owned(),
        (RatingStatus::WonAll, _) => format!("> {elo:+.0}"),
        (RatingStatus::LostAll, _) => format!("< {elo:+.0}"),
        (_, Some(error)) => format!("{elo:+.0} ± {error:.0}"),
    }
}

/// `time 2, crash 1`; empty for a player without faults.
fn faults(player: &PlayerStanding) -> String {
    let lost = player.failures().into_iter();
    let mut words: Vec<String> = lost.map(|(name, count)| format!("{name} {}", grouped(count))).collect();
    if player.unstarted > 0 {
        words.push(format!("not started {}", grouped(player.unstarted as u64)));
    }
    words.join(", ")
}

/// The cross table, in the order of the standings.
fn print_cross(event: &EventStandings, out: &mut Out) -> Done {
    let width = name_width(event.players.iter().map(|player| player.name.as_str()));
    let heads: String = (1..=event.players.len()).map(|place| format!("{place:>8}")).collect();
    out.line(format_args!("{:>3}  {:<width$}{heads}", "", ""))?;
    for (place, (player, scores)) in event.players.iter().zip(&event.cross).enumerate() {
        let cell = |(other, score): (usize, &MatchScore)| match score.games() {
            _ if other == place => format!("{:>8}", "·"),
            0 => format!("{:>8}", ""),
            games => {
                let points = score.points();
                let decimals = usize::from(points.fract() != 0.0);
                format!("{:>8}", format!("{points:.decimals$}/{games}"))
            }
        };
        let cells: String = scores.iter().enumerate().map(cell).collect();
        out.line(format!("{:>3}  {:<width$}{cells}", place + 1, player.name).trim_end())?;
    }
    Ok(())
}

/// The scores over all events.
fn print_overall(events: &[EventStandings], out: &mut Out) -> Done {
    let sums = overall(events);
    let width = name_width(sums.iter().map(|(name, _)| name.as_str()));
    out.line("")?;
    out.line("all events")?;
    for (place, (name, score)) in sums.iter().enumerate() {
        out.line(format_args!("{:>3}  {name:<width$} {}", place + 1, score_columns(score)))?;
    }
    Ok(())
}
