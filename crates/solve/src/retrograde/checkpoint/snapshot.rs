//! Snapshots of unfinished work, saved under two names in turn: one is intact while the other is written.

use std::path::{Path, PathBuf};
use std::{fs, io};

use super::CheckpointDir;
use super::manifest::Manifest;
use super::pace::Pace;
use crate::retrograde::error::RetrogradeError;

/// A snapshot on disk.
pub(crate) struct Snapshot {
    path: PathBuf,
    list: Manifest,
    pace: Pace,
}

impl Snapshot {
    /// The metadata under a name.
    pub(crate) fn fact(&self, name: &str) -> &str {
        self.list.fact(name).unwrap_or_default()
    }

    /// The numbers under a name, ignoring words.
    pub(crate) fn numbers(&self, name: &str) -> Vec<u64> {
        self.fact(name).split(' ').filter_map(|word| word.parse().ok()).collect()
    }

    /// Fills a plane.
    pub(crate) fn load(&self, name: &str, bytes: &mut [u8]) -> Result<(), RetrogradeError> {
        self.list.load_plane(&self.path, name, bytes, &self.pace)
    }

    /// The bytes of a plane.
    pub(crate) fn length(&self, name: &str) -> usize {
        self.list.length(name)
    }

    /// The error for inconsistent metadata.
    pub(crate) fn unreadable(&self) -> RetrogradeError {
        let what = "what it says of the progress cannot be read; delete it to go on without".to_owned();
        RetrogradeError::Damaged { path: self.path.clone(), what }
    }

    /// Removes the snapshot; its planes are overwritten by a later one.
    pub(crate) fn remove(&self) -> Result<(), RetrogradeError> {
        remove(&self.path)
    }

    fn generation(&self) -> u64 {
        self.numbers("generation").first().copied().unwrap_or(0)
    }
}

impl CheckpointDir {
    fn state_path(&self, kind: &str, generation: u64) -> PathBuf {
        self.dir.join(format!("{kind}-{}.list", if generation.is_multiple_of(2) { 'a' } else { 'b' }))
    }

    fn state(&self, path: PathBuf) -> Result<Option<Snapshot>, RetrogradeError> {
        let Some(list) = Manifest::load(&path)? else { return Ok(None) };
        self.right_game(&path, &list)?;
        Ok(Some(Snapshot { path, list, pace: self.pace.clone() }))
    }

    /// The intact snapshots. What is damaged is noted.
    pub(crate) fn snapshots(&mut self, kind: &str) -> Result<Vec<Snapshot>, RetrogradeError> {
        let mut found = Vec::new();
        for name in 0..2 {
            match self.state(self.state_path(kind, name)) {
                Ok(state) => found.extend(state),
                Err(error @ RetrogradeError::Other { .. }) => return Err(error),
                Err(error) => self.notes.push(error.to_string()),
            }
        }
        Ok(found)
    }

    /// Saves a snapshot in place of the older of the two.
    pub(crate) fn save_state(
        &mut self,
        kind: &str,
        facts: &[(&str, String)],
        planes: &[(&str, &[u8])],
    ) -> Result<(), RetrogradeError> {
        let states = (0..2).filter_map(|name| self.state(self.state_path(kind, name)).ok().flatten());
        let generation = states.map(|state| state.generation()).max().unwrap_or(0) + 1;
        let path = self.state_path(kind, generation);
        remove(&path)?;
        let own = [("game", self.game.clone()), ("generation", generation.to_string())];
        let facts = own.iter().chain(facts).map(|(name, text)| ((*name).to_owned(), text.clone()));
        let mut list = Manifest::new(facts.collect());
        for (name, bytes) in planes {
            list.save_plane(&path, name, bytes, &self.pace)?;
        }
        list.save(&path)
    }

    /// Passes the latest snapshot to `restore`, or the older one if that fails. `restore` returns whether the
    /// snapshot applies. `false` when none does.
    ///
    /// If every snapshot is damaged this is an error, because starting over would discard work that might be
    /// repaired.
    pub(crate) fn restore_state(
        &mut self,
        kind: &str,
        restore: &mut dyn FnMut(&Snapshot) -> Result<bool, RetrogradeError>,
    ) -> Result<bool, RetrogradeError> {
        let (mut states, mut trouble) = (Vec::new(), None);
        for name in 0..2 {
            match self.state(self.state_path(kind, name)) {
                Ok(state) => states.extend(state),
                Err(error @ RetrogradeError::Other { .. }) => return Err(error),
                Err(error) => trouble = Some(error),
            }
        }
        states.sort_by_key(|state| std::cmp::Reverse(state.generation()));
        for state in &states {
            match restore(state) {
                Ok(true) => {
                    if let Some(trouble) = trouble {
                        self.notes.push(format!("{trouble}; going on with {}", state.path.display()));
                    }
                    return Ok(true);
                }
                Ok(false) => {}
                Err(error @ RetrogradeError::Cancelled) => return Err(error),
                Err(error) => trouble = Some(error),
            }
        }
        trouble.map_or(Ok(false), Err)
    }

    /// Removes the snapshots of completed work.
    pub(crate) fn clear_states(&mut self, kind: &str) -> Result<(), RetrogradeError> {
        // Manifests first, so that none refers to missing chunks.
        for name in 0..2 {
            remove(&self.state_path(kind, name))?;
        }
        let reading = |source| RetrogradeError::Read { path: self.dir.clone(), source };
        for entry in fs::read_dir(&self.dir).map_err(reading)? {
            let entry = entry.map_err(reading)?;
            if entry.file_name().as_encoded_bytes().starts_with(format!("{kind}-").as_bytes()) {
                remove(&entry.path())?;
            }
        }
        Ok(())
    }
}

/// Removes a file, if it is there.
fn remove(path: &Path) -> Result<(), RetrogradeError> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => {
            Err(RetrogradeError::Read { path: path.to_owned(), source: error })
        }
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A snapshot that takes too long after a cancellation is dropped, and the one before is the latest.
    #[test]
    fn an_abandoned_snapshot_leaves_the_one_before() {
        let dir = std::env::temp_dir().join(format!("tesuji-snapshot-{}", std::process::id()));
        let mut checkpoints = CheckpointDir::open(&dir, "toy").unwrap();
        let numbers = |checkpoints: &mut CheckpointDir| {
            let mut bytes = [0; 3];
            checkpoints.restore_state("work", &mut |state| state.load("cells", &mut bytes).map(|()| true)).unwrap();
            bytes
        };
        let save =
            |checkpoints: &mut CheckpointDir, bytes: &[u8]| checkpoints.save_state("work", &[], &[("cells", bytes)]);
        for bytes in [[1; 3], [2; 3], [3; 3]] {
            save(&mut checkpoints, &bytes).unwrap();
            assert_eq!(numbers(&mut checkpoints), bytes);
        }
        checkpoints.pace = Pace::over();
        assert!(matches!(save(&mut checkpoints, &[4; 3]), Err(RetrogradeError::Cancelled)));
        checkpoints.pace = Pace::default();
        assert_eq!(numbers(&mut checkpoints), [3; 3]);
        fs::remove_dir_all(dir).unwrap();
    }
}
