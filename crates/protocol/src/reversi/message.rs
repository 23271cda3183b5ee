//! Messages from the server to a player.

use std::fmt;

use super::{ServerMove, one_word, words};

/// One line from the server.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Message {
    /// A game starts.
    Start(GameStart),
    /// The server accepted the move; the milliseconds left, possibly negative.
    Ack(i64),
    /// The opponent's move, never a resignation.
    Move(ServerMove),
    /// A game is over.
    End(GameEnd),
    /// All games are over.
    Bye(Vec<ServerStanding>),
}

/// The start of a game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GameStart {
    /// The colour of the player.
    pub colour: Colour,
    /// The name of the opponent.
    pub opponent: String,
    /// Milliseconds for the whole game.
    pub time: i64,
}

/// The end of a game, seen by the player.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GameEnd {
    /// The result.
    pub verdict: GameResult,
    /// The player's discs.
    pub own: u32,
    /// The opponent's discs.
    pub other: u32,
    /// One of [`reason`](super::reason) or another word; empty when the server gave none.
    pub reason: String,
}

/// A colour. Black moves first.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Colour {
    /// Black.
    Black,
    /// White.
    White,
}

/// The result of a game for the player.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum GameResult {
    /// A win.
    Win,
    /// A loss.
    Lose,
    /// A draw.
    Tie,
}

/// One row of the final standings.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ServerStanding {
    /// The name of the player.
    pub name: String,
    /// Wins minus losses.
    pub score: i64,
    /// Games won.
    pub won: u32,
    /// Games lost.
    pub lost: u32,
}

impl Message {
    /// Parses a line; `None` when it is not a message. `BYE` keeps the rows of its table before the first
    /// invalid one.
    ///
    /// ```
    /// # use tesuji_protocol::reversi::Message;
    /// assert_eq!(Message::parse("ACK -250\r\n"), Some(Message::Ack(-250)));
    /// assert_eq!(Message::parse("BYE"), Some(Message::Bye(Vec::new())));
    /// assert_eq!(Message::parse("MOVE GIVEUP"), None);
    /// ```
    pub fn parse(line: impl AsRef<[u8]>) -> Option<Message> {
        let words = words(line.as_ref())?;
        match words[..] {
            ["START", colour, opponent, time] => Some(Message::Start(GameStart {
                colour: Colour::parse(colour)?,
                opponent: opponent.to_owned(),
                time: time.parse().ok()?,
            })),
            ["ACK", time] => time.parse().ok().map(Message::Ack),
            ["MOVE", play] => ServerMove::parse(play).filter(|&play| play != ServerMove::GiveUp).map(Message::Move),
            ["END", verdict, own, other, ref reason @ ..] => Some(Message::End(GameEnd {
                verdict: GameResult::parse(verdict)?,
                own: own.parse().ok()?,
                other: other.parse().ok()?,
                reason: reason.join("_"),
            })),
            ["BYE", ref table @ ..] => Some(Message::Bye(table.chunks(4).map_while(ServerStanding::parse).collect())),
            _ => None,
        }
    }
}

impl Colour {
    fn parse(word: &str) -> Option<Colour> {
        match word {
            "BLACK" => Some(Colour::Black),
            "WHITE" => Some(Colour::White),
            _ => None,
        }
    }
}

impl GameResult {
    fn parse(word: &str) -> Option<GameResult> {
        match word {
            "WIN" => Some(GameResult::Win),
            "LOSE" => Some(GameResult::Lose),
            "TIE" => Some(GameResult::Tie),
            _ => None,
        }
    }
}

impl ServerStanding {
    fn parse(row: &[&str]) -> Option<ServerStanding> {
        let &[name, score, won, lost] = row else { return None };
        Some(ServerStanding {
            name: name.to_owned(),
            score: score.parse().ok()?,
            won: won.parse().ok()?,
            lost: lost.parse().ok()?,
        })
    }
}

impl fmt::Display for Message {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Message::Start(GameStart { colour, opponent, time }) => {
                write!(f, "START {colour} {} {time}", one_word(opponent))
            }
            Message::Ack(time) => write!(f, "ACK {time}"),
            Message::Move(play) => write!(f, "MOVE {play}"),
            Message::End(GameEnd { verdict, own, other, reason }) => {
                write!(f, "END {verdict} {own} {other}")?;
                if reason.is_empty() { Ok(()) } else { write!(f, " {}", one_word(reason)) }
            }
            Message::Bye(table) => {
                f.write_str("BYE")?;
                table.iter().try_for_each(|ServerStanding { name, score, won, lost }| {
                    write!(f, " {} {score} {won} {lost}", one_word(name))
                })
            }
        }
    }
}

impl fmt::Display for Colour {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Colour::Black => "BLACK",
            Colour::White => "WHITE",
        })
    }
}

impl fmt::Display for GameResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            GameResult::Win => "WIN",
            GameResult::Lose => "LOSE",
            GameResult::Tie => "TIE",
        })
    }
}
