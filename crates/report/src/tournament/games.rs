//! Endings, time, openings and forfeits of the games of an event.

use std::collections::BTreeMap;
use tesuji_arena::stats::MatchScore;
use tesuji_arena::{EventStandings, GameEntry, PlayerStanding, TournamentJournal, reason};

use tesuji_game::{Outcome, Side};

use crate::chart::{Curve, short};
use crate::html::{escape, game_link, table};

/// The number of games by ending, the most frequent first.
pub(super) fn endings(games: &[&GameEntry]) -> Vec<(String, usize)> {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for game in games {
        *counts.entry(game.reason.as_str()).or_default() += 1;
    }
    let mut counts: Vec<(String, usize)> = counts.into_iter().map(|(name, count)| (name.to_owned(), count)).collect();
    counts.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    counts
}

/// The mean time of each player's moves over the course of a game.
pub(super) fn times<'a>(standing: &'a EventStandings, games: &[&GameEntry]) -> Vec<Curve<'a>> {
    const POINTS: usize = 40;
    let longest = games.iter().map(|game| game.plies()).max().unwrap_or(1).max(1);
    let width = longest.div_ceil(POINTS).max(2);
    let curve = |player: &'a PlayerStanding| {
        let mut sums = vec![(0.0, 0usize); longest / width + 1];
        for game in games {
            for side in Side::BOTH.into_iter().filter(|&side| game.player(side) == player.name) {
                for ply in game.own_plies(side) {
                    let sum = &mut sums[(game.booked + ply) / width];
                    *sum = (sum.0 + game.times.get(ply).copied().unwrap_or(0.0), sum.1 + 1);
                }
            }
        }
        let point = |(index, &(sum, count)): (usize, &(f64, usize))| {
            (count > 0).then(|| (((index * width) as f64 + width as f64 / 2.0).min(longest as f64), sum / count as f64))
        };
        Curve {
            name: &player.name,
            hue: player.number % 8,
            points: sums.iter().enumerate().filter_map(point).collect(),
        }
    };
    standing.players.iter().map(curve).collect()
}

/// The colours of the players.
pub(super) fn legend(standing: &EventStandings) -> String {
    let one = |player: &PlayerStanding| {
        format!(
            "<span class=\"key\"><span class=\"chip h{}\"></span>{}</span>",
            player.number % 8,
            escape(&short(&player.name, 24))
        )
    };
    standing.players.iter().map(one).collect()
}

/// The openings with the score of the first player.
pub(super) fn openings(games: &[&GameEntry], sides: [&str; 2]) -> String {
    let mut scores: BTreeMap<usize, (MatchScore, String)> = BTreeMap::new();
    for game in games {
        let moves: Vec<&str> = game.moves.split_whitespace().take(game.booked).collect();
        let name = match (&game.start, moves.is_empty()) {
            (Some(start), true) => start.clone(),
            (Some(start), false) => format!("{start}: {}", moves.join(" ")),
            (None, true) => "the usual start".to_owned(),
            (None, false) => moves.join(" "),
        };
        let entry = scores.entry(game.opening).or_insert_with(|| (MatchScore::default(), name));
        entry.0.add(Outcome::of(game.result.winner(), Side::First));
    }
    let rows: Vec<Vec<String>> = scores
        .iter()
        .map(|(number, (score, name))| {
            let share = score.points() / score.games().max(1) as f64;
            let meter = format!("<span class=\"meter\"><i style=\"width:{:.0}%\"></i></span>", share * 100.0);
            vec![
                (number + 1).to_string(),
                format!("<code>{}</code>", escape(&short(name, 60))),
                score.to_string(),
                format!("{meter} {:.0} %", share * 100.0),
            ]
        })
        .collect();
    let head = format!("{} W–D–L", sides[0]);
    format!("<div class=\"tall\">{}</div>", table("figures", &["", "opening", &head, "score"], &rows))
}

/// Games lost by a fault, and failed starts.
pub(super) fn forfeits(event: usize, games: &[&GameEntry], journal: &TournamentJournal) -> String {
    let mut rows: Vec<Vec<String>> = Vec::new();
    for game in games.iter().filter(|game| reason::FAULTS.contains(&game.reason.as_str())) {
        let loser = game.result.winner().map_or("", |winner| game.player(!winner));
        let words = game.fault.as_deref().unwrap_or_default();
        rows.push(vec![
            game_link(event, game.number),
            escape(loser),
            format!("<b class=\"bad\">{}</b>", escape(&game.reason)),
            escape(&short(words, 200)),
        ]);
    }
    for failure in journal.failures().iter().filter(|failure| failure.event == event) {
        let number = format!("#{}", failure.number + 1);
        rows.push(vec![
            number,
            escape(&failure.player),
            "<b class=\"bad\">no start</b>".to_owned(),
            escape(&short(&failure.message, 200)),
        ]);
    }
    if rows.is_empty() {
        return "<p class=\"fine\">No game was lost by time, an illegal move, a crash or a broken protocol.</p>"
            .to_owned();
    }
    let odd = table("figures", &["game", "player", "fault", "what happened"], &rows);
    format!("<h3>Forfeits and crashes</h3>{odd}")
}
