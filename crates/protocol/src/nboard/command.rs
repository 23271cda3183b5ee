//! What a board says to an engine.

use std::fmt;

use super::{number, on_one_line, word};

/// One line from the board.
#[derive(Clone, PartialEq, Debug)]
pub enum Command {
    /// The version of the protocol: the first line.
    NBoard(u32),
    /// How many plies to look ahead.
    SetDepth(u32),
    /// The game so far, in GGF.
    SetGame(String),
    /// What a draw is worth to black, in discs.
    SetContempt(i32),
    /// A move was played.
    Move(Played),
    /// Tell about the best moves, so many of them.
    Hint(u32),
    /// Choose a move; it is not played until `move` says so.
    Go,
    /// Answer with the same number, after everything else.
    Ping(u32),
    /// Add the game to the book.
    Learn,
    /// Judge every position of the game.
    Analyze,
    /// End.
    Quit,
}

/// A move with what was thought of it and how long that took.
#[derive(Clone, PartialEq, Debug)]
pub struct Played {
    /// The move.
    pub mv: String,
    /// Its value in discs, seen by who played it.
    pub eval: Option<f64>,
    /// Seconds used.
    pub time: Option<f64>,
}

impl Played {
    /// A move without a word.
    pub fn new(mv: impl Into<String>) -> Played {
        Played { mv: mv.into(), eval: None, time: None }
    }

    /// Reads `F5`, `F5/eval` or `F5/eval/time`; what stands between the strokes may be missing. Some programs
    /// write blanks instead of strokes.
    pub(super) fn parse(text: &str) -> Option<Played> {
        let (mv, rest) = match text.split_once('/') {
            Some((mv, rest)) => (mv.trim(), rest),
            None => word(text),
        };
        if mv.is_empty() || mv.contains(char::is_whitespace) {
            return None;
        }
        let (eval, time) = rest.split_once('/').unwrap_or_else(|| word(rest));
        Some(Played { mv: mv.to_owned(), eval: number(eval.trim()), time: number(time.trim()) })
    }
}

impl Command {
    /// Reads a line; `None` when it is none of these, which an engine passes over.
    ///
    /// ```
    /// # use tesuji_protocol::nboard::{Command, Played};
    /// let played = Played { mv: "F5".to_owned(), eval: None, time: Some(0.5) };
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
            "move" => Command::Move(Played::parse(rest)?),
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

impl fmt::Display for Played {
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
