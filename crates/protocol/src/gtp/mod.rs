//! GTP, the Go text protocol in its second version, as Othello programs speak it: both directions, read and
//! printed.
//!
//! Moves stay text here. Whatever a line holds, reading it gives a command, a part of a reply or nothing,
//! never a panic.

mod command;
mod reply;

pub use command::{Colour, Command, Verb};
pub use reply::{Heard, Replies, Reply};

/// A line without its comment, its control characters and the blanks around it, as the protocol demands.
fn plain(line: &[u8]) -> String {
    let line = String::from_utf8_lossy(line);
    let told = line.split('#').next().unwrap_or_default();
    let letter = |c: char| if c == '\t' { Some(' ') } else { (!c.is_control()).then_some(c) };
    told.chars().filter_map(letter).collect::<String>().trim().to_owned()
}
