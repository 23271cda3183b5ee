//! Commands from the controller to the engine.

use std::fmt;
use std::time::Duration;

use super::plain;

/// One command. The reply repeats its number, if it has one.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Command {
    /// The number of the command.
    pub id: Option<u32>,
    /// The command without its number.
    pub kind: CommandKind,
}

/// The commands of the protocol.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum CommandKind {
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
    /// Quit.
    Quit,
    /// The size of the board.
    BoardSize(u32),
    /// Start a new game.
    ClearBoard,
    /// Points for the second player, as written.
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
        /// The main time.
        main: Duration,
        /// The time of each byo-yomi period of `stones` moves, after the main time.
        byoyomi: Duration,
        /// The moves of a period; zero for no byo-yomi.
        stones: u32,
    },
    /// The time left on a clock.
    TimeLeft {
        /// The owner of the clock.
        colour: Colour,
        /// The time left.
        time: Duration,
        /// The moves left in the period; zero in main time.
        stones: u32,
    },
    /// The result of the game.
    FinalScore,
    /// A drawing of the board.
    ShowBoard,
    /// Any other command, and a command above with invalid arguments.
    Other {
        /// The name of the command.
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

/// The longest time of a clock, far below the overflow of `Instant` arithmetic.
const LONGEST: f64 = 366.0 * 24.0 * 3600.0;

impl Command {
    /// Parses a line; `None` when it is empty.
    ///
    /// ```
    /// # use tesuji_protocol::gtp::{Colour, Command, CommandKind};
    /// let command = Command::parse("7 genmove black # think").unwrap();
    /// assert_eq!(command, Command { id: Some(7), kind: CommandKind::GenMove(Colour::Black) });
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
        let kind = CommandKind::parse(name, &arguments).unwrap_or_else(|| CommandKind::Other {
            name: name.to_owned(),
            arguments: arguments.iter().map(|&word| word.to_owned()).collect(),
        });
        Some(Command { id, kind })
    }
}

impl CommandKind {
    fn parse(name: &str, arguments: &[&str]) -> Option<CommandKind> {
        Some(match (name, arguments) {
            ("protocol_version", _) => CommandKind::ProtocolVersion,
            ("name", _) => CommandKind::Name,
            ("version", _) => CommandKind::Version,
            ("known_command", [name, ..]) => CommandKind::KnownCommand((*name).to_owned()),
            ("list_commands", _) => CommandKind::ListCommands,
            ("quit", _) => CommandKind::Quit,
            ("boardsize", [size, ..]) => CommandKind::BoardSize(size.parse().ok()?),
            ("clear_board", _) => CommandKind::ClearBoard,
            ("komi", [komi, ..]) => CommandKind::Komi((*komi).to_owned()),
            ("play", [colour, mv, ..]) => CommandKind::Play(Colour::parse(colour)?, (*mv).to_owned()),
            ("genmove", [colour, ..]) => CommandKind::GenMove(Colour::parse(colour)?),
            ("reg_genmove", [colour, ..]) => CommandKind::RegGenMove(Colour::parse(colour)?),
            ("undo", _) => CommandKind::Undo,
            ("time_settings", [main, byoyomi, stones, ..]) => CommandKind::TimeSettings {
                main: seconds(main)?,
                byoyomi: seconds(byoyomi)?,
                stones: stones.parse().ok()?,
            },
            ("time_left", [colour, time, stones, ..]) => CommandKind::TimeLeft {
                colour: Colour::parse(colour)?,
                time: seconds(time)?,
                stones: stones.parse().ok()?,
            },
            ("final_score", _) => CommandKind::FinalScore,
            ("showboard", _) => CommandKind::ShowBoard,
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

/// A number of seconds, possibly with a fraction. A negative number means no time.
fn seconds(word: &str) -> Option<Duration> {
    let seconds: f64 = word.parse().ok().filter(|seconds: &f64| !seconds.is_nan())?;
    Some(Duration::from_millis((seconds.clamp(0.0, LONGEST) * 1000.0).round() as u64))
}

/// A time in seconds. The fraction is printed only when it is not zero: some engines read whole numbers only.
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
        self.kind.fmt(f)
    }
}

impl fmt::Display for CommandKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CommandKind::ProtocolVersion => f.write_str("protocol_version"),
            CommandKind::Name => f.write_str("name"),
            CommandKind::Version => f.write_str("version"),
            CommandKind::KnownCommand(name) => write!(f, "known_command {}", plain(name.as_bytes())),
            CommandKind::ListCommands => f.write_str("list_commands"),
            CommandKind::Quit => f.write_str("quit"),
            CommandKind::BoardSize(size) => write!(f, "boardsize {size}"),
            CommandKind::ClearBoard => f.write_str("clear_board"),
            CommandKind::Komi(komi) => write!(f, "komi {}", plain(komi.as_bytes())),
            CommandKind::Play(colour, mv) => write!(f, "play {colour} {}", plain(mv.as_bytes())),
            CommandKind::GenMove(colour) => write!(f, "genmove {colour}"),
            CommandKind::RegGenMove(colour) => write!(f, "reg_genmove {colour}"),
            CommandKind::Undo => f.write_str("undo"),
            CommandKind::TimeSettings { main, byoyomi, stones } => {
                write!(f, "time_settings {} {} {stones}", Seconds(*main), Seconds(*byoyomi))
            }
            CommandKind::TimeLeft { colour, time, stones } => {
                write!(f, "time_left {colour} {} {stones}", Seconds(*time))
            }
            CommandKind::FinalScore => f.write_str("final_score"),
            CommandKind::ShowBoard => f.write_str("showboard"),
            CommandKind::Other { name, arguments } => {
                f.write_str(&plain(name.as_bytes()))?;
                arguments.iter().try_for_each(|word| write!(f, " {}", plain(word.as_bytes())))
            }
        }
    }
}
