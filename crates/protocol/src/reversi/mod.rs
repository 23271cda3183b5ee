//! The match protocol of Othello servers: lines over TCP between a server and its players, both directions, and
//! the state machine of the player.
//!
//! Lines are printed without the line feed that ends them.

mod client;
mod command;
mod message;
mod name;

pub use client::{ClientPhase, ClientState, ServerEvent};
pub use command::{Command, ServerMove};
pub use message::{Colour, GameEnd, GameResult, GameStart, Message, ServerStanding};
pub use name::{NameError, check as check_name};

/// Reasons for the end of a game; a server may have others.
pub mod reason {
    /// Both players passed: the disc count decides.
    pub const DOUBLE_PASS: &str = "DOUBLE_PASS";
    /// A player sent an unknown command.
    pub const INVALID_COMMAND: &str = "INVALID_COMMAND";
    /// A player sent an illegal move.
    pub const INVALID_MOVE: &str = "INVALID_MOVE";
    /// A player resigned.
    pub const GIVEUP: &str = "GIVEUP";
    /// A player ran out of time.
    pub const TIME_OUT: &str = "TIME_OUT";
    /// A player disconnected.
    pub const DISCONNECTED: &str = "DISCONNECTED";
}

/// The words of a line, separated by ASCII whitespace; `None` when there are none or one is not ASCII text.
fn words(line: &[u8]) -> Option<Vec<&str>> {
    let text = std::str::from_utf8(line).ok()?;
    let words: Vec<&str> = text.split_ascii_whitespace().collect();
    let plain = |word: &&str| word.bytes().all(|byte| byte.is_ascii_graphic());
    (!words.is_empty() && words.iter().all(plain)).then_some(words)
}

/// Text as one word: characters that would split it become `_`.
fn one_word(text: &str) -> String {
    let word: String = text.chars().map(|letter| if letter.is_ascii_graphic() { letter } else { '_' }).collect();
    if word.is_empty() { "_".to_owned() } else { word }
}
