//! A directory that keeps solved classes for ever and the work on the next stage from one moment to another.
//!
//! Work is saved under two names in turn, so that one whole state is there while the next is being written. Whatever
//! happens meanwhile, what was saved last, or before that, can be gone on with.

mod chunks;

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use tesuji_game::Ranked;
use tesuji_store::{Journal, StoreError};

use super::error::RetrogradeError;
use super::memory::Plane;
use super::stage::{Phase, Progress, Stage};
use super::values::Values;
use chunks::List;

/// A directory, held by this run alone.
pub struct Shelf {
    dir: PathBuf,
    /// What the game is called.
    game: String,
    log: Journal,
    generation: u64,
    notes: Vec<String>,
}

impl Shelf {
    /// Opens a directory, or makes it. `game` names what is being solved: a shelf of another game is refused.
    pub fn open(dir: impl AsRef<Path>, game: &str) -> Result<Shelf, RetrogradeError> {
        let dir = dir.as_ref().to_owned();
        fs::create_dir_all(&dir).map_err(|source| RetrogradeError::Read { path: dir.clone(), source })?;
        let path = dir.join("log");
        // Holding the log keeps other runs away.
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
        Ok(Shelf { dir, game: game.to_owned(), log, generation: 0, notes: Vec::new() })
    }

    /// Adds a line to the log, which stays with the values.
    pub fn note(&mut self, line: &str) -> Result<(), RetrogradeError> {
        Ok(self.log.append(line)?)
    }

    /// What had to be passed over, as a state that was damaged; each is told once.
    pub fn take_notes(&mut self) -> Vec<String> {
        std::mem::take(&mut self.notes)
    }

    /// Whether all these classes are solved.
    pub fn has<G: Ranked>(&self, game: &G, classes: &[u8]) -> Result<bool, RetrogradeError> {
        for &class in classes {
            if self.list(game, class)?.is_none() {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// The values of a solved class.
    pub fn values<G: Ranked>(&self, game: &G, class: u8) -> Result<Option<Values>, RetrogradeError> {
        let Some((path, list)) = self.list(game, class)? else { return Ok(None) };
        let mut values = Values::new(game.size(class) as usize).map_err(RetrogradeError::Allocation)?;
        list.load_plane(&path, "first", &mut values.first)?;
        list.load_plane(&path, "move", &mut values.mv)?;
        list.load_plane(&path, "second", &mut values.second)?;
        Ok(Some(values))
    }

    /// Only the values with nothing forbidden.
    pub fn first<G: Ranked>(&self, game: &G, class: u8) -> Result<Plane, RetrogradeError> {
        let Some((path, list)) = self.list(game, class)? else {
            let path = self.class_path(game, class);
            return Err(RetrogradeError::Damaged {
                path,
                what: "not there; solve its stage first".to_owned(),
            });
        };
        let mut plane = Plane::zeros(game.size(class) as usize).map_err(RetrogradeError::Allocation)?;
        list.load_plane(&path, "first", &mut plane)?;
        Ok(plane)
    }

    pub(super) fn put<G: Ranked>(
        &mut self,
        game: &G,
        class: u8,
        values: &Values,
    ) -> Result<(), RetrogradeError> {
        let path = self.class_path(game, class);
        let mut list = List::new(vec![
            ("game".to_owned(), self.game.clone()),
            ("class".to_owned(), game.class_name(class)),
            ("size".to_owned(), game.size(class).to_string()),
        ]);
        list.save_plane(&path, "first", &values.first)?;
        list.save_plane(&path, "move", &values.mv)?;
        list.save_plane(&path, "second", &values.second)?;
        list.save(&path)?;
        self.note(&format!("solved {}", game.class_name(class)))
    }

    fn class_path<G: Ranked>(&self, game: &G, class: u8) -> PathBuf {
        self.dir.join(format!("class-{}.list", game.class_name(class)))
    }

    fn list<G: Ranked>(&self, game: &G, class: u8) -> Result<Option<(PathBuf, List)>, RetrogradeError> {
        let path = self.class_path(game, class);
        let Some(list) = List::load(&path)? else { return Ok(None) };
        self.right_game(&path, &list)?;
        Ok(Some((path, list)))
    }

    fn right_game(&self, path: &Path, list: &List) -> Result<(), RetrogradeError> {
        let found = list.fact("game").unwrap_or_default().to_owned();
        if found == self.game {
            return Ok(());
        }
        Err(RetrogradeError::Other { path: path.to_owned(), found, expected: self.game.clone() })
    }

    fn work_path(&self, generation: u64) -> PathBuf {
        self.dir.join(format!("work-{}.list", if generation.is_multiple_of(2) { 'a' } else { 'b' }))
    }

    /// Saves a stage in work, in the place of the state before the last.
    pub(super) fn save<G: Ranked>(
        &mut self,
        number: usize,
        stage: &Stage<'_, G>,
    ) -> Result<(), RetrogradeError> {
        self.generation += 1;
        let path = self.work_path(self.generation);
        if let Ok(Some(old)) = List::load(&path) {
            old.remove(&path)?;
        }
        let phase = match stage.phase {
            Phase::Begin { block } => format!("begin {block}"),
            Phase::Push { layer, block } => format!("push {layer} {block}"),
            Phase::Done => "done".to_owned(),
        };
        let Progress { edges, decided, busy, horizon } = stage.progress;
        let mut list = List::new(vec![
            ("game".to_owned(), self.game.clone()),
            ("generation".to_owned(), self.generation.to_string()),
            ("stage".to_owned(), format!("{number} {}", stage.size)),
            ("phase".to_owned(), phase),
            ("progress".to_owned(), format!("{edges} {decided} {busy} {horizon}")),
        ]);
        list.save_plane(&path, "cells", &stage.cells)?;
        list.save_plane(&path, "first", &stage.first)?;
        list.save_plane(&path, "second", &stage.second)?;
        list.save_plane(&path, "apart", bytemuck::cast_slice(&stage.apart))?;
        list.save(&path)
    }

    /// The stage as it was saved last, or a new one.
    pub(super) fn resume<'g, G: Ranked>(
        &mut self,
        game: &'g G,
        number: usize,
        classes: &[u8],
    ) -> Result<Stage<'g, G>, RetrogradeError> {
        let mut stage = Stage::new(game, classes).map_err(RetrogradeError::Allocation)?;
        let mut saved = Vec::new();
        let mut trouble = None;
        for name in 0..2 {
            let path = self.work_path(name);
            match List::load(&path) {
                Ok(None) => {}
                Ok(Some(list)) => {
                    self.right_game(&path, &list)?;
                    let generation =
                        list.fact("generation").and_then(|text| text.parse().ok()).unwrap_or(0u64);
                    saved.push((generation, path, list));
                }
                Err(error @ RetrogradeError::Other { .. }) => return Err(error),
                Err(error) => trouble = Some(error),
            }
        }
        saved.sort_by_key(|&(generation, ..)| std::cmp::Reverse(generation));
        self.generation = saved.first().map_or(0, |&(generation, ..)| generation);
        for (_, path, list) in &saved {
            match restore(&mut stage, number, path, list) {
                Ok(true) => {
                    if let Some(trouble) = trouble {
                        self.notes.push(format!("{trouble}; going on with {}", path.display()));
                    }
                    return Ok(stage);
                }
                Ok(false) => {}
                Err(error) => trouble = Some(error),
            }
        }
        // To begin anew would throw work away that somebody may still save: that is not ours to decide.
        match trouble {
            Some(trouble) => Err(trouble),
            None => Ok(stage),
        }
    }

    /// Forgets the work on a stage that has just been solved.
    pub(super) fn clear_work(&mut self) -> Result<(), RetrogradeError> {
        // The lists first, so that none is left without its chunks.
        for name in 0..2 {
            remove(&self.work_path(name))?;
        }
        let reading = |source| RetrogradeError::Read { path: self.dir.clone(), source };
        for entry in fs::read_dir(&self.dir).map_err(reading)? {
            let entry = entry.map_err(reading)?;
            if entry.file_name().as_encoded_bytes().starts_with(b"work-") {
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

/// Fills a stage with what was saved; `false` when that was another stage.
fn restore<G: Ranked>(
    stage: &mut Stage<'_, G>,
    number: usize,
    path: &Path,
    list: &List,
) -> Result<bool, RetrogradeError> {
    if list.fact("stage") != Some(&format!("{number} {}", stage.size)) {
        return Ok(false);
    }
    let numbers = |name: &str| -> Vec<u64> {
        let text = list.fact(name).unwrap_or_default();
        text.split(' ').filter_map(|word| word.parse().ok()).collect()
    };
    let kind = list.fact("phase").and_then(|text| text.split(' ').next());
    let phase = match (kind, numbers("phase")[..].as_ref()) {
        (Some("begin"), &[block]) => Phase::Begin { block: block as usize },
        (Some("push"), &[layer, block]) => Phase::Push { layer: layer as u8, block: block as usize },
        (Some("done"), &[]) => Phase::Done,
        _ => return Err(unreadable(path)),
    };
    let &[edges, decided, busy, horizon] = &numbers("progress")[..] else { return Err(unreadable(path)) };
    let mut apart = vec![0u32; list.length("apart") / size_of::<u32>()];
    list.load_plane(path, "cells", &mut stage.cells)?;
    list.load_plane(path, "first", &mut stage.first)?;
    list.load_plane(path, "second", &mut stage.second)?;
    list.load_plane(path, "apart", bytemuck::cast_slice_mut(&mut apart))?;
    stage.apart = apart;
    stage.phase = phase;
    stage.progress = Progress { edges, decided, busy: busy as u8, horizon: horizon as u8 };
    Ok(true)
}

fn unreadable(path: &Path) -> RetrogradeError {
    let what = "its phase or progress cannot be read; delete it to go on without".to_owned();
    RetrogradeError::Damaged { path: path.to_owned(), what }
}

impl std::fmt::Debug for Shelf {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.debug_struct("Shelf").field("dir", &self.dir).field("game", &self.game).finish_non_exhaustive()
    }
}
