//! Lines of play in the words of the game.

use tesuji_search::{Bound, PvLine};

/// A value, with a sign where it is only a bound.
pub(crate) fn value_words<M>(line: &PvLine<M>) -> String {
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
