//! The report of a tournament: one self-contained page with tables, charts and a replay of every game.

mod data;
mod games;
mod sections;

use serde_json::Value;
use tesuji_arena::{EventRunner, TournamentConfig, TournamentJournal, overall, standings};

use crate::grouped;
use crate::html::{embed, escape, table};

/// The style sheet.
const STYLE: &str = include_str!("style.css");
/// The script of the replay.
const SCRIPT: &str = include_str!("replay.js");

/// The page of a tournament; `runners` are those of its events, in order.
pub fn page(config: &TournamentConfig, journal: &TournamentJournal, runners: &[Box<dyn EventRunner>]) -> String {
    let standings = standings(config, journal);
    let (played, scheduled) =
        standings.iter().fold((0, 0), |sum, event| (sum.0 + event.played, sum.1 + event.scheduled));
    let title = escape(&config.name);
    let mut body = format!("<header><h1>{title}</h1><p class=\"lead\">{}</p>", lead(config, played, scheduled));
    if standings.len() > 1 {
        body.push_str("<nav>");
        for event in &standings {
            body.push_str(&format!("<a href=\"#e{}\">{}</a>", event.event, escape(&event.game)));
        }
        body.push_str("<a href=\"#games\">games</a></nav>");
    }
    body.push_str("</header><main>");
    if standings.len() > 1 {
        let rows: Vec<Vec<String>> = overall(&standings)
            .iter()
            .enumerate()
            .map(|(place, (name, score))| {
                let share = 100.0 * score.points() / score.games().max(1) as f64;
                let cells = [escape(name), grouped(score.games()), score.to_string(), format!("{share:.1} %")];
                std::iter::once((place + 1).to_string()).chain(cells).collect()
            })
            .collect();
        body.push_str("<section><h2>Over all games</h2>");
        body.push_str(&table("figures", &["", "player", "games", "W–D–L", "score"], &rows));
        body.push_str("</section>");
    }
    let mut replays = data::MAX_REPLAYS;
    let mut events = Vec::new();
    for standing in &standings {
        let games: Vec<_> = journal.games(standing.event).values().collect();
        let runner = runners.get(standing.event).map(AsRef::as_ref);
        body.push_str(&sections::event(config, standing, &games, runner, journal));
        events.push(data::event(standing.event, config, runner, &games, &standing.games, &mut replays));
    }
    body.push_str(&sections::viewer(played > data::MAX_REPLAYS));
    body.push_str(&sections::settings(config));
    body.push_str("</main>");
    let data = embed(&Value::from(events).to_string());
    // The page loads nothing, and the policy enforces it.
    format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'\">\n\
         <meta name=\"color-scheme\" content=\"light dark\">\n<title>{title}</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n{body}\n\
         <script type=\"application/json\" id=\"data\">{data}</script>\n<script>\n{SCRIPT}</script>\n</body>\n</html>\n"
    )
}

fn lead(config: &TournamentConfig, played: usize, scheduled: usize) -> String {
    let of = if played == scheduled { String::new() } else { format!(" of {}", grouped(scheduled as u64)) };
    let (played, games) = (grouped(played as u64), if scheduled == 1 { "game" } else { "games" });
    let mut names: Vec<&str> =
        config.events.iter().flat_map(|event| &event.players).map(|player| player.name.as_str()).collect();
    names.sort_unstable();
    names.dedup();
    let events = match config.events.as_slice() {
        [event] => escape(&event.game),
        events => format!("{} events", events.len()),
    };
    let version = env!("CARGO_PKG_VERSION");
    format!("{played}{of} {games} · {} players · {events} · seed {} · tesuji {version}", names.len(), config.seed)
}
