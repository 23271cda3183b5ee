//! NBoard version 2, the protocol between Othello user interfaces and engines, both directions.

mod command;
mod response;

pub use command::{Command, MoveReport};
pub use response::{Response, SearchLine};

/// Splits the first word off a line.
fn word(text: &str) -> (&str, &str) {
    let text = text.trim();
    let end = text.find(char::is_whitespace).unwrap_or(text.len());
    let (word, rest) = text.split_at(end);
    (word, rest.trim_start())
}

/// A finite number.
fn number(text: &str) -> Option<f64> {
    text.parse().ok().filter(|number: &f64| number.is_finite())
}
