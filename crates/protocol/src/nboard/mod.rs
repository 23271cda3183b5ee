//! NBoard, the protocol between Othello boards and engines in its second version: both directions, read and
//! printed.
//!
//! Moves and games stay text here. Whatever a line holds, reading it gives a command, an answer or nothing,
//! never a panic.

mod answer;
mod command;

pub use answer::{Answer, Line};
pub use command::{Command, Played};

use std::borrow::Cow;

/// Splits the first word off a line.
fn word(text: &str) -> (&str, &str) {
    let text = text.trim();
    let end = text.find(char::is_whitespace).unwrap_or(text.len());
    let (word, rest) = text.split_at(end);
    (word, rest.trim_start())
}

/// A number that means something.
fn number(text: &str) -> Option<f64> {
    text.parse().ok().filter(|number: &f64| number.is_finite())
}

/// Text as part of one line.
fn on_one_line(text: &str) -> Cow<'_, str> {
    if text.contains(char::is_control) {
        Cow::Owned(text.chars().map(|letter| if letter.is_control() { ' ' } else { letter }).collect())
    } else {
        Cow::Borrowed(text)
    }
}
