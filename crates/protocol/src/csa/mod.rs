//! The server protocol of the Computer Shogi Association, version 1.2, as floodgate speaks it: lines over TCP between a
//! server and its players, both directions, and the state machine of the player.
//!
//! Lines are printed without the line feed that ends them. Moves and positions stay text.

mod client;
mod command;
mod message;
mod summary;

pub use client::{ClientPhase, ClientState, ServerEvent};
pub use command::{Command, LoginError, MoveComment, check_login};
pub use message::{EndReason, GameEnd, GameResult, Message};
pub use summary::{GameSummary, GameTime, SummaryError, SummaryReader};

/// The text of a line without its end and the blanks around it; `None` when it is not UTF-8 or has control
/// characters.
fn text(line: &[u8]) -> Option<&str> {
    let text = std::str::from_utf8(line).ok()?.trim_matches([' ', '\t', '\r', '\n']);
    (!text.contains(|letter: char| letter.is_control() && letter != '\t')).then_some(text)
}

/// Whether `text` has the shape of a move: `+7776FU`.
fn is_move(text: &str) -> bool {
    match *text.as_bytes() {
        [b'+' | b'-', ref squares @ .., a, b] => {
            squares.len() == 4
                && squares.iter().all(u8::is_ascii_digit)
                && a.is_ascii_uppercase()
                && b.is_ascii_uppercase()
        }
        _ => false,
    }
}

/// A statement and the time behind it: `+7776FU,T2`. Anything else behind a comma is ignored.
fn timed(text: &str) -> (&str, Option<u64>) {
    let mut parts = text.split(',').map(str::trim);
    let statement = parts.next().unwrap_or("");
    (statement, parts.find_map(|part| part.strip_prefix('T')?.parse().ok()))
}
