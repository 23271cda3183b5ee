//! Lines of play in the words of the game.

use serde_json::{Value as Json, json};
use tesuji_game::Notation;
use tesuji_search::{Bound, Line, Proven, Value};

/// One line as scripts read it.
pub(crate) fn line_json<G: Notation>(from: &G, line: &Line<G::Move>) -> Json {
    let words = from.print_line(&line.moves);
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
