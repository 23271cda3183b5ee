//! The sections of the page: events, the game viewer and the settings.

use tesuji_arena::stats::{MatchScore, RatingStatus};
use tesuji_arena::{EventRunner, EventStandings, GameEntry, PlayerStanding, TournamentConfig, TournamentJournal};

use super::games::{endings, forfeits, legend, openings, times};
use crate::chart::{self, Bar, rounded, short};
use crate::grouped;
use crate::html::{escape, table};

/// The section of one event.
pub(super) fn event(
    config: &TournamentConfig,
    standing: &EventStandings,
    games: &[&GameEntry],
    runner: Option<&dyn EventRunner>,
    journal: &TournamentJournal,
) -> String {
    let sides = runner.map_or(["first", "second"], |runner| runner.sides());
    let control = config.events.get(standing.event).map(|event| event.control.to_string()).unwrap_or_default();
    let mut text = format!(
        "<section id=\"e{}\"><h2>{}</h2><p class=\"lead\">{}</p>",
        standing.event,
        escape(&standing.game),
        counted(standing, &control, sides)
    );
    text.push_str(&players(&standing.players));
    let bars: Vec<Bar<'_>> = standing
        .players
        .iter()
        .filter(|row| row.status != RatingStatus::Unplayed)
        .map(|row| Bar {
            name: &row.name,
            value: row.elo,
            error: row.elo_error,
            held: row.status != RatingStatus::Rated,
            hue: row.number % 8,
        })
        .collect();
    text.push_str("<div class=\"pair\">");
    if !bars.is_empty() {
        let note = if bars.iter().any(|bar| bar.held) {
            " An open circle marks a player that won or lost every game, alone or in a group of players against all \
             others: its rating is regularised by one virtual draw."
        } else {
            ""
        };
        let apart = if standing.components > 1 {
            " Some players never met, directly or through others: their ratings cannot be compared."
        } else {
            ""
        };
        text.push_str(&figure(
            "Ratings",
            &chart::ratings(&bars),
            &format!("Elo by maximum likelihood, mean 0, with 95 % intervals.{note}{apart}"),
        ));
    }
    text.push_str(&figure("Cross table", &cross(standing), "Points of the row against the column."));
    text.push_str("</div>");
    text.push_str(&pairings(standing));
    text.push_str("<div class=\"pair\">");
    let lengths: Vec<usize> = games.iter().map(|game| game.plies()).collect();
    if !lengths.is_empty() {
        let mean = lengths.iter().sum::<usize>() as f64 / lengths.len() as f64;
        text.push_str(&figure(
            "Length of games",
            &chart::histogram(&lengths, "Length of games in plies", "plies", "games"),
            &format!("{mean:.1} plies on average."),
        ));
        text.push_str(&figure("How games ended", &chart::shares(&endings(games)), ""));
        text.push_str(&figure(
            "Time per move",
            &chart::lines(&times(standing, games), "Mean time per move in milliseconds", "ply", "ms"),
            &legend(standing),
        ));
        text.push_str(&figure("Openings", &openings(games, sides), &format!("Score of {}.", sides[0])));
    }
    text.push_str("</div>");
    text.push_str(&forfeits(standing.event, games, journal));
    text + "</section>"
}

fn figure(title: &str, picture: &str, caption: &str) -> String {
    let caption = if caption.is_empty() { String::new() } else { format!("<figcaption>{caption}</figcaption>") };
    format!("<figure><h3>{title}</h3>{picture}{caption}</figure>")
}

fn counted(standing: &EventStandings, control: &str, sides: [&str; 2]) -> String {
    let clock = if control == "none" { "no clock".to_owned() } else { format!("clock {control}") };
    let [played, scheduled] = [standing.played, standing.scheduled].map(|games| grouped(games as u64));
    let games = if standing.played == standing.scheduled { played } else { format!("{played} of {scheduled}") };
    let mut words = vec![format!("{games} games"), clock];
    let score = standing.first_side;
    if score.games() > 0 {
        let share = 100.0 * score.points() / score.games() as f64;
        words.push(format!("{} scored {score} ({share:.1} %)", sides[0]));
    }
    match standing.duplicates {
        0 => {}
        1 => words.push("1 game repeats another and does not count".to_owned()),
        many => words.push(format!("{many} games repeat others and do not count")),
    }
    if standing.beyond > 0 {
        words.push(format!("{} games ended after the test and do not count", standing.beyond));
    }
    words.join(" · ")
}

fn players(rows: &[PlayerStanding]) -> String {
    let rows: Vec<Vec<String>> = rows
        .iter()
        .enumerate()
        .map(|(place, row)| {
            let games = row.score.games().max(1) as f64;
            let error = row.elo_error.map_or(String::new(), |error| format!(" <small>± {error:.0}</small>"));
            let unstarted = (row.unstarted > 0).then_some(("no start", row.unstarted as u64));
            let faults = row.failures().into_iter().chain(unstarted);
            let faults: Vec<String> = faults.map(|(name, count)| format!("{count} {name}")).collect();
            vec![
                (place + 1).to_string(),
                format!(
                    "<span class=\"chip h{}\"></span>{}<br><small>{}</small>",
                    row.number % 8,
                    escape(&row.name),
                    escape(&row.engine)
                ),
                format!("<b>{}</b>{error}", rounded(row.elo)),
                grouped(row.score.games()),
                row.score.to_string(),
                format!("{:.1} %", 100.0 * row.score.points() / games),
                format!("{:.1} ms", row.seconds * 1e3 / row.moves.max(1) as f64),
                format!("{:.1} ms", row.lag_ms),
                if faults.is_empty() {
                    "–".to_owned()
                } else {
                    format!("<b class=\"bad\">{}</b>", faults.join(", "))
                },
            ]
        })
        .collect();
    table("figures", &["", "player", "Elo", "games", "W–D–L", "score", "per move", "lag", "faults"], &rows)
}

fn cross(standing: &EventStandings) -> String {
    let heads: Vec<String> = (1..=standing.players.len()).map(|place| place.to_string()).collect();
    let heads: Vec<&str> = ["", ""].into_iter().chain(heads.iter().map(String::as_str)).collect();
    let rows: Vec<Vec<String>> = standing
        .players
        .iter()
        .enumerate()
        .map(|(place, row)| {
            let mut cells = vec![(place + 1).to_string(), escape(&short(&row.name, 24))];
            cells.extend(standing.cross[place].iter().enumerate().map(|(other, score)| {
                if other == place { "<td class=\"self\"></td>".to_owned() } else { cell(*score) }
            }));
            cells
        })
        .collect();
    table("cross", &heads, &rows)
}

/// A score, coloured from red to green.
fn cell(score: MatchScore) -> String {
    if score.games() == 0 {
        return "<td class=\"none\">·</td>".to_owned();
    }
    let share = score.points() / score.games() as f64;
    let strength = ((share - 0.5).abs() * 2.0 * 55.0).round();
    let hue = if share >= 0.5 { "good" } else { "bad" };
    format!(
        "<td style=\"background:color-mix(in srgb, var(--{hue}) {strength}%, transparent)\" title=\"{score}\">{}<small>/{}</small></td>",
        score.points(),
        score.games()
    )
}

fn pairings(standing: &EventStandings) -> String {
    if standing.meetings.is_empty() {
        return String::new();
    }
    let rows: Vec<Vec<String>> = standing
        .meetings
        .iter()
        .map(|pairing| {
            let line = |name: &str| {
                pairing
                    .lines
                    .iter()
                    .find(|(known, _)| *known == name)
                    .map_or("–".to_owned(), |(_, text)| escape(text))
            };
            let players = format!("{} – {}", escape(&short(&pairing.first, 26)), escape(&short(&pairing.second, 26)));
            let mut cells = vec![players, line("score"), line("pairs"), line("elo"), line("los"), line("margin")];
            if pairing.sprt.is_some() {
                cells.push(line("sprt"));
            }
            cells
        })
        .collect();
    let mut heads = vec!["pairing", "W–D–L", "pairs (0 ½ 1 1½ 2)", "Elo, 95 %", "LOS", "margin"];
    if standing.games.test.is_some() {
        heads.push("test");
    }
    let open = if standing.meetings.len() <= 6 { " open" } else { "" };
    format!("<details{open}><summary>Pairings</summary>{}</details>", table("figures", &heads, &rows))
}

/// The game list and the replay.
pub(super) fn viewer(cut: bool) -> String {
    let note = if cut {
        format!(
            "<p class=\"lead\">The first {} games can be replayed here; the journal contains all.</p>",
            super::data::MAX_REPLAYS
        )
    } else {
        String::new()
    };
    format!(
        "<section id=\"games\"><h2>Games</h2>{note}\
         <div class=\"choose\"><select id=\"event\" aria-label=\"event\"></select>\
         <select id=\"player\" aria-label=\"player\"></select>\
         <select id=\"ending\" aria-label=\"ending\"></select><span id=\"found\"></span></div>\
         <div class=\"viewer\"><div class=\"list\"><table class=\"figures\"><thead><tr><th>game</th><th>first</th><th>second</th><th>result</th><th>ending</th><th>plies</th></tr></thead>\
         <tbody id=\"list\"></tbody></table></div>\
         <div class=\"board\"><div id=\"title\"></div><svg id=\"board\" role=\"img\" aria-label=\"board\"></svg>\
         <div class=\"buttons\"><button data-to=\"first\" aria-label=\"start\">|◀</button><button data-to=\"back\" aria-label=\"previous move\">◀</button>\
         <input id=\"ply\" type=\"range\" min=\"0\" value=\"0\" aria-label=\"ply\"><button data-to=\"on\" aria-label=\"next move\">▶</button>\
         <button data-to=\"last\" aria-label=\"end\">▶|</button></div><div id=\"said\"></div>\
         <svg id=\"graph\" role=\"img\" aria-label=\"values\"></svg><div id=\"keys\"></div><div id=\"moves\"></div></div></div></section>"
    )
}

/// The configuration, to repeat the tournament.
pub(super) fn settings(config: &TournamentConfig) -> String {
    format!(
        "<section><details><summary>Settings, to play this again</summary><pre>{}</pre></details></section>",
        escape(&config.print())
    )
}
