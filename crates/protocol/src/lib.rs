//! The text protocols of game programs: parse and print, nothing else. No I/O, no clock.
//!
//! Every parser takes any bytes. A line that it does not understand gives `None`, never a panic. Moves and
//! positions stay text; the rules of the games are elsewhere.

use std::borrow::Cow;

pub mod csa;
pub mod gtp;
pub mod nboard;
pub mod reversi;
pub mod trax;
pub mod usi;

/// Text that fits on one line: control characters become blanks.
fn on_one_line(text: &str) -> Cow<'_, str> {
    if text.contains(char::is_control) {
        Cow::Owned(text.chars().map(|letter| if letter.is_control() { ' ' } else { letter }).collect())
    } else {
        Cow::Borrowed(text)
    }
}
