//! Lines of play in the words of the game.

use serde_json::{Value as Json, json};
use tesuji_game::{MoveList, Notation};
use tesuji_search::{Bound, Line, Proven, Value};

/// The moves as text, up to one that cannot be played: a line is only as good as the table it came from.
pub(crate) fn pv<G: Notation>(from: &G, moves: &[G::Move]) -> Vec<String> {
    let mut game = from.clone();
    let mut list = G::Moves::default();
    let mut words = Vec::with_capacity(moves.len());
    for &mv in moves {
        game.moves(&mut list);
        if !list.has(mv) {
            break;
        }
        words.push(game.print_move(mv));
        game.play(mv);
    }
    words
}

/// One line as scripts read it.
pub(crate) fn line_json<G: Notation>(from: &G, line: &Line<G::Move>) -> Json {
    let words = pv(from, &line.moves);
    let mut fields = json!({ "move": words.first(), "value": value_json(line.value), "pv": words });
    if let Json::Object(fields) = &mut fields {
        if let Some(proven) = line.value.proven() {
            let (result, plies) = match proven {
                Proven::Win(plies) => ("win", plies),
                Proven::Loss(plies) => ("loss", plies),
            };
            fields.insert("proven".into(), json!({ "result": result, "plies": plies }));
        }
        match line.bound {
            Bound::Exact => {}
            Bound::Lower => drop(fields.insert("bound".into(), "lower".into())),
            Bound::Upper => drop(fields.insert("bound".into(), "upper".into())),
        }
        if let Some(rate) = line.rate {
            fields.insert("rate".into(), rate.into());
        }
    }
    fields
}

/// A value as a number: higher is better for the mover, and proven results lie beyond all estimates.
pub(crate) fn value_json(value: Value) -> Json {
    value.get().into()
}

/// A value, with a sign where it is only a bound.
pub(crate) fn value_words<M>(line: &Line<M>) -> String {
    let sign = match line.bound {
        Bound::Exact => "",
        Bound::Lower => "≥",
        Bound::Upper => "≤",
    };
    match line.rate {
        Some(rate) if !line.value.is_proven() => format!("{sign}{:.1} %", 100.0 * rate),
        _ => format!("{sign}{}", line.value),
    }
}
