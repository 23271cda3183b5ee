//! The engine `table`: plays a solved game perfectly, and searches where its table has no answer.
//!
//! It knows no game but through [`HasPerfectIndex`]. What the moves of a position are worth is in `prospect`, which of equally
//! good ones to play in `choose`, what follows in `line`; `outcomes` plays from tables that do not tell plies.

mod choose;
mod line;
mod outcomes;
mod perfect;
mod prospect;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use tesuji_game::HasPerfectIndex;
use tesuji_search::Engine;
use tesuji_solve::tablebase::{Tablebase, TablebaseError, TablebaseId};

use crate::{Spec, SpecError};

pub use perfect::Perfect;

/// The engine of a spec of kind [`TABLE`](crate::TABLE). `search` makes the engine that plays where the table has no
/// answer, from a spec of kind `alphabeta` with the same settings.
///
/// A `dir` in the spec must hold a table. Without one the engine looks in the usual place, and plays by search alone
/// when there is no table at all; a table there that cannot be read is refused, for whoever has one wants it used.
pub fn from_table<G: HasPerfectIndex>(
    spec: &Spec,
    search: impl FnOnce(&Spec) -> Result<Box<dyn Engine<G>>, SpecError>,
) -> Result<Box<dyn Engine<G>>, SpecError> {
    let seed = spec.number("seed", 0, u64::MAX)?.unwrap_or(0);
    let own = |key: &str| key == "dir" || key == "seed";
    let settings = spec.settings.iter().filter(|(key, _)| !own(key)).cloned().collect();
    let search = search(&Spec { name: "alphabeta".to_owned(), settings })?;
    let dir = spec.get("dir").map(PathBuf::from);
    let looked = dir.clone().unwrap_or_else(|| tesuji_store::home().join("tables"));
    match open::<G>(&looked) {
        Ok(table) => Ok(Box::new(Perfect::new(table, seed, search))),
        Err(TablebaseError::NotFound { .. }) if dir.is_none() => Ok(search),
        Err(error) => Err(SpecError::value("dir", &looked.display().to_string(), error.to_string())),
    }
}

fn open<G: HasPerfectIndex>(dir: &Path) -> Result<Tablebase<G::Index>, TablebaseError> {
    let title = TablebaseId { game: G::NAME.to_owned(), rules: G::RULES_VERSION, index: G::INDEX_VERSION };
    Tablebase::open(dir, Arc::new(G::index()), &title)
}
