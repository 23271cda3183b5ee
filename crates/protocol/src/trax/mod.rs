//! The contest protocol of Trax programs: both directions, read and printed.
//!
//! Whether a move can be played is not this room's business; its shape is, because nothing else tells a
//! move from other words.

use std::fmt;

/// One line from the host.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Command {
    /// `-T`: say your team's code.
    Team,
    /// `-W`: you are white, and begin.
    White,
    /// `-B`, or a bare `-R`: you are red, and wait for a move.
    Red,
    /// `-R moves -F`: a game to go on from. No contest knows it; some programs do.
    Load(Vec<String>),
    /// `-E`: end. No contest knows it either; the end of input says the same.
    Exit,
    /// The other side's move.
    Move(String),
}

/// One line from a player.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Answer {
    /// A move.
    Move(String),
    /// Anything else; a team's code, if one was asked for.
    Words(String),
}

impl Command {
    /// Reads a line; `None` when it says nothing.
    ///
    /// ```
    /// # use tesuji_protocol::trax::Command;
    /// assert_eq!(Command::parse("-W\r\n"), Some(Command::White));
    /// assert_eq!(Command::parse("@0/"), Some(Command::Move("@0/".to_owned())));
    /// assert_eq!(Command::parse("hello"), None);
    /// ```
    pub fn parse(line: impl AsRef<[u8]>) -> Option<Command> {
        let line = String::from_utf8_lossy(line.as_ref());
        let mut words = line.split_whitespace();
        Some(match words.next()? {
            "-T" => Command::Team,
            "-W" => Command::White,
            "-B" => Command::Red,
            "-R" => {
                let moves: Vec<String> = words.take_while(|&word| word != "-F").map(str::to_owned).collect();
                if moves.is_empty() { Command::Red } else { Command::Load(moves) }
            }
            "-E" => Command::Exit,
            word if is_move(word) => Command::Move(word.to_owned()),
            _ => return None,
        })
    }
}

impl Answer {
    /// Reads a line; `None` when it is empty.
    pub fn parse(line: impl AsRef<[u8]>) -> Option<Answer> {
        let line = String::from_utf8_lossy(line.as_ref());
        let text = line.trim();
        match text {
            "" => None,
            text if is_move(text) => Some(Answer::Move(text.to_owned())),
            text => Some(Answer::Words(text.to_owned())),
        }
    }
}

/// Whether a word has the shape of a move: a column, a row and a tile.
fn is_move(word: &str) -> bool {
    let Some(place) = word.strip_suffix(['+', '/', '\\']) else { return false };
    let row =
        place.strip_prefix('@').unwrap_or_else(|| place.trim_start_matches(|c: char| c.is_ascii_uppercase()));
    row.len() < place.len() && !row.is_empty() && row.bytes().all(|byte| byte.is_ascii_digit())
}

/// Text as part of one line.
fn on_one_line(text: &str) -> String {
    text.chars().map(|letter| if letter.is_control() { ' ' } else { letter }).collect()
}

impl fmt::Display for Command {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Command::Team => f.write_str("-T"),
            Command::White => f.write_str("-W"),
            Command::Red => f.write_str("-B"),
            Command::Load(moves) => write!(f, "-R {} -F", on_one_line(&moves.join(" "))),
            Command::Exit => f.write_str("-E"),
            Command::Move(mv) => f.write_str(&on_one_line(mv)),
        }
    }
}

impl fmt::Display for Answer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Answer::Move(text) | Answer::Words(text) => f.write_str(&on_one_line(text)),
        }
    }
}
