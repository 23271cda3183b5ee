//! GTP, the Go Text Protocol version 2, as Othello programs use it, both directions.

mod command;
mod reply;

pub use command::{Colour, Command, CommandKind};
pub use reply::{Reply, ReplyLine, ReplyReader};

/// A line without comment, control characters and surrounding blanks, as the protocol demands.
fn plain(line: &[u8]) -> String {
    let line = String::from_utf8_lossy(line);
    let code = line.split('#').next().unwrap_or_default();
    let letter = |c: char| if c == '\t' { Some(' ') } else { (!c.is_control()).then_some(c) };
    code.chars().filter_map(letter).collect::<String>().trim().to_owned()
}
