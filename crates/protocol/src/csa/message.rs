//! Messages from the server to a player, apart from the lines of a game summary.

use std::fmt;

use super::{is_move, text, timed};
use crate::on_one_line;

/// One line from the server.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Message {
    /// The login was accepted under this name.
    LoggedIn(String),
    /// The login was refused: a wrong password, or the name is logged in already.
    LoginRefused,
    /// The server accepted the logout.
    LoggedOut,
    /// A game is offered; its summary follows.
    BeginSummary,
    /// The game of this id starts.
    Start(String),
    /// The game of this id does not take place.
    Rejected {
        /// The game.
        id: String,
        /// Who refused.
        by: String,
    },
    /// A move of either side, accepted.
    Move {
        /// The move: `+7776FU`.
        mv: String,
        /// The time that the server charged, in its unit.
        time: Option<u64>,
    },
    /// A word in place of a move: `TORYO`, `KACHI`, `CHUDAN`.
    Special(String),
    /// Why the game ends.
    Reason(EndReason),
    /// The result for the player. The game is over.
    Result(GameResult),
    /// An empty line: the answer to an empty line.
    KeepAlive,
    /// A remark, `##[ERROR] …`, without its `##`.
    Notice(String),
}

/// Why a game ended.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum EndReason {
    /// A player resigned or left.
    Resign,
    /// The flag fell.
    TimeUp,
    /// An illegal move or a wrong declaration.
    IllegalMove,
    /// The fourth repetition.
    Repetition,
    /// The fourth repetition by perpetual check.
    PerpetualCheck,
    /// A declared win.
    Declaration,
    /// The move limit.
    MaxMoves,
    /// A foul that is no illegal move, such as a word that is not allowed.
    IllegalAction,
}

/// The result of a game for the player.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum GameResult {
    /// A win.
    Win,
    /// A loss.
    Lose,
    /// A draw.
    Draw,
    /// No result: the move limit ended the game.
    Censored,
    /// The game was interrupted.
    Interrupted,
}

/// How a game ended.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct GameEnd {
    /// Why, if the server told.
    pub reason: Option<EndReason>,
    /// The result for the player.
    pub result: GameResult,
}

impl EndReason {
    /// All reasons, with the words of the protocol.
    pub const ALL: [(EndReason, &'static str); 8] = [
        (EndReason::Resign, "RESIGN"),
        (EndReason::TimeUp, "TIME_UP"),
        (EndReason::IllegalMove, "ILLEGAL_MOVE"),
        (EndReason::Repetition, "SENNICHITE"),
        (EndReason::PerpetualCheck, "OUTE_SENNICHITE"),
        (EndReason::Declaration, "JISHOGI"),
        (EndReason::MaxMoves, "MAX_MOVES"),
        (EndReason::IllegalAction, "ILLEGAL_ACTION"),
    ];

    fn parse(word: &str) -> Option<EndReason> {
        EndReason::ALL.into_iter().find(|(_, known)| *known == word).map(|(reason, _)| reason)
    }
}

impl GameResult {
    /// All results, with the words of the protocol.
    pub const ALL: [(GameResult, &'static str); 5] = [
        (GameResult::Win, "WIN"),
        (GameResult::Lose, "LOSE"),
        (GameResult::Draw, "DRAW"),
        (GameResult::Censored, "CENSORED"),
        (GameResult::Interrupted, "CHUDAN"),
    ];

    fn parse(word: &str) -> Option<GameResult> {
        GameResult::ALL.into_iter().find(|(_, known)| *known == word).map(|(result, _)| result)
    }
}

impl Message {
    /// Parses a line; `None` when it is not a message.
    ///
    /// ```
    /// # use tesuji_protocol::csa::{EndReason, GameResult, Message};
    /// let mv = Message::Move { mv: "+7776FU".to_owned(), time: Some(2) };
    /// assert_eq!(Message::parse("+7776FU,T2\n"), Some(mv));
    /// assert_eq!(Message::parse("#RESIGN"), Some(Message::Reason(EndReason::Resign)));
    /// assert_eq!(Message::parse("#WIN"), Some(Message::Result(GameResult::Win)));
    /// assert_eq!(Message::parse("hello"), None);
    /// ```
    pub fn parse(line: impl AsRef<[u8]>) -> Option<Message> {
        let text = text(line.as_ref())?;
        if text.is_empty() {
            return Some(Message::KeepAlive);
        }
        if let Some(rest) = text.strip_prefix("##") {
            return Some(Message::Notice(on_one_line(rest).trim().to_owned()));
        }
        if let Some(word) = text.strip_prefix('#') {
            let result = GameResult::parse(word).map(Message::Result);
            return result.or_else(|| EndReason::parse(word).map(Message::Reason));
        }
        if let Some(rest) = text.strip_prefix('%') {
            let word = timed(rest).0;
            let plain = !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_uppercase() || byte == b'_');
            return plain.then(|| Message::Special(word.to_owned()));
        }
        match text {
            "LOGIN:incorrect" => return Some(Message::LoginRefused),
            "LOGOUT:completed" => return Some(Message::LoggedOut),
            "BEGIN Game_Summary" => return Some(Message::BeginSummary),
            _ => {}
        }
        if let Some(name) = text.strip_prefix("LOGIN:").and_then(|rest| rest.strip_suffix(" OK")) {
            return word(name).map(Message::LoggedIn);
        }
        if let Some(id) = text.strip_prefix("START:") {
            return word(id).map(Message::Start);
        }
        if let Some(rest) = text.strip_prefix("REJECT:") {
            let (id, by) = rest.split_once(" by ")?;
            return Some(Message::Rejected { id: word(id)?, by: by.trim().to_owned() });
        }
        let (mv, time) = timed(text);
        is_move(mv).then(|| Message::Move { mv: mv.to_owned(), time })
    }
}

/// A single word.
fn word(text: &str) -> Option<String> {
    let text = text.trim();
    (!text.is_empty() && !text.contains(char::is_whitespace)).then(|| text.to_owned())
}

impl fmt::Display for Message {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Message::LoggedIn(name) => write!(f, "LOGIN:{} OK", on_one_line(name)),
            Message::LoginRefused => f.write_str("LOGIN:incorrect"),
            Message::LoggedOut => f.write_str("LOGOUT:completed"),
            Message::BeginSummary => f.write_str("BEGIN Game_Summary"),
            Message::Start(id) => write!(f, "START:{}", on_one_line(id)),
            Message::Rejected { id, by } => write!(f, "REJECT:{} by {}", on_one_line(id), on_one_line(by)),
            Message::Move { mv, time: None } => f.write_str(&on_one_line(mv)),
            Message::Move { mv, time: Some(time) } => write!(f, "{},T{time}", on_one_line(mv)),
            Message::Special(word) => write!(f, "%{}", on_one_line(word)),
            Message::Reason(reason) => write!(f, "#{reason}"),
            Message::Result(result) => write!(f, "#{result}"),
            Message::KeepAlive => Ok(()),
            Message::Notice(words) => write!(f, "##{}", on_one_line(words)),
        }
    }
}

impl fmt::Display for EndReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let word = EndReason::ALL.iter().find(|(known, _)| known == self).map_or("", |(_, word)| word);
        f.write_str(word)
    }
}

impl fmt::Display for GameResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let word = GameResult::ALL.iter().find(|(known, _)| known == self).map_or("", |(_, word)| word);
        f.write_str(word)
    }
}
