//! Commands from the player to the server.

use std::fmt;

use super::{one_word, words};

/// A move in the notation of the protocol.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ServerMove {
    /// A disc on the square of this column and row, both counted from 0 at A1 in the top left corner.
    Disc(u8, u8),
    /// A pass. Two passes end the game, even on a full board.
    Pass,
    /// Resignation. A player sends it, a server never does.
    GiveUp,
}

impl ServerMove {
    /// Parses `F5` in either case, `PASS` or `GIVEUP`.
    ///
    /// ```
    /// # use tesuji_protocol::reversi::ServerMove;
    /// assert_eq!(ServerMove::parse("A1"), Some(ServerMove::Disc(0, 0)));
    /// assert_eq!(ServerMove::parse("f5"), Some(ServerMove::Disc(5, 4)));
    /// assert_eq!(ServerMove::parse("I9"), None);
    /// ```
    pub fn parse(word: &str) -> Option<ServerMove> {
        if word.eq_ignore_ascii_case("PASS") {
            return Some(ServerMove::Pass);
        }
        if word.eq_ignore_ascii_case("GIVEUP") {
            return Some(ServerMove::GiveUp);
        }
        match word.as_bytes() {
            [column, row @ b'1'..=b'8'] => match column.to_ascii_uppercase() {
                column @ b'A'..=b'H' => Some(ServerMove::Disc(column - b'A', row - b'1')),
                _ => None,
            },
            _ => None,
        }
    }
}

impl fmt::Display for ServerMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            ServerMove::Disc(column, row) => {
                write!(f, "{}{}", char::from(b'A' + column % 8), char::from(b'1' + row % 8))
            }
            ServerMove::Pass => f.write_str("PASS"),
            ServerMove::GiveUp => f.write_str("GIVEUP"),
        }
    }
}

/// One line from a player.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Command {
    /// Join under this name.
    Open(String),
    /// Play a move.
    Move(ServerMove),
}

impl Command {
    /// Parses a line; `None` when it is not a command.
    ///
    /// ```
    /// # use tesuji_protocol::reversi::{Command, ServerMove};
    /// assert_eq!(Command::parse("MOVE PASS\r\n"), Some(Command::Move(ServerMove::Pass)));
    /// assert_eq!(Command::parse("OPEN deep-2.1_b"), Some(Command::Open("deep-2.1_b".to_owned())));
    /// assert_eq!(Command::parse("OPEN"), None);
    /// ```
    pub fn parse(line: impl AsRef<[u8]>) -> Option<Command> {
        match words(line.as_ref())?[..] {
            ["OPEN", name] => Some(Command::Open(name.to_owned())),
            ["MOVE", play] => ServerMove::parse(play).map(Command::Move),
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
