//! What a controller says to an engine.

use std::fmt;
use std::time::Duration;

use super::plain;

/// One command; its number, if it has one, comes back with the reply.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Command {
    /// The number.
    pub id: Option<u32>,
    /// What is asked for.
    pub verb: Verb,
}

/// What a command asks for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Verb {
    /// The version of the protocol.
    ProtocolVersion,
    /// The engine's name.
    Name,
    /// The engine's version.
    Version,
    /// Whether a command of this name is known.
    KnownCommand(String),
    /// The names of all commands.
    ListCommands,
    /// End.
    Quit,
    /// The size of the board.
    BoardSize(u32),
    /// A new game begins.
    ClearBoard,
    /// Points for the second player, as they were written.
    Komi(String),
    /// A move was played.
    Play(Colour, String),
    /// Choose a move and play it.
    GenMove(Colour),
    /// Choose a move without playing it.
    RegGenMove(Colour),
    /// Take the last move back.
    Undo,
    /// The clock of the game.
    TimeSettings {
        /// At the beginning.
        main: Duration,
        /// For `stones` moves each time, once the main time is gone.
        byoyomi: Duration,
        /// How many moves that is for; zero for no such time.
        stones: u32,
    },
    /// What is left of a clock.
    TimeLeft {
        /// Whose.
        colour: Colour,
        /// How much.
        time: Duration,
        /// For how many moves; zero while it is main time.
        stones: u32,
    },
    /// Who won, and by how much.
    FinalScore,
    /// The board, drawn.
    ShowBoard,
    /// Anything else, and commands above whose arguments cannot be read.
    Other {
        /// The command.
        name: String,
        /// Its arguments.
        arguments: Vec<String>,
    },
}

/// A colour. Black moves first.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Colour {
    /// Black.
    Black,
    /// White.
    White,
}

/// No clock shows more: far from where arithmetic of instants ends.
const LONGEST: f64 = 366.0 * 24.0 * 3600.0;

impl Command {
    /// Reads a line; `None` when there is nothing on it.
    ///
    /// ```
    /// # use tesuji_protocol::gtp::{Colour, Command, Verb};
    /// let command = Command::parse("7 genmove black # think").unwrap();
    /// assert_eq!(command, Command { id: Some(7), verb: Verb::GenMove(Colour::Black) });
    /// assert_eq!(Command::parse("# nothing"), None);
    /// ```
    pub fn parse(line: impl AsRef<[u8]>) -> Option<Command> {
        let line = plain(line.as_ref());
        let mut words = line.split_whitespace().peekable();
        let id = words.peek().and_then(|word| word.parse().ok());
        if id.is_some() {
            words.next();
        }
        let name = words.next()?;
        let arguments: Vec<&str> = words.collect();
        let verb = Verb::parse(name, &arguments).unwrap_or_else(|| Verb::Other {
            name: name.to_owned(),
            arguments: arguments.iter().map(|&word| word.to_owned()).collect(),
        });
        Some(Command { id, verb })
    }
}

impl Verb {
    fn parse(name: &str, arguments: &[&str]) -> Option<Verb> {
        Some(match (name, arguments) {
            ("protocol_version", _) => Verb::ProtocolVersion,
            ("name", _) => Verb::Name,
            ("version", _) => Verb::Version,
            ("known_command", [name, ..]) => Verb::KnownCommand((*name).to_owned()),
            ("list_commands", _) => Verb::ListCommands,
            ("quit", _) => Verb::Quit,
            ("boardsize", [size, ..]) => Verb::BoardSize(size.parse().ok()?),
            ("clear_board", _) => Verb::ClearBoard,
            ("komi", [komi, ..]) => Verb::Komi((*komi).to_owned()),
            ("play", [colour, mv, ..]) => Verb::Play(Colour::parse(colour)?, (*mv).to_owned()),
            ("genmove", [colour, ..]) => Verb::GenMove(Colour::parse(colour)?),
            ("reg_genmove", [colour, ..]) => Verb::RegGenMove(Colour::parse(colour)?),
            ("undo", _) => Verb::Undo,
            ("time_settings", [main, byoyomi, stones, ..]) => Verb::TimeSettings {
                main: seconds(main)?,
                byoyomi: seconds(byoyomi)?,
                stones: stones.parse().ok()?,
            },
            ("time_left", [colour, time, stones, ..]) => Verb::TimeLeft {
                colour: Colour::parse(colour)?,
                time: seconds(time)?,
                stones: stones.parse().ok()?,
            },
            ("final_score", _) => Verb::FinalScore,
            ("showboard", _) => Verb::ShowBoard,
            _ => return None,
        })
    }
}

impl Colour {
    fn parse(word: &str) -> Option<Colour> {
        match word.to_ascii_lowercase().as_str() {
            "b" | "black" => Some(Colour::Black),
            "w" | "white" => Some(Colour::White),
            _ => None,
        }
    }
}

/// Seconds, whole as the protocol has them or not; below zero there is no time left.
fn seconds(word: &str) -> Option<Duration> {
    let seconds: f64 = word.parse().ok().filter(|seconds: &f64| !seconds.is_nan())?;
    Some(Duration::from_millis((seconds.clamp(0.0, LONGEST) * 1000.0).round() as u64))
}

/// A time in seconds; a fraction is written only where there is one, for engines that read whole numbers.
struct Seconds(Duration);

impl fmt::Display for Seconds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0.subsec_millis() {
            0 => write!(f, "{}", self.0.as_secs()),
            millis => write!(f, "{}.{millis:03}", self.0.as_secs()),
        }
    }
}

impl fmt::Display for Colour {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Colour::Black => "b",
            Colour::White => "w",
        })
    }
}

impl fmt::Display for Command {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(id) = self.id {
            write!(f, "{id} ")?;
        }
        self.verb.fmt(f)
    }
}

impl fmt::Display for Verb {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Verb::ProtocolVersion => f.write_str("protocol_version"),
            Verb::Name => f.write_str("name"),
            Verb::Version => f.write_str("version"),
            Verb::KnownCommand(name) => write!(f, "known_command {}", plain(name.as_bytes())),
            Verb::ListCommands => f.write_str("list_commands"),
            Verb::Quit => f.write_str("quit"),
            Verb::BoardSize(size) => write!(f, "boardsize {size}"),
            Verb::ClearBoard => f.write_str("clear_board"),
            Verb::Komi(komi) => write!(f, "komi {}", plain(komi.as_bytes())),
            Verb::Play(colour, mv) => write!(f, "play {colour} {}", plain(mv.as_bytes())),
            Verb::GenMove(colour) => write!(f, "genmove {colour}"),
            Verb::RegGenMove(colour) => write!(f, "reg_genmove {colour}"),
            Verb::Undo => f.write_str("undo"),
            Verb::TimeSettings { main, byoyomi, stones } => {
                write!(f, "time_settings {} {} {stones}", Seconds(*main), Seconds(*byoyomi))
            }
            Verb::TimeLeft { colour, time, stones } => {
                write!(f, "time_left {colour} {} {stones}", Seconds(*time))
            }
            Verb::FinalScore => f.write_str("final_score"),
            Verb::ShowBoard => f.write_str("showboard"),
            Verb::Other { name, arguments } => {
                f.write_str(&plain(name.as_bytes()))?;
                arguments.iter().try_for_each(|word| write!(f, " {}", plain(word.as_bytes())))
            }
        }
    }
}
