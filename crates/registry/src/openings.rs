//! The names of openings and castles.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use tesuji_game::{NamedOpenings, OpeningKind, OpeningName, Record};

use crate::{Playable, Registration, SideName};

/// A named opening or castle that a record shows.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct NamedOpening {
    /// `opening` or `castle`.
    pub kind: String,
    /// The side that plays it; none when both sides make it together.
    pub side: Option<SideName>,
    /// The English name.
    pub name: String,
    /// The name in the language of the game's home, where it differs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub native: Option<String>,
}

impl NamedOpening {
    /// Both names: `Fourth-File Rook (四間飛車)`.
    pub fn text(&self) -> String {
        match &self.native {
            Some(native) => format!("{} ({native})", self.name),
            None => self.name.clone(),
        }
    }
}

impl From<OpeningName> for NamedOpening {
    fn from(OpeningName { kind, side, name, native }: OpeningName) -> NamedOpening {
        NamedOpening {
            kind: kind_word(kind).to_owned(),
            side: side.map(SideName::from),
            name: name.to_owned(),
            native: (!native.is_empty()).then(|| native.to_owned()),
        }
    }
}

/// `opening` or `castle`.
fn kind_word(kind: OpeningKind) -> &'static str {
    match kind {
        OpeningKind::Opening => "opening",
        OpeningKind::Castle => "castle",
    }
}

impl<G: Playable> Registration<G> {
    /// Its openings have names.
    pub fn named(mut self) -> Registration<G>
    where
        G: NamedOpenings,
    {
        self.openings = Some(G::openings);
        self
    }

    /// The names of what a record shows.
    pub(crate) fn named_openings(&self, record: &Record<G>) -> Vec<NamedOpening> {
        let names = self.openings.map_or_else(Vec::new, |openings| openings(record));
        names.into_iter().map(NamedOpening::from).collect()
    }
}
