//! What an engine says to a board.

use std::fmt;

use super::command::Played;
use super::{number, on_one_line, word};

/// One line from the engine.
#[derive(Clone, PartialEq, Debug)]
pub enum Answer {
    /// What it calls itself.
    MyName(String),
    /// The answer to `ping`, with its number.
    Pong(u32),
    /// What it is doing, for people.
    Status(String),
    /// Positions visited, and seconds.
    NodeStats(u64, f64),
    /// A line it searched.
    Search(Line),
    /// A line from its book, and how many games it rests on.
    Book(Line, u64),
    /// What it would play: the answer to `go`.
    Move(Played),
    /// The answer to `learn`.
    Learned,
    /// The value of the game after so many moves, passes counted.
    Analysis(u32, f64),
}

/// A line of moves and what it is worth.
#[derive(Clone, PartialEq, Debug)]
pub struct Line {
    /// The moves, one after the other without blanks.
    pub moves: String,
    /// Its worth in discs, seen by the side to move.
    pub eval: f64,
    /// How deep: a number, or `100%` for solved, or `100%W` for who wins alone.
    pub depth: String,
    /// Words.
    pub text: String,
}

impl Answer {
    /// Reads a line; `None` when it is none of these.
    ///
    /// ```
    /// # use tesuji_protocol::nboard::{Answer, Played};
    /// assert_eq!(Answer::parse("=== PA"), Some(Answer::Move(Played::new("PA"))));
    /// assert_eq!(Answer::parse("pong 3\r\n"), Some(Answer::Pong(3)));
    /// assert_eq!(Answer::parse("loading"), None);
    /// ```
    pub fn parse(line: impl AsRef<[u8]>) -> Option<Answer> {
        let line = String::from_utf8_lossy(line.as_ref());
        if let Some(played) = line.trim_start().strip_prefix("===") {
            return Played::parse(played).map(Answer::Move);
        }
        let (first, rest) = word(&line);
        Some(match first {
            "set" => match word(rest) {
                ("myname", name) => Answer::MyName(name.to_owned()),
                _ => return None,
            },
            "pong" => Answer::Pong(rest.parse().ok()?),
            "status" => Answer::Status(rest.to_owned()),
            "nodestats" => {
                let (nodes, seconds) = word(rest);
                Answer::NodeStats(nodes.parse().ok()?, number(seconds)?)
            }
            "search" => Answer::Search(Line::parse(rest)?.0),
            "book" => {
                let (line, games) = Line::parse(rest)?;
                Answer::Book(line, games)
            }
            "learned" => Answer::Learned,
            "analysis" => {
                let (moves, eval) = word(rest);
                Answer::Analysis(moves.parse().ok()?, number(eval)?)
            }
            _ => return None,
        })
    }
}

impl Line {
    /// Reads `moves eval games depth [text]`.
    fn parse(text: &str) -> Option<(Line, u64)> {
        let (moves, rest) = word(text);
        let (eval, rest) = word(rest);
        let (games, rest) = word(rest);
        let (depth, text) = word(rest);
        if !depth.starts_with(|c: char| c.is_ascii_digit()) {
            return None;
        }
        let eval = number(eval)?;
        Some((
            Line { moves: moves.to_owned(), eval, depth: depth.to_owned(), text: text.to_owned() },
            games.parse().ok()?,
        ))
    }

    fn print(&self, f: &mut fmt::Formatter<'_>, games: u64) -> fmt::Result {
        write!(f, "{} {} {games} {}", on_one_line(&self.moves), self.eval, on_one_line(&self.depth))?;
        if self.text.is_empty() { Ok(()) } else { write!(f, " {}", on_one_line(&self.text)) }
    }
}

impl fmt::Display for Answer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Answer::MyName(name) => write!(f, "set myname {}", on_one_line(name)),
            Answer::Pong(number) => write!(f, "pong {number}"),
            Answer::Status(text) => write!(f, "status {}", on_one_line(text)),
            Answer::NodeStats(nodes, seconds) => write!(f, "nodestats {nodes} {seconds}"),
            Answer::Search(line) => {
                f.write_str("search ")?;
                line.print(f, 0)
            }
            Answer::Book(line, games) => {
                f.write_str("book ")?;
                line.print(f, *games)
            }
            Answer::Move(played) => write!(f, "=== {played}"),
            Answer::Learned => f.write_str("learned"),
            Answer::Analysis(moves, eval) => write!(f, "analysis {moves} {eval}"),
        }
    }
}
