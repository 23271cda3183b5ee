//! The match protocol of Othello servers: lines over TCP between one server and its players, both directions,
//! read and printed, and what a player may expect at each moment.
//!
//! Moves stay text here, as far as they look like one. Whatever a line holds, reading it gives a command, a
//! message or nothing, never a panic. Lines are written without their end, which is a line feed alone.

mod command;
mod message;
mod name;
mod play;
mod seat;

pub use command::Command;
pub use message::{Colour, End, Message, Standing, Start, Verdict};
pub use name::{NameError, check as check_name};
pub use play::Play;
pub use seat::{Heard, Seat, State};

/// Reasons for the end of a game; a server may have others.
pub mod reason {
    /// Both passed: the discs decide.
    pub const DOUBLE_PASS: &str = "DOUBLE_PASS";
    /// Somebody said what is no command.
    pub const INVALID_COMMAND: &str = "INVALID_COMMAND";
    /// Somebody played what the rules forbid.
    pub const INVALID_MOVE: &str = "INVALID_MOVE";
    /// Somebody gave up.
    pub const GIVEUP: &str = "GIVEUP";
    /// A flag fell.
    pub const TIME_OUT: &str = "TIME_OUT";
    /// Somebody is gone.
    pub const DISCONNECTED: &str = "DISCONNECTED";
}

/// The words of a line; blanks, tabs and a carriage return at its end only part them.
fn words(line: &[u8]) -> Option<Vec<&str>> {
    let text = std::str::from_utf8(line).ok()?;
    let words: Vec<&str> = text.split_ascii_whitespace().collect();
    let plain = |word: &&str| word.bytes().all(|byte| byte.is_ascii_graphic());
    (!words.is_empty() && words.iter().all(plain)).then_some(words)
}

/// A word as it can stand in a line: what would part it is replaced.
fn one_word(text: &str) -> String {
    let word: String =
        text.chars().map(|letter| if letter.is_ascii_graphic() { letter } else { '_' }).collect();
    if word.is_empty() { "_".to_owned() } else { word }
}
