//! Commands from the user interface to the engine.

use std::fmt;

use super::go::{ClockTimes, Go};
use super::tokens::{Tokens, text};
use crate::on_one_line;

/// One line from the user interface.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Command {
    /// Identify the engine and list its options.
    Usi,
    /// Load everything needed and report when ready.
    IsReady,
    /// Set an option.
    SetOption {
        /// Its name.
        name: String,
        /// The new value; `None` for a button.
        value: Option<String>,
    },
    /// A new game starts.
    NewGame,
    /// The position to search next.
    Position(UsiPosition),
    /// Search.
    Go(Go),
    /// Stop the search and answer.
    Stop,
    /// The opponent played the expected move: pondering becomes a normal search. New clock times may follow.
    PonderHit(ClockTimes),
    /// The game is over, with the result for the engine.
    GameOver(Option<GameResult>),
    /// Quit.
    Quit,
}

/// A start position and the moves from there, as written.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct UsiPosition {
    /// The SFEN of the start; `None` for `startpos`.
    pub sfen: Option<String>,
    /// The moves.
    pub moves: Vec<String>,
}

/// The result of a game for the engine.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum GameResult {
    /// A win.
    Win,
    /// A loss.
    Lose,
    /// A draw.
    Draw,
}

impl Command {
    /// Parses a line; `None` when it has no command. Text before the first known command is skipped, as the
    /// protocol demands.
    ///
    /// ```
    /// # use tesuji_protocol::usi::Command;
    /// assert_eq!(Command::parse("isready\r\n"), Some(Command::IsReady));
    /// assert_eq!(Command::parse(b"please \xff stop"), Some(Command::Stop));
    /// assert_eq!(Command::parse("hello"), None);
    /// ```
    pub fn parse(line: impl AsRef<[u8]>) -> Option<Command> {
        let line = text(line.as_ref());
        let mut tokens = Tokens::new(&line);
        while let Some(word) = tokens.next() {
            return Some(match word {
                "usi" => Command::Usi,
                "isready" => Command::IsReady,
                "setoption" => return set_option(&mut tokens),
                "usinewgame" => Command::NewGame,
                "position" => Command::Position(UsiPosition::parse(&mut tokens)),
                "go" => Command::Go(Go::parse(&mut tokens)),
                "stop" => Command::Stop,
                "ponderhit" => Command::PonderHit(ClockTimes::parse(&mut tokens)),
                "gameover" => Command::GameOver(tokens.next().and_then(GameResult::parse)),
                "quit" => Command::Quit,
                _ => continue,
            });
        }
        None
    }
}

fn set_option(tokens: &mut Tokens<'_>) -> Option<Command> {
    tokens.next_if("name");
    let name = tokens.until(|word| word == "value");
    let value = tokens.next_if("value").then(|| tokens.rest().to_owned());
    (!name.is_empty()).then_some(Command::SetOption { name, value })
}

impl UsiPosition {
    fn parse(tokens: &mut Tokens<'_>) -> UsiPosition {
        let sfen = match tokens.next_if("startpos") {
            true => {
                tokens.list(|word| word == "moves");
                None
            }
            false => {
                tokens.next_if("sfen");
                Some(tokens.until(|word| word == "moves"))
            }
        };
        tokens.next_if("moves");
        UsiPosition { sfen, moves: tokens.map(str::to_owned).collect() }
    }
}

impl GameResult {
    fn parse(word: &str) -> Option<GameResult> {
        match word {
            "win" => Some(GameResult::Win),
            "lose" => Some(GameResult::Lose),
            "draw" => Some(GameResult::Draw),
            _ => None,
        }
    }
}

impl fmt::Display for Command {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Command::Usi => f.write_str("usi"),
            Command::IsReady => f.write_str("isready"),
            Command::SetOption { name, value: None } => write!(f, "setoption name {}", on_one_line(name)),
            Command::SetOption { name, value: Some(value) } => {
                write!(f, "setoption name {} value {}", on_one_line(name), on_one_line(value))
            }
            Command::NewGame => f.write_str("usinewgame"),
            Command::Position(placement) => placement.fmt(f),
            Command::Go(go) => go.fmt(f),
            Command::Stop => f.write_str("stop"),
            Command::PonderHit(clock) => write!(f, "ponderhit{clock}"),
            Command::GameOver(verdict) => f.write_str(match verdict {
                None => "gameover",
                Some(GameResult::Win) => "gameover win",
                Some(GameResult::Lose) => "gameover lose",
                Some(GameResult::Draw) => "gameover draw",
            }),
            Command::Quit => f.write_str("quit"),
        }
    }
}

impl fmt::Display for UsiPosition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.sfen {
            None => f.write_str("position startpos")?,
            Some(sfen) => write!(f, "position sfen {}", on_one_line(sfen))?,
        }
        if !self.moves.is_empty() {
            write!(f, " moves {}", on_one_line(&self.moves.join(" ")))?;
        }
        Ok(())
    }
}
