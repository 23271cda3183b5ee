//! What an engine says to a board program.

use std::fmt;

use super::news::News;
use super::option::Offer;
use super::words::{Words, on_one_line, text};

/// One line from the engine.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Answer {
    /// The engine's name.
    Name(String),
    /// Who made it.
    Author(String),
    /// An option it offers.
    Option(Offer),
    /// The introduction is over.
    UsiOk,
    /// Everything is loaded.
    ReadyOk,
    /// What it thinks.
    Info(News),
    /// What it plays: the answer to `go`.
    BestMove(BestMove),
    /// What it found: the answer to `go mate`.
    Checkmate(Checkmate),
}

/// What an engine does.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum BestMove {
    /// Plays.
    Move {
        /// The move.
        mv: String,
        /// The reply it would like to ponder on.
        ponder: Option<String>,
    },
    /// Gives up.
    Resign,
    /// Declares the win.
    Win,
}

/// What a search for mate found.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Checkmate {
    /// A mate: these moves lead to it.
    Found(Vec<String>),
    /// There is none.
    None,
    /// Time ran out.
    Timeout,
    /// The engine does not look for mates.
    NotImplemented,
}

impl Answer {
    /// Reads a line; `None` when it is none of these, as the chatter of engines often is.
    ///
    /// ```
    /// # use tesuji_protocol::usi::{Answer, BestMove};
    /// assert_eq!(Answer::parse("bestmove resign"), Some(Answer::BestMove(BestMove::Resign)));
    /// assert_eq!(Answer::parse("loading the book ..."), None);
    /// ```
    pub fn parse(line: impl AsRef<[u8]>) -> Option<Answer> {
        let line = text(line.as_ref());
        let mut words = Words::new(&line);
        Some(match words.next()? {
            "id" => match words.next()? {
                "name" => Answer::Name(words.rest().to_owned()),
                "author" => Answer::Author(words.rest().to_owned()),
                _ => return None,
            },
            "option" => Answer::Option(Offer::parse(&mut words)?),
            "usiok" => Answer::UsiOk,
            "readyok" => Answer::ReadyOk,
            "info" => Answer::Info(News::parse(&mut words)),
            "bestmove" => Answer::BestMove(match words.next()? {
                "resign" => BestMove::Resign,
                "win" => BestMove::Win,
                mv => BestMove::Move {
                    mv: mv.to_owned(),
                    ponder: words.next_if("ponder").then(|| words.next()).flatten().map(str::to_owned),
                },
            }),
            "checkmate" => Answer::Checkmate(match words.next()? {
                "nomate" => Checkmate::None,
                "timeout" => Checkmate::Timeout,
                "notimplemented" => Checkmate::NotImplemented,
                first => Checkmate::Found(std::iter::once(first).chain(words).map(str::to_owned).collect()),
            }),
            _ => return None,
        })
    }
}

impl fmt::Display for Answer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Answer::Name(name) => write!(f, "id name {}", on_one_line(name)),
            Answer::Author(author) => write!(f, "id author {}", on_one_line(author)),
            Answer::Option(offer) => offer.fmt(f),
            Answer::UsiOk => f.write_str("usiok"),
            Answer::ReadyOk => f.write_str("readyok"),
            Answer::Info(news) => news.fmt(f),
            Answer::BestMove(best) => best.fmt(f),
            Answer::Checkmate(mate) => mate.fmt(f),
        }
    }
}

impl fmt::Display for BestMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            BestMove::Move { mv, ponder: None } => write!(f, "bestmove {mv}"),
            BestMove::Move { mv, ponder: Some(ponder) } => write!(f, "bestmove {mv} ponder {ponder}"),
            BestMove::Resign => f.write_str("bestmove resign"),
            BestMove::Win => f.write_str("bestmove win"),
        }
    }
}

impl fmt::Display for Checkmate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Checkmate::Found(moves) => write!(f, "checkmate {}", moves.join(" ")),
            Checkmate::None => f.write_str("checkmate nomate"),
            Checkmate::Timeout => f.write_str("checkmate timeout"),
            Checkmate::NotImplemented => f.write_str("checkmate notimplemented"),
        }
    }
}
