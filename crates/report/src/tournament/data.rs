//! The data of the replay script: games, boards and evaluations.

use serde_json::{Value, json};
use tesuji_arena::{Counted, EventRunner, GameEntry, RecordedResult, TournamentConfig};
use tesuji_game::{Outcome, Side, result_text};
use tesuji_search::{Bound, ProvenOutcome, UnitValue, ValueUnit};

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
    let sides = runner.map_or(["first", "second"], |runner| runner.sides());
    let unit = runner.map_or(ValueUnit::WINS, |runner| runner.unit());
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
            let values = values(game, unit);
            json!({
                "n": game.number,
                "a": number(&game.first),
                "b": number(&game.second),
                "o": game.opening,
                "r": match game.result { RecordedResult::First => 1, RecordedResult::Second => -1, RecordedResult::Draw => 0 },
                "why": game.reason,
                "result": result_text(sides, game.result.winner(), &game.reason, game.score),
                "score": game.score,
                "fault": game.fault,
                "mark": mark,
                "plies": game.plies(),
                "booked": game.booked,
                "b2": game.second_begins,
                "v": values.iter().map(|value| value.map(UnitValue::level)).collect::<Vec<_>>(),
                "say": said(game, unit),
                "d": game.depths,
                "t": game.times,
                "replay": replay,
            })
        })
        .collect();
    json!({
        "game": config.events.get(index).map(|event| event.game.as_str()),
        "players": names,
        "sides": sides,
        "unit": unit.name,
        "games": lines,
    })
}

/// The evaluation of each ply after the opening for the first player, in the unit of the game.
fn values(game: &GameEntry, unit: ValueUnit) -> Vec<Option<UnitValue>> {
    each_ply(game, |ply| {
        let value = UnitValue { unit, number: None, proven: None, bound: Bound::Exact };
        match (proven(game, ply), game.values.get(ply).copied().flatten()) {
            (Some(proven), _) => Some(UnitValue { proven: Some(proven), ..value }),
            (None, Some(number)) => Some(UnitValue { number: Some(number), ..value }),
            (None, None) => None,
        }
    })
}

/// The same in words. Tree searches tell their win rates.
fn said(game: &GameEntry, unit: ValueUnit) -> Vec<Option<String>> {
    let rate = |ply: usize| game.rates.get(ply).copied().flatten();
    let mut said = values(game, unit);
    let rates = each_ply(game, |ply| {
        let rate = rate(ply).filter(|_| proven(game, ply).is_none())?;
        Some(UnitValue { number: Some(100.0 * rate), ..UnitValue::even(ValueUnit::WIN_RATE) })
    });
    for (value, rate) in said.iter_mut().zip(rates) {
        *value = rate.or(*value);
    }
    said.into_iter().map(|value| value.map(UnitValue::with_unit)).collect()
}

/// What `read` finds for each ply after the opening, turned from the mover's view to that of the first player.
fn each_ply(game: &GameEntry, read: impl Fn(usize) -> Option<UnitValue>) -> Vec<Option<UnitValue>> {
    let mut values = vec![None; game.times.len()];
    for side in Side::BOTH {
        for ply in game.own_plies(side) {
            values[ply] = read(ply).map(|value| if side == Side::First { value } else { -value });
        }
    }
    values
}

fn proven(game: &GameEntry, ply: usize) -> Option<ProvenOutcome> {
    let plies = game.proven.get(ply).copied().flatten()?;
    let outcome = if plies > 0 { Outcome::Win } else { Outcome::Loss };
    Some(ProvenOutcome { outcome, plies: u16::try_from(plies.unsigned_abs()).ok() })
}
