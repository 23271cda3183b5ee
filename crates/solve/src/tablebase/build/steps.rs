//! The steps of a build. Each is skipped when an earlier run completed it.

use std::cell::RefCell;
use std::fs;
use std::sync::Arc;

use tesuji_game::{NO_MOVE, PerfectIndex};

use super::{BuildError, BuildEvent, BuildJob, BuildObserver, BuildResult, counting, work_dir};
use crate::reachability::{self, DistanceMap, DistanceTable, UNREACHED};
use crate::retrograde::{
    CheckpointDir, ClassValues, Control, ORPHANS, RetrogradeError, SolveResult, SolveSettings, solve,
};
use crate::tablebase::{DEFAULT_CACHE, Metric, Tablebase, TablebaseError, TablebaseSummary, TablebaseWriter};

/// Builds a tablebase, resuming where an earlier run stopped or was killed.
pub fn build<G: PerfectIndex + Send>(
    game: &Arc<G>,
    start: G::Board,
    job: &BuildJob,
    watch: &mut BuildObserver<'_>,
) -> Result<BuildResult, BuildError> {
    let mut run = Builder::new(game, start, job)?;
    let result = match run.steps(watch) {
        Err(BuildError::Solve(RetrogradeError::Cancelled)) => BuildResult::Unsaved,
        Err(BuildError::Tablebase(TablebaseError::Stopped)) => BuildResult::Stopped,
        result => result?,
    };
    if matches!(result, BuildResult::Done(_)) {
        drop(run);
        let path = work_dir(&job.dir);
        fs::remove_dir_all(&path).map_err(|source| BuildError::Remove { path, source })?;
    }
    Ok(result)
}

pub(super) struct Builder<'r, G: PerfectIndex> {
    pub(super) game: &'r Arc<G>,
    pub(super) start: G::Board,
    pub(super) job: &'r BuildJob,
    pub(super) checkpoints: CheckpointDir,
    /// The requested classes.
    classes: Vec<u8>,
    pub(super) summary: TablebaseSummary,
}

impl<'r, G: PerfectIndex + Send> Builder<'r, G> {
    fn new(game: &'r Arc<G>, start: G::Board, job: &'r BuildJob) -> Result<Builder<'r, G>, BuildError> {
        let id = &job.id;
        let name = format!("{} {} {}", id.game, id.rules, id.index);
        let path = work_dir(&job.dir);
        let entries = fs::read_dir(&path).into_iter().flatten().flatten();
        if entries.into_iter().any(|entry| entry.file_name().as_encoded_bytes().starts_with(b"share-")) {
            return Err(BuildError::Divided { path });
        }
        let checkpoints = CheckpointDir::open(work_dir(&job.dir), &name)?.cancelled_by(&job.cancel);
        let stages = game.stages();
        let classes = stages.iter().take(job.stages).flat_map(|classes| classes.iter().copied()).collect();
        let complete = job.stages >= stages.len();
        // A search for distances alone keeps whatever is known of the values.
        let complete = match TablebaseSummary::load(&job.dir, id)? {
            Some(known) if job.stages == 0 => known.complete,
            _ => complete,
        };
        let summary = TablebaseSummary::resume(&job.dir, id, complete)?;
        Ok(Builder { game, start, job, checkpoints, classes, summary })
    }

    fn steps(&mut self, watch: &mut BuildObserver<'_>) -> Result<BuildResult, BuildError> {
        let table = self.table(self.job.metric)?;
        let missing: Vec<u8> = self
            .classes
            .iter()
            .copied()
            .filter(|&class| !table.as_ref().is_some_and(|table| table.has(class)))
            .collect();
        drop(table);
        if !missing.is_empty() {
            self.restore_classes(&missing)?;
            if !self.solve(watch)? {
                return Ok(BuildResult::Stopped);
            }
        }
        for class in self.classes.clone() {
            if !self.finish(class, watch)? {
                return Ok(BuildResult::Stopped);
            }
        }
        if self.job.distances && !self.find_distances(watch)? {
            return Ok(BuildResult::Stopped);
        }
        Ok(BuildResult::Done(self.summary.clone()))
    }

    /// The tablebase as far as it exists.
    fn table(&self, metric: Metric) -> Result<Option<Tablebase<G>>, BuildError> {
        match Tablebase::open_metric(&self.job.dir, Arc::clone(self.game), &self.job.id, metric, DEFAULT_CACHE) {
            Err(TablebaseError::NotFound { .. }) => Ok(None),
            other => Ok(Some(other?)),
        }
    }

    /// Copies classes that only the tablebase holds into the checkpoints, for later stages.
    fn restore_classes(&mut self, missing: &[u8]) -> Result<(), BuildError> {
        let Some(table) = self.table(Metric::Dtw)? else { return Ok(()) };
        let stage = |class: u8| self.game.stages().iter().position(|classes| classes.contains(&class));
        let last = missing.iter().filter_map(|&class| stage(class)).max();
        for &class in &self.classes {
            if stage(class) < last && table.has(class) && !self.checkpoints.has(&**self.game, &[class])? {
                let values = table.values(class, self.job.threads, &self.job.cancel)?;
                self.checkpoints.put(&**self.game, class, &values)?;
            }
        }
        Ok(())
    }

    /// Solves all stages; `false` when stopped.
    fn solve(&mut self, watch: &mut BuildObserver<'_>) -> Result<bool, BuildError> {
        let BuildJob { threads, stages, memory, ref cancel, .. } = *self.job;
        let plan = SolveSettings { threads, stages, memory, cancel: cancel.clone() };
        let mut stage = 0;
        let checkpoints = &mut self.checkpoints;
        let ended = solve(&**self.game, &plan, Some(checkpoints), &mut |report| {
            while stage < report.stage {
                watch(BuildEvent::Solved { stage });
                stage += 1;
            }
            watch(BuildEvent::Solving(report))
        })?;
        for note in self.checkpoints.take_notes() {
            watch(BuildEvent::Warning(note));
        }
        if matches!(ended, SolveResult::Stopped) {
            return Ok(false);
        }
        while stage < stages.min(self.game.stages().len()) {
            watch(BuildEvent::Solved { stage });
            stage += 1;
        }
        Ok(true)
    }

    /// Counts and writes a class; `false` when stopped.
    fn finish(&mut self, class: u8, watch: &mut BuildObserver<'_>) -> Result<bool, BuildError> {
        let written = self.table(self.job.metric)?.is_some_and(|table| table.has(class));
        let counted = self.summary.classes.iter().any(|found| found.class == class);
        if written && counted {
            return Ok(true);
        }
        let Some(values) = self.values(class)? else { return Ok(written) };
        if !counted {
            let Some(found) = self.count(class, &values, watch)? else { return Ok(false) };
            self.summary.classes.push(found);
            self.summary.classes.sort_by_key(|found| found.class);
            let place = self.game.rank(self.start);
            if place.class == class {
                self.summary.start = Some(values.get(place.index as usize).when_forbidden(NO_MOVE));
            }
            self.summary.collect();
            self.summary.save(&self.job.dir, &self.job.id)?;
            self.checkpoints.clear_states(counting::STATE)?;
        }
        if !written {
            let BuildJob { dir, id, metric, threads, .. } = self.job;
            let name = self.game.class_name(class);
            let writer = TablebaseWriter::new(dir, id.clone(), *metric, *threads);
            let info = writer.write(&**self.game, class, &values, &mut |progress| {
                watch(BuildEvent::Writing { class: &name, progress }) != Control::Stop
            });
            watch(BuildEvent::Written(&info?));
        }
        Ok(true)
    }

    /// The values of a class from the checkpoints or from the DTW tablebase.
    fn values(&self, class: u8) -> Result<Option<ClassValues>, BuildError> {
        if let Some(values) = self.checkpoints.values(&**self.game, class)? {
            return Ok(Some(values));
        }
        match self.table(Metric::Dtw)?.filter(|table| table.has(class)) {
            Some(table) => Ok(Some(table.values(class, self.job.threads, &self.job.cancel)?)),
            None => Ok(None),
        }
    }
}

/// Indices per task.
const TASK: usize = 1 << 16;

impl<G: PerfectIndex + Send> Builder<'_, G> {
    /// Finds and writes the distances; `false` when stopped.
    pub(super) fn find_distances(&mut self, watch: &mut BuildObserver<'_>) -> Result<bool, BuildError> {
        let BuildJob { dir, id, threads, memory, cancel, .. } = self.job;
        let written = match DistanceTable::open(dir, Arc::clone(self.game), id) {
            // Interrupted between two files.
            Err(TablebaseError::MissingFile { .. }) => false,
            other => other?.is_some(),
        };
        if written && self.summary.distances.is_some() {
            return Ok(true);
        }
        let needed = DistanceMap::memory(&**self.game);
        if needed > *memory {
            return Err(RetrogradeError::Memory { needed, allowed: *memory }.into());
        }
        let watch = RefCell::new(watch);
        let distances = reachability::search(
            &**self.game,
            self.start,
            *threads,
            Some(&mut self.checkpoints),
            cancel,
            &mut |depth, moves| (watch.borrow_mut())(BuildEvent::Searching { depth, moves }),
        )?;
        for note in self.checkpoints.take_notes() {
            (watch.borrow_mut())(BuildEvent::Warning(note));
        }
        let Some(distances) = distances else { return Ok(false) };
        if self.summary.distances.is_none() {
            let found = reachability::statistics(&**self.game, &distances, *threads, cancel);
            let unreached = self.unreached(&distances);
            let farthest = distances.farthest(&**self.game, *threads, cancel);
            let (Some(found), Some(unreached), Some(farthest)) = (found, unreached, farthest) else { return Ok(false) };
            (watch.borrow_mut())(BuildEvent::Searched(&found));
            self.summary = TablebaseSummary { distances: Some(found), unreached, farthest, ..self.summary.clone() };
            self.summary.save(dir, id)?;
        }
        reachability::write(&**self.game, &distances, dir, id, *threads, &mut |progress| {
            (watch.borrow_mut())(BuildEvent::Writing { class: "distances", progress }) != Control::Stop
        })?;
        Ok(true)
    }

    fn all_classes(&self) -> impl Iterator<Item = u8> {
        self.game.stages().iter().flat_map(|classes| classes.iter().copied())
    }

    /// The unreachable boards, class by class; `None` when cancelled.
    fn unreached(&self, distances: &DistanceMap) -> Option<Vec<(u8, u32)>> {
        let tasks: Vec<(u8, u32)> = self
            .all_classes()
            .flat_map(|class| (0..self.game.size(class)).step_by(TASK).map(move |start| (class, start)))
            .collect();
        let parts = tesuji_task::fold(self.job.threads, tasks, |(class, start), found: &mut Vec<(u8, u32)>| {
            if self.job.cancel.is_cancelled() {
                return;
            }
            let end = start.saturating_add(TASK as u32).min(self.game.size(class));
            let far = |&index: &u32| distances.get(class, index).first == UNREACHED;
            let boards = (start..end).filter(far).filter(|&index| self.game.unrank(class, index).is_some());
            found.extend(boards.map(|index| (class, index)));
        });
        let mut found = parts.concat();
        found.sort_unstable();
        found.truncate(ORPHANS);
        (!self.job.cancel.is_cancelled()).then_some(found)
    }
}
