//! What the page's script needs: the games, their pictures, and what players thought.

use serde_json::{Value, json};
use tesuji_game::Side;

use crate::config::Config;
use crate::counted::Counted;
use crate::line::{GameLine, Result};
use crate::stage::EventRunner;

/// Pictures of more games would make the page too heavy to open.
pub(super) const FILMS: usize = 500;

/// The games of an event for the script; `films` says how many pictures may still be made.
pub(super) fn event(
    index: usize,
    config: &Config,
    stage: Option<&dyn EventRunner>,
    games: &[&GameLine],
    counted: &Counted,
    films: &mut usize,
) -> Value {
    let names: Vec<&str> = config
        .events
        .get(index)
        .map(|event| event.players.iter().map(|player| player.name.as_str()).collect())
        .unwrap_or_default();
    let number = |name: &str| names.iter().position(|&known| known == name);
    let lines: Vec<Value> = games
        .iter()
        .map(|game| {
            let film = stage.filter(|_| *films > 0).and_then(|stage| stage.film(game).ok());
            *films -= usize::from(film.is_some());
            let mark = if counted.duplicates.contains(&game.number) {
                Some("duplicate")
            } else if counted.beyond.contains(&game.number) {
                Some("after the test ended")
            } else {
                None
            };
            json!({
                "n": game.number,
                "a": number(&game.first),
                "b": number(&game.second),
                "o": game.opening,
                "r": match game.result { Result::First => 1, Result::Second => -1, Result::Draw => 0 },
                "why": game.reason,
                "fault": game.fault,
                "mark": mark,
                "plies": game.plies(),
                "booked": game.booked,
                "v": values(game),
                "d": game.depths,
                "t": game.times,
                "film": film,
            })
        })
        .collect();
    json!({
        "game": config.events.get(index).map(|event| event.game.as_str()),
        "players": names,
        "sides": stage.map_or(["first", "second"], |stage| stage.sides()),
        "unit": stage.map_or("", |stage| stage.unit()),
        "games": lines,
    })
}

/// What was thought after each ply of the opening's end, all in the eyes of the first player; a proven result
/// as a word.
fn values(game: &GameLine) -> Vec<Value> {
    let mut values = vec![Value::Null; game.times.len()];
    for side in Side::BOTH {
        let sign = if side == Side::First { 1.0 } else { -1.0 };
        for ply in game.own_plies(side) {
            let proven = game.proven.get(ply).copied().flatten();
            let value = game.values.get(ply).copied().flatten();
            values[ply] = match (proven, value) {
                (Some(plies), _) if (plies > 0) == (side == Side::First) => json!("+"),
                (Some(_), _) => json!("-"),
                (None, Some(value)) => json!(sign * value),
                (None, None) => Value::Null,
            };
        }
    }
    values
}
