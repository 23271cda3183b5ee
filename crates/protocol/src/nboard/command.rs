//! Commands from the user interface to the engine.

use std::fmt;

use super::{number, word};
use crate::on_one_line;

/// One line from the user interface.
#[derive(Clone, PartialEq, Debug)]
pub enum Command {
    /// The version of the protocol. It is the first line.
    NBoard(u32),
    /// The search depth in plies.
    SetDepth(u32),
    /// The game so far, in GGF.
    SetGame(String),
    /// The value of a draw for black, in discs.
    SetContempt(i32),
    /// A move was played.
    Move(MoveReport),
    /// Report this many of the best moves.
    Hint(u32),
    /// Choose a move. `move` plays it.
    Go,
    /// Answer with the same number after all earlier work.
    Ping(u32),
    /// Add the game to the book.
    Learn,
    /// Evaluate every position of the game.
    Analyze,
    /// Quit.
    Quit,
}

/// A move with its evaluation and the time used.
#[derive(Clone, PartialEq, Debug)]
pub struct MoveReport {
    /// The move.
    pub mv: String,
    /// The evaluation in discs, seen by the player of the move.
    pub eval: Option<f64>,
    /// Seconds used.
    pub time: Option<f64>,
}

impl MoveReport {
    /// A move alone.
    pub fn new(mv: impl Into<String>) -> MoveReport {
        MoveReport { mv: mv.into(), eval: None, time: None }
    }

    /// Parses `F5`, `F5/eval` or `F5/eval/time`. Each field may be empty. Some programs separate them by
    /// blanks.
    pub(super) fn parse(text: &str) -> Option<MoveReport> {
        let (mv, rest) = match text.split_once('/') {
            Some((mv, rest)) => (mv.trim(), rest),
            None => word(text),
        };
        if mv.is_empty() || mv.contains(char::is_whitespace) {
            return None;
        }
        let (eval, time) = rest.split_once('/').unwrap_or_else(|| word(rest));
        Some(MoveReport { mv: mv.to_owned(), eval: number(eval.trim()), time: number(time.trim()) })
    }
}

impl Command {
    /// Parses a line; `None` for anything else, which an engine ignores.
    ///
    /// ```
    /// # use tesuji_protocol::nboard::{Command, MoveReport};
    /// let played = MoveReport { mv: "F5".to_owned(), eval: None, time: Some(0.5) };
    /// assert_eq!(Command::parse("move F5//0.5"), Some(Command::Move(played)));
    /// assert_eq!(Command::parse("hello"), None);
    /// ```
    pub fn parse(line: impl AsRef<[u8]>) -> Option<Command> {
        let line = String::from_utf8_lossy(line.as_ref());
        let (first, rest) = word(&line);
        Some(match first {
            "nboard" => Command::NBoard(rest.trim().parse().ok()?),
            "set" => match word(rest) {
                ("depth", depth) => Command::SetDepth(depth.parse().ok()?),
                ("game", game) if !game.is_empty() => Command::SetGame(game.to_owned()),
                ("contempt", discs) => Command::SetContempt(discs.parse().ok()?),
                _ => return None,
            },
            "move" => Command::Move(MoveReport::parse(rest)?),
            "hint" => Command::Hint(rest.parse().ok()?),
            "go" => Command::Go,
            "ping" => Command::Ping(rest.parse().ok()?),
            "learn" => Command::Learn,
            "analyze" | "analyse" => Command::Analyze,
            "quit" => Command::Quit,
            _ => return None,
        })
    }
}

impl fmt::Display for MoveReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&on_one_line(&self.mv))?;
        match (self.eval, self.time) {
            (None, None) => Ok(()),
            (Some(eval), None) => write!(f, "/{eval}"),
            (None, Some(time)) => write!(f, "//{time}"),
            (Some(eval), Some(time)) => write!(f, "/{eval}/{time}"),
        }
    }
}

impl fmt::Display for Command {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Command::NBoard(version) => write!(f, "nboard {version}"),
            Command::SetDepth(depth) => write!(f, "set depth {depth}"),
            Command::SetGame(game) => write!(f, "set game {}", on_one_line(game)),
            Command::SetContempt(discs) => write!(f, "set contempt {discs}"),
            Command::Move(played) => write!(f, "move {played}"),
            Command::Hint(lines) => write!(f, "hint {lines}"),
            Command::Go => f.write_str("go"),
            Command::Ping(number) => write!(f, "ping {number}"),
            Command::Learn => f.write_str("learn"),
            Command::Analyze => f.write_str("analyze"),
            Command::Quit => f.write_str("quit"),
        }
    }
}
