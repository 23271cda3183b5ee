//! The data of the replay script: games, boards and evaluations.

use serde_json::{Value, json};
use tesuji_arena::{Counted, EventRunner, GameEntry, RecordedResult, TournamentConfig};
use tesuji_game::Side;

/// The boards of more games would make the page too large.
pub(super) const MAX_REPLAYS: usize = 500;

/// The games of an event for the script; `replays` is the number of games whose boards may still be included.
pub(super) fn event(
    index: usize,
    config: &TournamentConfig,
    runner: Option<&dyn EventRunner>,
    games: &[&GameEntry],
    counted: &Counted,
    replays: &mut usize,
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
            let replay = runner.filter(|_| *replays > 0).and_then(|runner| runner.replay(game).ok());
            *replays -= usize::from(replay.is_some());
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
                "r": match game.result { RecordedResult::First => 1, RecordedResult::Second => -1, RecordedResult::Draw => 0 },
                "why": game.reason,
                "fault": game.fault,
                "mark": mark,
                "plies": game.plies(),
                "booked": game.booked,
                "v": values(game),
                "d": game.depths,
                "t": game.times,
                "replay": replay,
            })
        })
        .collect();
    json!({
        "game": config.events.get(index).map(|event| event.game.as_str()),
        "players": names,
        "sides": runner.map_or(["first", "second"], |runner| runner.sides()),
        "unit": runner.map_or("", |runner| runner.unit()),
        "games": lines,
    })
}

/// The evaluation of each ply after the opening for the first player; `"+"` or `"-"` for a proven result.
fn values(game: &GameEntry) -> Vec<Value> {
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
