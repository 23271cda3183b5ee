//! The contest protocol of Trax programs, both directions.
//!
//! Only the shape of a move is checked, because that tells a move from other text.

use std::fmt;

use crate::on_one_line;

/// One line from the host.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Command {
    /// `-T`: the host asks for the team code.
    Team,
    /// `-W`: the player is white and moves first.
    White,
    /// `-B`, or a bare `-R`: the player is red and waits for a move.
    Red,
    /// `-R moves -F`: load this game. The colour of the player follows and does not start it anew. An extension of some
    /// programs.
    Load(Vec<String>),
    /// `-N`: the host asks for the name of the program. An extension, as all below.
    Name,
    /// `-M move`: play this move without an answer.
    Make(String),
    /// `-U`: take the last move back.
    Undo,
    /// `-I`: a new game; the colour follows.
    Init,
    /// `-J`: the host asks how the game stands.
    Judge,
    /// `-E`: quit; the end of input means the same.
    Exit,
    /// The opponent's move.
    Move(String),
}

/// One line from a player.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Response {
    /// A move.
    Move(String),
    /// Any other text, such as the team code.
    Text(String),
}

impl Command {
    /// Parses a line; `None` when it is not a command.
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
            "-N" => Command::Name,
            "-M" => Command::Make(words.next().filter(|word| is_move(word))?.to_owned()),
            "-U" => Command::Undo,
            "-I" => Command::Init,
            "-J" => Command::Judge,
            "-E" => Command::Exit,
            word if is_move(word) => Command::Move(word.to_owned()),
            _ => return None,
        })
    }
}

impl Response {
    /// Parses a line; `None` when it is empty.
    pub fn parse(line: impl AsRef<[u8]>) -> Option<Response> {
        let line = String::from_utf8_lossy(line.as_ref());
        let text = line.trim();
        match text {
            "" => None,
            text if is_move(text) => Some(Response::Move(text.to_owned())),
            text => Some(Response::Text(text.to_owned())),
        }
    }
}

/// Whether a word has the shape of a move: a column, a row and a tile.
fn is_move(word: &str) -> bool {
    let Some(place) = word.strip_suffix(['+', '/', '\\']) else { return false };
    let row = place.strip_prefix('@').unwrap_or_else(|| place.trim_start_matches(|c: char| c.is_ascii_uppercase()));
    row.len() < place.len() && !row.is_empty() && row.bytes().all(|byte| byte.is_ascii_digit())
}

impl fmt::Display for Command {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Command::Team => f.write_str("-T"),
            Command::White => f.write_str("-W"),
            Command::Red => f.write_str("-B"),
            Command::Load(moves) => write!(f, "-R {} -F", on_one_line(&moves.join(" "))),
            Command::Name => f.write_str("-N"),
            Command::Make(mv) => write!(f, "-M {}", on_one_line(mv)),
            Command::Undo => f.write_str("-U"),
            Command::Init => f.write_str("-I"),
            Command::Judge => f.write_str("-J"),
            Command::Exit => f.write_str("-E"),
            Command::Move(mv) => f.write_str(&on_one_line(mv)),
        }
    }
}

impl fmt::Display for Response {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Response::Move(text) | Response::Text(text) => f.write_str(&on_one_line(text)),
        }
    }
}
