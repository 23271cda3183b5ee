//! The run, step by step. Every step looks first whether it was done before.

use std::fs;
use std::sync::{Arc, Mutex};

use tesuji_game::{NO_MOVE, PerfectIndex};

use super::{Made, News, Task, Watch, WholeError, work};
use crate::findings::{Findings, Found};
use crate::retrograde::{CheckpointDir, Control, Ended, Plan, Values, census, solve};
use crate::table::{DEFAULT_CACHE, Kind, Table, TableError, Writer};

/// Solves a game as far as the task says, from where an earlier run was stopped or killed.
pub fn run<G: PerfectIndex + Send>(
    game: &Arc<G>,
    start: G::Board,
    task: &Task,
    watch: &mut Watch<'_>,
) -> Result<Made, WholeError> {
    let mut run = Run::new(game, start, task)?;
    let made = run.steps(watch)?;
    if matches!(made, Made::Done(_)) {
        drop(run);
        let path = work(&task.dir);
        fs::remove_dir_all(&path).map_err(|source| WholeError::Remove { path, source })?;
    }
    Ok(made)
}

pub(super) struct Run<'r, G: PerfectIndex> {
    pub(super) game: &'r Arc<G>,
    pub(super) start: G::Board,
    pub(super) task: &'r Task,
    pub(super) shelf: CheckpointDir,
    /// The classes asked for.
    classes: Vec<u8>,
    pub(super) findings: Findings,
}

impl<'r, G: PerfectIndex + Send> Run<'r, G> {
    fn new(game: &'r Arc<G>, start: G::Board, task: &'r Task) -> Result<Run<'r, G>, WholeError> {
        let title = &task.title;
        let name = format!("{} {} {}", title.game, title.rules, title.index);
        let shelf = CheckpointDir::open(work(&task.dir), &name)?;
        let stages = game.stages();
        let classes = stages.iter().take(task.stages).flat_map(|classes| classes.iter().copied()).collect();
        let whole = task.stages >= stages.len();
        let findings = match Findings::load(&task.dir, title)? {
            Some(findings) if task.stages == 0 || findings.whole == whole => findings,
            // What was counted when fewer classes were there does not hold any more; distances do.
            Some(Findings { reach, unreached, .. }) => {
                Findings { whole, reach, unreached, ..Findings::default() }
            }
            None => Findings { whole, ..Findings::default() },
        };
        Ok(Run { game, start, task, shelf, classes, findings })
    }

    fn steps(&mut self, watch: &mut Watch<'_>) -> Result<Made, WholeError> {
        let table = self.table(self.task.kind)?;
        let missing: Vec<u8> = self
            .classes
            .iter()
            .copied()
            .filter(|&class| !table.as_ref().is_some_and(|table| table.has(class)))
            .collect();
        drop(table);
        if !missing.is_empty() {
            self.take_back(&missing)?;
            if !self.solve(watch)? {
                return Ok(Made::Stopped);
            }
        }
        for class in self.classes.clone() {
            if !self.finish(class, watch)? {
                return Ok(Made::Stopped);
            }
        }
        if self.task.reach && !self.reach(watch)? {
            return Ok(Made::Stopped);
        }
        Ok(Made::Done(self.findings.clone()))
    }

    /// The table as far as it is there.
    fn table(&self, kind: Kind) -> Result<Option<Table<G>>, WholeError> {
        match Table::open_kind(&self.task.dir, Arc::clone(self.game), &self.task.title, kind, DEFAULT_CACHE) {
            Err(TableError::Nothing { .. }) => Ok(None),
            other => Ok(Some(other?)),
        }
    }

    /// Puts classes that only the table has on the shelf, where a later stage needs them.
    fn take_back(&mut self, missing: &[u8]) -> Result<(), WholeError> {
        let Some(table) = self.table(Kind::Exact)? else { return Ok(()) };
        let stage = |class: u8| self.game.stages().iter().position(|classes| classes.contains(&class));
        let last = missing.iter().filter_map(|&class| stage(class)).max();
        for &class in &self.classes {
            if stage(class) < last && table.has(class) && !self.shelf.has(&**self.game, &[class])? {
                let values = table.values(class, self.task.threads)?;
                self.shelf.put(&**self.game, class, &values)?;
            }
        }
        Ok(())
    }

    /// Decides all boards; `false` when told to stop.
    fn solve(&mut self, watch: &mut Watch<'_>) -> Result<bool, WholeError> {
        let Task { threads, stages, memory, .. } = *self.task;
        let plan = Plan { threads, stages, memory };
        let mut stage = 0;
        let shelf = &mut self.shelf;
        let ended = solve(&**self.game, &plan, Some(shelf), &mut |report| {
            while stage < report.stage {
                watch(News::Solved { stage });
                stage += 1;
            }
            watch(News::Solving(report))
        })?;
        for note in self.shelf.take_notes() {
            watch(News::Note(note));
        }
        if matches!(ended, Ended::Stopped) {
            return Ok(false);
        }
        while stage < stages.min(self.game.stages().len()) {
            watch(News::Solved { stage });
            stage += 1;
        }
        Ok(true)
    }

    /// Counts and writes a class; `false` when told to stop.
    fn finish(&mut self, class: u8, watch: &mut Watch<'_>) -> Result<bool, WholeError> {
        let written = self.table(self.task.kind)?.is_some_and(|table| table.has(class));
        let counted = self.findings.classes.iter().any(|found| found.class == class);
        if written && counted {
            return Ok(true);
        }
        let Some(values) = self.values(class)? else { return Ok(written) };
        if !counted {
            let Some(found) = self.count(class, &values, watch) else { return Ok(false) };
            self.findings.classes.push(found);
            self.findings.classes.sort_by_key(|found| found.class);
            let place = self.game.rank(self.start);
            if place.class == class {
                self.findings.start = Some(values.get(place.index as usize).when_forbidden(NO_MOVE));
            }
            self.findings.gather();
            self.findings.save(&self.task.dir, &self.task.title)?;
        }
        if !written {
            let Task { dir, title, kind, threads, .. } = self.task;
            let name = self.game.class_name(class);
            let writer = Writer::new(dir, title.clone(), *kind, *threads);
            let facts = writer.write(&**self.game, class, &values, &mut |progress| {
                watch(News::Writing { class: &name, progress }) != Control::Stop
            });
            match facts {
                Err(TableError::Stopped) => return Ok(false),
                facts => watch(News::Wrote(&facts?)),
            };
        }
        Ok(true)
    }

    /// The values of a class from the shelf or from the exact table.
    fn values(&self, class: u8) -> Result<Option<Values>, WholeError> {
        if let Some(values) = self.shelf.values(&**self.game, class)? {
            return Ok(Some(values));
        }
        match self.table(Kind::Exact)?.filter(|table| table.has(class)) {
            Some(table) => Ok(Some(table.values(class, self.task.threads)?)),
            None => Ok(None),
        }
    }

    fn count(&self, class: u8, values: &Values, watch: &mut Watch<'_>) -> Option<Found> {
        let (name, total) = (self.game.class_name(class), u64::from(self.game.size(class)));
        let shared = Mutex::new(&mut *watch);
        let tell = |done: u64| {
            // Whoever comes while another thread tells goes on with its work.
            let Ok(mut watch) = shared.try_lock() else { return true };
            watch(News::Counting { class: &name, done, total }) != Control::Stop
        };
        let census = census(&**self.game, class, values, self.findings.whole, self.task.threads, &tell)?;
        let found = Found { class, name, census };
        watch(News::Counted(&found));
        Some(found)
    }
}
