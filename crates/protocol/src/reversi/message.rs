//! What the server says to a player.

use std::fmt;

use super::{Play, one_word, words};

/// One line from the server.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Message {
    /// A game begins.
    Start(Start),
    /// The move was taken; so many milliseconds are left, which may be less than nothing.
    Ack(i64),
    /// The opponent's move, never that it gives up.
    Move(Play),
    /// A game is over.
    End(End),
    /// All games are over.
    Bye(Vec<Standing>),
}

/// A game begins.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Start {
    /// Whom the player plays.
    pub colour: Colour,
    /// Whom he plays against.
    pub opponent: String,
    /// Milliseconds for the whole game.
    pub time: i64,
}

/// A game is over, as the player sees it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct End {
    /// Who won.
    pub verdict: Verdict,
    /// The player's discs at that moment.
    pub own: u32,
    /// The opponent's.
    pub other: u32,
    /// Why: one of [`reason`](super::reason), or any other word; nothing, if the server gave none.
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

/// How a game ended for the player.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// It won.
    Win,
    /// It lost.
    Lose,
    /// Nobody won.
    Tie,
}

/// One row of the final table.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Standing {
    /// Who.
    pub name: String,
    /// Games won less games lost.
    pub score: i64,
    /// Games won.
    pub won: u32,
    /// Games lost.
    pub lost: u32,
}

impl Message {
    /// Reads a line; `None` when it is none of these. A farewell is one however its table looks: as many rows
    /// as can be read are.
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
            ["START", colour, opponent, time] => Some(Message::Start(Start {
                colour: Colour::parse(colour)?,
                opponent: opponent.to_owned(),
                time: time.parse().ok()?,
            })),
            ["ACK", time] => time.parse().ok().map(Message::Ack),
            ["MOVE", play] => Play::parse(play).filter(|&play| play != Play::GiveUp).map(Message::Move),
            ["END", verdict, own, other, ref reason @ ..] => Some(Message::End(End {
                verdict: Verdict::parse(verdict)?,
                own: own.parse().ok()?,
                other: other.parse().ok()?,
                reason: reason.join("_"),
            })),
            ["BYE", ref table @ ..] => {
                Some(Message::Bye(table.chunks(4).map_while(Standing::parse).collect()))
            }
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

impl Verdict {
    fn parse(word: &str) -> Option<Verdict> {
        match word {
            "WIN" => Some(Verdict::Win),
            "LOSE" => Some(Verdict::Lose),
            "TIE" => Some(Verdict::Tie),
            _ => None,
        }
    }
}

impl Standing {
    fn parse(row: &[&str]) -> Option<Standing> {
        let &[name, score, won, lost] = row else { return None };
        Some(Standing {
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
            Message::Start(Start { colour, opponent, time }) => {
                write!(f, "START {colour} {} {time}", one_word(opponent))
            }
            Message::Ack(time) => write!(f, "ACK {time}"),
            Message::Move(play) => write!(f, "MOVE {play}"),
            Message::End(End { verdict, own, other, reason }) => {
                write!(f, "END {verdict} {own} {other}")?;
                if reason.is_empty() { Ok(()) } else { write!(f, " {}", one_word(reason)) }
            }
            Message::Bye(table) => {
                f.write_str("BYE")?;
                table.iter().try_for_each(|Standing { name, score, won, lost }| {
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

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Verdict::Win => "WIN",
            Verdict::Lose => "LOSE",
            Verdict::Tie => "TIE",
        })
    }
}
