//! Where in a game a request starts.

use serde::{Deserialize, Serialize};
use tesuji_game::Record;

use crate::{Error, Playable, RecordSource};

/// A position: one in the game's notation, or the start, and moves from there.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct PositionSpec {
    /// The position in the game's own notation; the start when absent.
    pub position: Option<String>,
    /// Ostle: the board before the last move, as its own mover saw it.
    pub previous: Option<String>,
    /// Moves from there, in the game's own notation, separated by blanks.
    pub moves: Option<String>,
}

/// A position of a record.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct GamePosition {
    /// The file of records.
    pub source: RecordSource,
    /// Which record of it, from 1.
    pub index: usize,
    /// The plies to play; all when absent.
    #[serde(default)]
    pub ply: Option<usize>,
}

impl GamePosition {
    /// The record up to the position.
    fn record<G: Playable>(&self) -> Result<Record<G>, Error> {
        let record = self.source.record::<G>(self.index)?;
        let plies = record.plies().len();
        match self.ply {
            None => Ok(record),
            Some(ply) if ply < plies => Ok(record.up_to(ply)),
            Some(ply) if ply == plies => Ok(record),
            Some(ply) => Err(Error::field("ply", format!("{ply}: record {} has {plies} plies", self.index))),
        }
    }
}

impl PositionSpec {
    /// The record that leads to this position.
    pub(crate) fn record<G: Playable>(&self) -> Result<Record<G>, Error> {
        self.record_in(None)
    }

    /// The same, from a position of a record if one is given.
    pub(crate) fn record_in<G: Playable>(&self, game: Option<&GamePosition>) -> Result<Record<G>, Error> {
        let start = match (&self.position, &self.previous) {
            (None, _) => Ok(G::start()),
            (Some(position), None) => G::parse(position),
            (Some(position), Some(previous)) => G::parse(&format!("{position}/{previous}")),
        };
        let mut record = match game {
            Some(game) => game.record()?,
            None => Record::new(start.map_err(|error| Error::field("position", error))?),
        };
        if let Some(moves) = &self.moves {
            G::read_moves(&mut record, moves).map_err(|fault| Error::field("moves", fault))?;
        }
        Ok(record)
    }
}
