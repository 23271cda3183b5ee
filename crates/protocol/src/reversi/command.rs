//! What a player says to the server.

use std::fmt;

use super::{Play, one_word, words};

/// One line from a player.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Command {
    /// Takes part, under this name.
    Open(String),
    /// Plays.
    Move(Play),
}

impl Command {
    /// Reads a line; `None` when it is neither.
    ///
    /// ```
    /// # use tesuji_protocol::reversi::{Command, Play};
    /// assert_eq!(Command::parse("MOVE PASS\r\n"), Some(Command::Move(Play::Pass)));
    /// assert_eq!(Command::parse("OPEN deep-2.1_b"), Some(Command::Open("deep-2.1_b".to_owned())));
    /// assert_eq!(Command::parse("OPEN"), None);
    /// ```
    pub fn parse(line: impl AsRef<[u8]>) -> Option<Command> {
        match words(line.as_ref())?[..] {
            ["OPEN", name] => Some(Command::Open(name.to_owned())),
            ["MOVE", play] => Play::parse(play).map(Command::Move),
            _ => None,
        }
    }
}

impl fmt::Display for Command {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Command::Open(name) => write!(f, "OPEN {}", one_word(name)),
            Command::Move(play) => write!(f, "MOVE {play}"),
        }
    }
}
