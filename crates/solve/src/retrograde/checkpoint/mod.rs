//! Checkpoints: a directory with the solved classes and snapshots of the stage in progress.

mod manifest;
mod pace;
mod snapshot;

use std::fs;
use std::path::{Path, PathBuf};

use tesuji_game::PerfectIndex;
use tesuji_store::{Journal, StoreError};
use tesuji_task::CancelToken;

use super::error::RetrogradeError;
use super::memory::Plane;
use super::stage::{Phase, Stage, StageCounters};
use super::values::ClassValues;
use manifest::Manifest;
use pace::Pace;
pub(crate) use snapshot::Snapshot;

/// A checkpoint directory, locked by this process.
pub struct CheckpointDir {
    dir: PathBuf,
    /// The name of the game.
    game: String,
    log: Journal,
    notes: Vec<String>,
    pace: Pace,
}

impl CheckpointDir {
    /// Opens or creates a directory. Checkpoints of another `game` are an error.
    pub fn open(dir: impl AsRef<Path>, game: &str) -> Result<CheckpointDir, RetrogradeError> {
        let dir = dir.as_ref().to_owned();
        fs::create_dir_all(&dir).map_err(|source| RetrogradeError::Read { path: dir.clone(), source })?;
        let path = dir.join("log");
        // The open journal is the lock.
        let log = match Journal::create(&path, "retrograde") {
            Err(StoreError::Exists { .. }) => {
                let (log, lines) = Journal::open(&path, "retrograde")?;
                let found = lines.iter().find_map(|line| line.strip_prefix("game "));
                if let Some(found) = found.filter(|&found| found != game) {
                    let (found, expected) = (found.to_owned(), game.to_owned());
                    return Err(RetrogradeError::Other { path, found, expected });
                }
                let known = found.is_some();
                let mut log = log;
                if !known {
                    log.append(&format!("game {game}"))?;
                }
                log
            }
            other => {
                let mut log = other?;
                log.append(&format!("game {game}"))?;
                log
            }
        };
        Ok(CheckpointDir { dir, game: game.to_owned(), log, notes: Vec::new(), pace: Pace::default() })
    }

    /// Lets a token cancel reading at once, and saving when it takes too long: then the error is
    /// [`RetrogradeError::Cancelled`], and the snapshot before is the latest.
    #[must_use]
    pub fn cancelled_by(self, cancel: &CancelToken) -> CheckpointDir {
        CheckpointDir { pace: Pace::new(cancel), ..self }
    }

    /// Adds a line to the log.
    pub fn note(&mut self, line: &str) -> Result<(), RetrogradeError> {
        Ok(self.log.append(line)?)
    }

    /// Problems that were worked around, such as a damaged snapshot. Each is returned once.
    pub fn take_notes(&mut self) -> Vec<String> {
        std::mem::take(&mut self.notes)
    }

    /// Whether all these classes are solved.
    pub fn has<G: PerfectIndex>(&self, game: &G, classes: &[u8]) -> Result<bool, RetrogradeError> {
        for &class in classes {
            if self.list(game, class)?.is_none() {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// The values of a solved class.
    pub fn values<G: PerfectIndex>(&self, game: &G, class: u8) -> Result<Option<ClassValues>, RetrogradeError> {
        self.class_planes(game, class, game.size(class) as usize)
    }

    /// The values of a solved class, or of a share of it, that were saved as planes of this length.
    pub(super) fn class_planes<G: PerfectIndex>(
        &self,
        game: &G,
        class: u8,
        length: usize,
    ) -> Result<Option<ClassValues>, RetrogradeError> {
        let Some((path, list)) = self.list(game, class)? else { return Ok(None) };
        let mut values = ClassValues::new(length).map_err(RetrogradeError::Allocation)?;
        list.load_plane(&path, "first", &mut values.first, &self.pace)?;
        list.load_plane(&path, "move", &mut values.mv, &self.pace)?;
        list.load_plane(&path, "second", &mut values.second, &self.pace)?;
        Ok(Some(values))
    }

    /// The values of a solved class with nothing forbidden.
    pub fn first<G: PerfectIndex>(&self, game: &G, class: u8) -> Result<Plane, RetrogradeError> {
        self.first_plane(game, class, game.size(class) as usize)
    }

    pub(super) fn first_plane<G: PerfectIndex>(
        &self,
        game: &G,
        class: u8,
        length: usize,
    ) -> Result<Plane, RetrogradeError> {
        let Some((path, list)) = self.list(game, class)? else {
            let path = self.class_path(game, class);
            return Err(RetrogradeError::Damaged { path, what: "not there; solve its stage first".to_owned() });
        };
        let mut plane = Plane::zeros(length).map_err(RetrogradeError::Allocation)?;
        list.load_plane(&path, "first", &mut plane, &self.pace)?;
        Ok(plane)
    }

    pub(crate) fn put<G: PerfectIndex>(
        &mut self,
        game: &G,
        class: u8,
        values: &ClassValues,
    ) -> Result<(), RetrogradeError> {
        self.put_planes(game, class, [&values.first, &values.mv, &values.second])
    }

    pub(super) fn put_planes<G: PerfectIndex>(
        &mut self,
        game: &G,
        class: u8,
        [first, mv, second]: [&[u8]; 3],
    ) -> Result<(), RetrogradeError> {
        let path = self.class_path(game, class);
        let mut list = Manifest::new(vec![
            ("game".to_owned(), self.game.clone()),
            ("class".to_owned(), game.class_name(class)),
            ("size".to_owned(), game.size(class).to_string()),
        ]);
        list.save_plane(&path, "first", first, &self.pace)?;
        list.save_plane(&path, "move", mv, &self.pace)?;
        list.save_plane(&path, "second", second, &self.pace)?;
        list.save(&path)?;
        self.note(&format!("solved {}", game.class_name(class)))
    }

    /// The error for something that should be in the directory.
    pub(super) fn missing(&self, what: &str) -> RetrogradeError {
        let what = format!("{what} is not there; delete the directory to begin anew");
        RetrogradeError::Damaged { path: self.dir.clone(), what }
    }

    fn class_path<G: PerfectIndex>(&self, game: &G, class: u8) -> PathBuf {
        self.dir.join(format!("class-{}.list", game.class_name(class)))
    }

    fn list<G: PerfectIndex>(&self, game: &G, class: u8) -> Result<Option<(PathBuf, Manifest)>, RetrogradeError> {
        let path = self.class_path(game, class);
        let Some(list) = Manifest::load(&path)? else { return Ok(None) };
        self.right_game(&path, &list)?;
        Ok(Some((path, list)))
    }

    fn right_game(&self, path: &Path, list: &Manifest) -> Result<(), RetrogradeError> {
        let found = list.fact("game").unwrap_or_default().to_owned();
        if found == self.game {
            return Ok(());
        }
        Err(RetrogradeError::Other { path: path.to_owned(), found, expected: self.game.clone() })
    }

    /// Saves a snapshot of a stage.
    pub(super) fn save<G: PerfectIndex>(&mut self, number: usize, stage: &Stage<'_, G>) -> Result<(), RetrogradeError> {
        let phase = match stage.phase {
            Phase::Initialize { block } => format!("begin {block}"),
            Phase::Propagate { layer, block } => format!("push {layer} {block}"),
            Phase::Done => "done".to_owned(),
        };
        let StageCounters { edges, decided, last_active, horizon } = stage.progress;
        let facts = [
            ("stage", format!("{number} {}", stage.size)),
            ("phase", phase),
            ("progress", format!("{edges} {decided} {last_active} {horizon}")),
        ];
        let planes: [(&str, &[u8]); 4] = [
            ("cells", &stage.states),
            ("first", &stage.first),
            ("second", &stage.second),
            ("apart", bytemuck::cast_slice(&stage.symmetric_boards)),
        ];
        self.save_state("work", &facts, &planes)
    }

    /// The stage of the latest snapshot, or a new one.
    pub(super) fn resume<'g, G: PerfectIndex>(
        &mut self,
        game: &'g G,
        number: usize,
        classes: &[u8],
    ) -> Result<Stage<'g, G>, RetrogradeError> {
        let mut stage = Stage::new(game, classes).map_err(RetrogradeError::Allocation)?;
        self.restore_state("work", &mut |state| restore(&mut stage, number, state))?;
        Ok(stage)
    }
}

/// Restores a stage from a snapshot; `false` when it belongs to another stage.
fn restore<G: PerfectIndex>(
    stage: &mut Stage<'_, G>,
    number: usize,
    state: &Snapshot,
) -> Result<bool, RetrogradeError> {
    if state.fact("stage") != format!("{number} {}", stage.size) {
        return Ok(false);
    }
    let kind = state.fact("phase").split(' ').next();
    let phase = match (kind, &state.numbers("phase")[..]) {
        (Some("begin"), &[block]) => Phase::Initialize { block: block as usize },
        (Some("push"), &[layer, block]) => Phase::Propagate { layer: layer as u8, block: block as usize },
        (Some("done"), &[]) => Phase::Done,
        _ => return Err(state.unreadable()),
    };
    let &[edges, decided, last_active, horizon] = &state.numbers("progress")[..] else {
        return Err(state.unreadable());
    };
    let mut symmetric_boards = vec![0u32; state.length("apart") / size_of::<u32>()];
    state.load("cells", &mut stage.states)?;
    state.load("first", &mut stage.first)?;
    state.load("second", &mut stage.second)?;
    state.load("apart", bytemuck::cast_slice_mut(&mut symmetric_boards))?;
    stage.symmetric_boards = symmetric_boards;
    stage.phase = phase;
    stage.progress = StageCounters { edges, decided, last_active: last_active as u8, horizon: horizon as u8 };
    Ok(true)
}

impl std::fmt::Debug for CheckpointDir {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.debug_struct("CheckpointDir").field("dir", &self.dir).field("game", &self.game).finish_non_exhaustive()
    }
}
