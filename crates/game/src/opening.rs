//! The names that players have for openings, strategies and castles.

use std::fmt;

use crate::{Game, Record, Side};

/// What a name stands for.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum OpeningKind {
    /// An opening, or the strategy of one side.
    Opening,
    /// A formation around the king.
    Castle,
}

/// A named opening or castle.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct OpeningName {
    /// What it is.
    pub kind: OpeningKind,
    /// The side that plays it; `None` when both sides make it together.
    pub side: Option<Side>,
    /// The English name.
    pub name: &'static str,
    /// The name in the language of the game's home; empty where it is the same.
    pub native: &'static str,
}

impl fmt::Display for OpeningName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.native {
            "" => f.write_str(self.name),
            native => write!(f, "{} ({native})", self.name),
        }
    }
}

/// A game whose openings have names.
pub trait NamedOpenings: Game {
    /// The names of what a record shows, the most telling first; none when it shows nothing known.
    fn openings(record: &Record<Self>) -> Vec<OpeningName>;
}
