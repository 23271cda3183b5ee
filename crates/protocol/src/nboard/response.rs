//! Responses from the engine to the user interface.

use std::fmt;

use super::command::MoveReport;
use super::{number, word};
use crate::on_one_line;

/// One line from the engine.
#[derive(Clone, PartialEq, Debug)]
pub enum Response {
    /// The name of the engine.
    MyName(String),
    /// The response to `ping`, with its number.
    Pong(u32),
    /// A status message for the user.
    Status(String),
    /// Nodes and seconds.
    NodeStats(u64, f64),
    /// A searched line.
    Search(SearchLine),
    /// A line from the opening book, and its number of games.
    Book(SearchLine, u64),
    /// The chosen move: the response to `go`.
    Move(MoveReport),
    /// The response to `learn`.
    Learned,
    /// The evaluation after this many moves, including passes.
    Analysis(u32, f64),
}

/// A line of moves and its evaluation.
#[derive(Clone, PartialEq, Debug)]
pub struct SearchLine {
    /// The moves, without blanks between them.
    pub moves: String,
    /// The evaluation in discs, seen by the side to move.
    pub eval: f64,
    /// The depth: a number, `100%` for an exact score, `100%W` for a win/loss/draw result.
    pub depth: String,
    /// A comment.
    pub text: String,
}

impl Response {
    /// Parses a line; `None` for anything else.
    ///
    /// ```
    /// # use tesuji_protocol::nboard::{Response, MoveReport};
    /// assert_eq!(Response::parse("=== PA"), Some(Response::Move(MoveReport::new("PA"))));
    /// assert_eq!(Response::parse("pong 3\r\n"), Some(Response::Pong(3)));
    /// assert_eq!(Response::parse("loading"), None);
    /// ```
    pub fn parse(line: impl AsRef<[u8]>) -> Option<Response> {
        let line = String::from_utf8_lossy(line.as_ref());
        if let Some(played) = line.trim_start().strip_prefix("===") {
            return MoveReport::parse(played).map(Response::Move);
        }
        let (first, rest) = word(&line);
        Some(match first {
            "set" => match word(rest) {
                ("myname", name) => Response::MyName(name.to_owned()),
                _ => return None,
            },
            "pong" => Response::Pong(rest.parse().ok()?),
            "status" => Response::Status(rest.to_owned()),
            "nodestats" => {
                let (nodes, seconds) = word(rest);
                Response::NodeStats(nodes.parse().ok()?, number(seconds)?)
            }
            "search" => Response::Search(SearchLine::parse(rest)?.0),
            "book" => {
                let (line, games) = SearchLine::parse(rest)?;
                Response::Book(line, games)
            }
            "learned" => Response::Learned,
            "analysis" => {
                let (moves, eval) = word(rest);
                Response::Analysis(moves.parse().ok()?, number(eval)?)
            }
            _ => return None,
        })
    }
}

impl SearchLine {
    /// Parses `moves eval games depth [text]`.
    fn parse(text: &str) -> Option<(SearchLine, u64)> {
        let (moves, rest) = word(text);
        let (eval, rest) = word(rest);
        let (games, rest) = word(rest);
        let (depth, text) = word(rest);
        if !depth.starts_with(|c: char| c.is_ascii_digit()) {
            return None;
        }
        let eval = number(eval)?;
        Some((
            SearchLine { moves: moves.to_owned(), eval, depth: depth.to_owned(), text: text.to_owned() },
            games.parse().ok()?,
        ))
    }

    fn print(&self, f: &mut fmt::Formatter<'_>, games: u64) -> fmt::Result {
        write!(f, "{} {} {games} {}", on_one_line(&self.moves), self.eval, on_one_line(&self.depth))?;
        if self.text.is_empty() { Ok(()) } else { write!(f, " {}", on_one_line(&self.text)) }
    }
}

impl fmt::Display for Response {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Response::MyName(name) => write!(f, "set myname {}", on_one_line(name)),
            Response::Pong(number) => write!(f, "pong {number}"),
            Response::Status(text) => write!(f, "status {}", on_one_line(text)),
            Response::NodeStats(nodes, seconds) => write!(f, "nodestats {nodes} {seconds}"),
            Response::Search(line) => {
                f.write_str("search ")?;
                line.print(f, 0)
            }
            Response::Book(line, games) => {
                f.write_str("book ")?;
                line.print(f, *games)
            }
            Response::Move(played) => write!(f, "=== {played}"),
            Response::Learned => f.write_str("learned"),
            Response::Analysis(moves, eval) => write!(f, "analysis {moves} {eval}"),
        }
    }
}
