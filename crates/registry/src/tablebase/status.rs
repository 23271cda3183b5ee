//! What there is of a tablebase.

use std::sync::Arc;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use tesuji_game::{HasPerfectIndex, PerfectIndex};
use tesuji_solve::tablebase::{Metric, Tablebase};

use super::{directory, id};
use crate::Playable;

/// What there is of a tablebase.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize, JsonSchema)]
pub struct TablebaseStatus {
    /// Whether there is any.
    pub present: bool,
    /// Whether every board of the game is in it.
    pub complete: bool,
    /// The classes of boards in it.
    pub classes: Vec<String>,
    /// Its boards.
    pub boards: u64,
    /// Whether distances to the end are in it.
    pub distances: bool,
}

pub(super) fn status<G: Playable + HasPerfectIndex>(given: Option<&str>) -> TablebaseStatus {
    let index = Arc::new(G::index());
    let Ok(table) = Tablebase::open(directory(given), Arc::clone(&index), &id::<G>()) else {
        return TablebaseStatus::default();
    };
    let classes: usize = index.stages().iter().map(|stage| stage.len()).sum();
    let found: Vec<_> = table.info().collect();
    TablebaseStatus {
        present: !found.is_empty(),
        complete: found.len() == classes,
        boards: found.iter().map(|class| class.boards).sum(),
        classes: found.iter().map(|class| class.name.clone()).collect(),
        distances: table.metric() == Metric::Dtw,
    }
}
