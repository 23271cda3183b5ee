//! Where in a game a request starts.

use serde::{Deserialize, Serialize};
use tesuji_game::{Notation, Record};

use crate::Error;

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

impl PositionSpec {
    /// The record that leads to this position.
    pub(crate) fn record<G: Notation>(&self) -> Result<Record<G>, Error> {
        let start = match (&self.position, &self.previous) {
            (None, _) => Ok(G::start()),
            (Some(position), None) => G::parse(position),
            (Some(position), Some(previous)) => G::parse(&format!("{position}/{previous}")),
        };
        let mut record = Record::new(start.map_err(|error| Error::field("position", error))?);
        if let Some(moves) = &self.moves {
            G::read_moves(&mut record, moves).map_err(|fault| Error::field("moves", fault))?;
        }
        Ok(record)
    }
}
