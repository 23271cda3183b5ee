//! What a game is and what it supports.

use serde::{Deserialize, Serialize};
use tesuji_search::ValueUnit;

use crate::{LevelApi, LevelInfo, Playable, Registration, SideName};

/// What there is to know about a game.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct GameInfo {
    /// The name of the game.
    pub game: String,
    /// The game in a few words.
    pub about: String,
    /// What the players are called, the first mover first.
    pub players: [String; 2],
    /// The record formats, the default first.
    pub formats: Vec<String>,
    /// Its capabilities, in words.
    pub supports: Vec<String>,
    /// The engines a spec may name.
    pub engines: Vec<String>,
    /// The evaluations an engine may use, the default first.
    pub evaluations: Vec<String>,
    /// The unit of values: `discs`.
    pub unit: String,
    /// The engine that plays when nobody asks for another.
    pub default_engine: String,
    /// Protocols that other programs may play by, in matches.
    pub protocols: Vec<String>,
    /// The levels of play, from 1 (first steps) to 10 (full strength).
    #[serde(default)]
    pub levels: Vec<LevelInfo>,
    /// What each format is, in the order of `formats`.
    #[serde(skip)]
    pub format_notes: Vec<String>,
    /// How each engine plays, in the order of `engines`.
    #[serde(skip)]
    pub engine_notes: Vec<String>,
}

/// Basic facts of a game.
pub trait InfoApi {
    /// The name of the game.
    fn name(&self) -> &'static str;

    /// What the players are called.
    fn players(&self) -> [&'static str; 2];

    /// What a side is called.
    fn player(&self, side: SideName) -> &'static str {
        self.players()[side.index()]
    }

    /// The unit of values.
    fn unit(&self) -> ValueUnit;

    /// Everything else.
    fn info(&self) -> GameInfo;
}

impl<G: Playable> InfoApi for Registration<G> {
    fn name(&self) -> &'static str {
        G::NAME
    }

    fn players(&self) -> [&'static str; 2] {
        G::players()
    }

    fn unit(&self) -> ValueUnit {
        self.engines.unit()
    }

    fn info(&self) -> GameInfo {
        let mut supports = vec!["perft".to_owned(), "records".to_owned(), "board".to_owned()];
        if self.symmetries > 1 {
            supports.push(format!("{} symmetries", self.symmetries));
        }
        let optional = [
            (self.counting.is_some(), "margin"),
            (self.claim.is_some(), "claims"),
            (self.openings.is_some(), "named openings"),
            (G::RECURS, "recurring positions"),
            (self.tablebase.is_some(), "solving the whole game"),
            (self.endgame.is_some(), "solving endgames"),
            (self.mates.is_some(), "solving mates"),
            (self.training.is_some(), "training"),
            (self.networks.is_some(), "networks"),
            (self.books.is_some(), "opening books"),
            (self.puzzles.is_some(), "puzzles"),
            (self.discs.is_some() || self.has_contests || self.csa.is_some(), "match servers"),
        ];
        supports.extend(optional.iter().filter(|(has, _)| *has).map(|(_, word)| (*word).to_owned()));
        let kinds = &self.engines.kinds;
        GameInfo {
            game: G::NAME.to_owned(),
            about: self.about.to_owned(),
            players: G::players().map(str::to_owned),
            formats: G::FORMATS.iter().map(|format| format.name.to_owned()).collect(),
            supports,
            engines: kinds.iter().map(|kind| kind.name.to_owned()).collect(),
            evaluations: self.engines.evaluations.iter().map(|&name| name.to_owned()).collect(),
            unit: self.engines.unit().name.to_owned(),
            default_engine: self.engines.default.to_owned(),
            protocols: self.matches.protocols.iter().map(|protocol| protocol.name().to_owned()).collect(),
            levels: self.levels(),
            format_notes: G::FORMATS.iter().map(|format| format.about.to_owned()).collect(),
            engine_notes: kinds.iter().map(|kind| kind.about.to_owned()).collect(),
        }
    }
}
