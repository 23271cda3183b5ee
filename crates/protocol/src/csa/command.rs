//! Commands from the player to the server.

use std::error::Error;
use std::fmt;

use super::{is_move, text};
use crate::on_one_line;

/// The longest name that floodgate accepts.
const LONGEST_NAME: usize = 32;

/// One line from a player.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Command {
    /// Log in. The password may begin with the name of a game and a comma: `test-600-10,secret`.
    Login {
        /// The name of the player.
        name: String,
        /// The password.
        password: String,
    },
    /// Accept the game of this id, or the one that was offered last.
    Agree(Option<String>),
    /// Refuse it.
    Reject(Option<String>),
    /// Play a move.
    Move {
        /// The move: `+7776FU`.
        mv: String,
        /// The player's evaluation, for servers that keep it in the record.
        comment: Option<MoveComment>,
    },
    /// Resign.
    Resign,
    /// Declare a win.
    Declare,
    /// Interrupt the game, where the server allows it.
    Interrupt,
    /// An empty line, which keeps the connection open.
    KeepAlive,
    /// Leave.
    Logout,
}

/// An evaluation with a line, as floodgate keeps it: `'* 30 -3334FU`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MoveComment {
    /// The value in centipawns for the first player (black).
    pub score: i32,
    /// The moves that are expected next.
    pub line: Vec<String>,
}

impl Command {
    /// Parses a line; `None` when it is not a command.
    ///
    /// ```
    /// # use tesuji_protocol::csa::Command;
    /// let login = Command::Login { name: "a".to_owned(), password: "test-10-1F,b".to_owned() };
    /// assert_eq!(Command::parse("LOGIN a test-10-1F,b\r\n"), Some(login));
    /// assert_eq!(Command::parse("%TORYO"), Some(Command::Resign));
    /// assert_eq!(Command::parse("+7775"), None);
    /// ```
    pub fn parse(line: impl AsRef<[u8]>) -> Option<Command> {
        let text = text(line.as_ref())?;
        let words: Vec<&str> = text.split_ascii_whitespace().collect();
        let id = |words: &[&str]| words.first().map(|&id| id.to_owned());
        match words[..] {
            [] => Some(Command::KeepAlive),
            ["LOGIN", name, password] => Some(Command::Login { name: name.to_owned(), password: password.to_owned() }),
            ["AGREE", ref rest @ ..] if rest.len() < 2 => Some(Command::Agree(id(rest))),
            ["REJECT", ref rest @ ..] if rest.len() < 2 => Some(Command::Reject(id(rest))),
            ["%TORYO"] => Some(Command::Resign),
            ["%KACHI"] => Some(Command::Declare),
            ["%CHUDAN"] => Some(Command::Interrupt),
            ["LOGOUT"] => Some(Command::Logout),
            _ => {
                let (mv, rest) = text.split_once(',').unwrap_or((text, ""));
                let mv = is_move(mv).then(|| mv.to_owned())?;
                Some(Command::Move { mv, comment: MoveComment::parse(rest) })
            }
        }
    }
}

impl MoveComment {
    /// Parses `'* 30 -3334FU`. The line ends at the first word that is not a move.
    pub fn parse(text: &str) -> Option<MoveComment> {
        let mut words = text.trim().strip_prefix("'*")?.split_ascii_whitespace();
        let score = words.next()?.parse().ok()?;
        Some(MoveComment { score, line: words.take_while(|word| is_move(word)).map(str::to_owned).collect() })
    }
}

impl fmt::Display for MoveComment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "'* {}", self.score)?;
        self.line.iter().filter(|mv| is_move(mv)).try_for_each(|mv| write!(f, " {mv}"))
    }
}

impl fmt::Display for Command {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Command::Login { name, password } => write!(f, "LOGIN {} {}", one_word(name), one_word(password)),
            Command::Agree(None) => f.write_str("AGREE"),
            Command::Agree(Some(id)) => write!(f, "AGREE {}", one_word(id)),
            Command::Reject(None) => f.write_str("REJECT"),
            Command::Reject(Some(id)) => write!(f, "REJECT {}", one_word(id)),
            Command::Move { mv, comment: None } => f.write_str(&on_one_line(mv)),
            Command::Move { mv, comment: Some(comment) } => write!(f, "{},{comment}", on_one_line(mv)),
            Command::Resign => f.write_str("%TORYO"),
            Command::Declare => f.write_str("%KACHI"),
            Command::Interrupt => f.write_str("%CHUDAN"),
            Command::KeepAlive => Ok(()),
            Command::Logout => f.write_str("LOGOUT"),
        }
    }
}

/// Text as one word: blanks and control characters become `_`.
fn one_word(text: &str) -> String {
    let plain = |letter: char| !letter.is_ascii_whitespace() && !letter.is_control();
    let word: String = text.chars().map(|letter| if plain(letter) { letter } else { '_' }).collect();
    if word.is_empty() { "_".to_owned() } else { word }
}

/// Why a name or a password cannot be used.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LoginError {
    /// Whether it is the password.
    pub is_password: bool,
    message: String,
}

/// Checks a name and a password as floodgate takes them.
///
/// # Errors
/// The server would refuse them, or take them for something else.
///
/// ```
/// # use tesuji_protocol::csa::check_login;
/// assert!(check_login("tesuji", "floodgate-300-10F,secret").is_ok());
/// assert!(check_login("two words", "x").is_err() && check_login("a", "x y").is_err());
/// ```
pub fn check_login(name: &str, password: &str) -> Result<(), LoginError> {
    let fits = |byte: u8| byte.is_ascii_alphanumeric() || b"_@-.".contains(&byte);
    if name.is_empty() || name.len() > LONGEST_NAME || !name.bytes().all(fits) {
        let message = format!("{name:?} is not a name for a CSA server: write 1 to 32 letters, digits, _, @, - and .");
        return Err(LoginError { is_password: false, message });
    }
    if password.is_empty() || !password.bytes().all(|byte| byte.is_ascii_graphic()) {
        let message =
            "a password is one word of ASCII letters, digits and signs, such as test-600-10,secret".to_owned();
        return Err(LoginError { is_password: true, message });
    }
    Ok(())
}

impl fmt::Display for LoginError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl Error for LoginError {}
