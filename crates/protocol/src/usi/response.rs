//! Responses from the engine to the user interface.

use std::fmt;

use super::info::Info;
use super::option::EngineOption;
use super::tokens::{Tokens, text};
use crate::on_one_line;

/// One line from the engine.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Response {
    /// The name of the engine.
    Name(String),
    /// Its author.
    Author(String),
    /// An option of the engine.
    Option(EngineOption),
    /// The end of the response to `usi`.
    UsiOk,
    /// The engine is ready.
    ReadyOk,
    /// Search progress.
    Info(Info),
    /// The response to `go`.
    BestMove(BestMove),
    /// The response to `go mate`.
    Checkmate(Checkmate),
}

/// The decision of the engine.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum BestMove {
    /// Play a move.
    Move {
        /// The move.
        mv: String,
        /// The expected reply, to ponder on.
        ponder: Option<String>,
    },
    /// Resign.
    Resign,
    /// Declare the win.
    Win,
}

/// The result of a mate search.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Checkmate {
    /// The moves of a mate.
    Found(Vec<String>),
    /// There is no mate.
    None,
    /// The time ran out.
    Timeout,
    /// The engine has no mate search.
    NotImplemented,
}

impl Response {
    /// Parses a line; `None` for anything else.
    ///
    /// ```
    /// # use tesuji_protocol::usi::{Response, BestMove};
    /// assert_eq!(Response::parse("bestmove resign"), Some(Response::BestMove(BestMove::Resign)));
    /// assert_eq!(Response::parse("loading the book ..."), None);
    /// ```
    pub fn parse(line: impl AsRef<[u8]>) -> Option<Response> {
        let line = text(line.as_ref());
        let mut tokens = Tokens::new(&line);
        Some(match tokens.next()? {
            "id" => match tokens.next()? {
                "name" => Response::Name(tokens.rest().to_owned()),
                "author" => Response::Author(tokens.rest().to_owned()),
                _ => return None,
            },
            "option" => Response::Option(EngineOption::parse(&mut tokens)?),
            "usiok" => Response::UsiOk,
            "readyok" => Response::ReadyOk,
            "info" => Response::Info(Info::parse(&mut tokens)),
            "bestmove" => Response::BestMove(match tokens.next()? {
                "resign" => BestMove::Resign,
                "win" => BestMove::Win,
                mv => BestMove::Move {
                    mv: mv.to_owned(),
                    ponder: tokens.next_if("ponder").then(|| tokens.next()).flatten().map(str::to_owned),
                },
            }),
            "checkmate" => Response::Checkmate(match tokens.next()? {
                "nomate" => Checkmate::None,
                "timeout" => Checkmate::Timeout,
                "notimplemented" => Checkmate::NotImplemented,
                first => Checkmate::Found(std::iter::once(first).chain(tokens).map(str::to_owned).collect()),
            }),
            _ => return None,
        })
    }
}

impl fmt::Display for Response {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Response::Name(name) => write!(f, "id name {}", on_one_line(name)),
            Response::Author(author) => write!(f, "id author {}", on_one_line(author)),
            Response::Option(offer) => offer.fmt(f),
            Response::UsiOk => f.write_str("usiok"),
            Response::ReadyOk => f.write_str("readyok"),
            Response::Info(info) => info.fmt(f),
            Response::BestMove(best) => best.fmt(f),
            Response::Checkmate(mate) => mate.fmt(f),
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
