//! Several data sets of positions as one.

use std::path::Path;

use super::{PositionEntry, PositionGame, PositionSet};
use crate::DataSetError;

/// Data sets of positions, one after the other.
#[derive(Debug)]
pub struct PositionSets<G> {
    sets: Vec<PositionSet<G>>,
    /// The first position of each set, and the number of all.
    starts: Vec<usize>,
    /// The games before each set.
    games: Vec<u64>,
}

impl<G: PositionGame> PositionSets<G> {
    /// Opens sets.
    ///
    /// # Errors
    /// One of them cannot be used.
    pub fn open(paths: &[impl AsRef<Path>]) -> Result<PositionSets<G>, DataSetError> {
        let sets = paths.iter().map(PositionSet::open).collect::<Result<Vec<_>, _>>()?;
        Ok(PositionSets::of(sets))
    }

    /// These sets.
    pub fn of(sets: Vec<PositionSet<G>>) -> PositionSets<G> {
        let (mut starts, mut games) = (vec![0], vec![0]);
        for (at, set) in sets.iter().enumerate() {
            starts.push(starts[at] + set.len());
            games.push(games[at] + set.games());
        }
        PositionSets { sets, starts, games }
    }

    /// The sets.
    pub fn sets(&self) -> &[PositionSet<G>] {
        &self.sets
    }

    /// The number of all positions.
    pub fn len(&self) -> usize {
        self.starts[self.sets.len()]
    }

    /// Whether there is no position.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The number of all games.
    pub fn games(&self) -> u64 {
        self.games[self.sets.len()]
    }

    /// Reads a position into `entry`. Games are numbered through all sets.
    ///
    /// # Errors
    /// As [`PositionSet::entry`].
    ///
    /// # Panics
    /// If `index` is not less than [`PositionSets::len`].
    pub fn entry(&self, index: usize, entry: &mut PositionEntry<G>) -> Result<(), DataSetError> {
        assert!(index < self.len(), "position {index} of {}", self.len());
        let set = self.starts.partition_point(|&start| start <= index) - 1;
        self.sets[set].entry(index - self.starts[set], entry)?;
        entry.game = entry.game.wrapping_add(self.games[set] as u32);
        Ok(())
    }
}
