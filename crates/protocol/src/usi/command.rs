//! What a board program says to an engine.

use std::fmt;

use super::go::{Clock, Go};
use super::words::{Words, on_one_line, text};

/// One line from the board program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Command {
    /// Introduce yourself.
    Usi,
    /// Load what you need and say when you are ready.
    IsReady,
    /// Set an option.
    SetOption {
        /// Its name.
        name: String,
        /// What to; buttons have none.
        value: Option<String>,
    },
    /// A new game begins.
    NewGame,
    /// The position to think about next.
    Position(Placement),
    /// Think.
    Go(Go),
    /// Answer now.
    Stop,
    /// The expected move was played: what was pondering is now thinking. The clocks may come along.
    PonderHit(Clock),
    /// The game is over; how, seen by the engine.
    GameOver(Option<Verdict>),
    /// End.
    Quit,
}

/// Where a game stands: its start and the moves from there, as they were written.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Placement {
    /// The SFEN of the start; none for the usual one.
    pub sfen: Option<String>,
    /// The moves.
    pub moves: Vec<String>,
}

/// How a game ended for the engine.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// It won.
    Win,
    /// It lost.
    Lose,
    /// Nobody won.
    Draw,
}

impl Command {
    /// Reads a line. Words before the first known command are passed over, as the protocol demands; a line
    /// without any command says nothing.
    ///
    /// ```
    /// # use tesuji_protocol::usi::Command;
    /// assert_eq!(Command::parse("isready\r\n"), Some(Command::IsReady));
    /// assert_eq!(Command::parse(b"please \xff stop"), Some(Command::Stop));
    /// assert_eq!(Command::parse("hello"), None);
    /// ```
    pub fn parse(line: impl AsRef<[u8]>) -> Option<Command> {
        let line = text(line.as_ref());
        let mut words = Words::new(&line);
        while let Some(word) = words.next() {
            return Some(match word {
                "usi" => Command::Usi,
                "isready" => Command::IsReady,
                "setoption" => return set_option(&mut words),
                "usinewgame" => Command::NewGame,
                "position" => Command::Position(Placement::parse(&mut words)),
                "go" => Command::Go(Go::parse(&mut words)),
                "stop" => Command::Stop,
                "ponderhit" => Command::PonderHit(Clock::parse(&mut words)),
                "gameover" => Command::GameOver(words.next().and_then(Verdict::parse)),
                "quit" => Command::Quit,
                _ => continue,
            });
        }
        None
    }
}

fn set_option(words: &mut Words<'_>) -> Option<Command> {
    words.next_if("name");
    let name = words.until(|word| word == "value");
    let value = words.next_if("value").then(|| words.rest().to_owned());
    (!name.is_empty()).then_some(Command::SetOption { name, value })
}

impl Placement {
    fn parse(words: &mut Words<'_>) -> Placement {
        let sfen = match words.next_if("startpos") {
            true => {
                words.list(|word| word == "moves");
                None
            }
            false => {
                words.next_if("sfen");
                Some(words.until(|word| word == "moves"))
            }
        };
        words.next_if("moves");
        Placement { sfen, moves: words.map(str::to_owned).collect() }
    }
}

impl Verdict {
    fn parse(word: &str) -> Option<Verdict> {
        match word {
            "win" => Some(Verdict::Win),
            "lose" => Some(Verdict::Lose),
            "draw" => Some(Verdict::Draw),
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
                Some(Verdict::Win) => "gameover win",
                Some(Verdict::Lose) => "gameover lose",
                Some(Verdict::Draw) => "gameover draw",
            }),
            Command::Quit => f.write_str("quit"),
        }
    }
}

impl fmt::Display for Placement {
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
