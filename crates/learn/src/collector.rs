//! Making a data set by numbered jobs on several threads, with a journal from which an interrupted run continues.

use std::fs;
use std::path::Path;
use std::sync::{Mutex, PoisonError};

use tesuji_task::{Context, ordered_map};

use crate::job::{beside, removal_warning};
use crate::{DataSet, JobError, Model, Sample, SampleJournal};

/// The labelled positions that one job makes, and the game they belong to.
#[derive(Clone, PartialEq, Debug)]
pub struct LabeledGame<P> {
    /// The game.
    pub game: u32,
    /// Positions and labels.
    pub positions: Vec<(P, i16)>,
}

/// A data set that a job has written.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SavedDataSet {
    /// Its number of positions.
    pub positions: u64,
    /// What the user should know, but is no error.
    pub warnings: Vec<String>,
}

impl SavedDataSet {
    /// The data set in a file if it has this provenance; `None` if there is no file.
    ///
    /// # Errors
    /// When another file has the name.
    pub fn existing<M: Model>(model: &M, path: &Path, provenance: &str) -> Result<Option<SavedDataSet>, JobError> {
        if !path.exists() {
            return Ok(None);
        }
        let same = DataSet::open(model, path).ok().filter(|set| set.header().provenance == provenance);
        let set = same.ok_or_else(|| JobError::exists(path))?;
        Ok(Some(SavedDataSet { positions: set.header().count, warnings: Vec::new() }))
    }
}

/// Samples in the making.
#[derive(Debug)]
pub struct SampleCollector<'a, M: Model> {
    model: &'a M,
    out: &'a Path,
    journal: SampleJournal,
    samples: Vec<Sample<M::Position>>,
}

impl<'a, M: Model> SampleCollector<'a, M> {
    /// Starts to collect for the data set `out`, or continues an interrupted run of the same task.
    pub fn open(model: &'a M, out: &'a Path, task: &str) -> Result<SampleCollector<'a, M>, JobError> {
        let (journal, samples) = SampleJournal::open(model, &beside(out, ".journal"), task).map_err(JobError::input)?;
        Ok(SampleCollector { model, out, journal, samples })
    }

    /// Removes the journal of a data set that has been written, which a run that was killed at its very end leaves behind.
    /// The journal of another task, or of more than `jobs` jobs, is kept.
    pub fn remove_leftover_journal(model: &'a M, out: &'a Path, task: &str, jobs: u32) {
        let path = beside(out, ".journal");
        if !path.exists() {
            return;
        }
        let is_used_up = SampleCollector::open(model, out, task).is_ok_and(|collector| collector.done() <= jobs);
        if is_used_up {
            // It is in nobody's way: a journal that cannot be removed stays.
            let _ = fs::remove_file(&path);
        }
    }

    /// Number of jobs that are done.
    pub fn done(&self) -> u32 {
        self.journal.games()
    }

    /// Does the remaining jobs, up to a total of `total`. `jobs` yields the job after the last one done, then those that
    /// follow it. Results are kept in the order of the jobs, whichever thread finishes first.
    ///
    /// # Errors
    /// The first error of a worker or of the journal, and [`JobError::Cancelled`].
    pub fn run<J: Send, W>(
        &mut self,
        threads: usize,
        total: u32,
        jobs: impl Iterator<Item = J> + Send,
        worker: impl Fn() -> Result<W, JobError> + Sync,
        unit: &str,
        context: Context<'_>,
    ) -> Result<(), JobError>
    where
        W: FnMut(u32, J) -> Result<Option<LabeledGame<M::Position>>, JobError>,
    {
        let first = self.done();
        let jobs = Mutex::new((first..total).zip(jobs));
        let next = || jobs.lock().unwrap_or_else(PoisonError::into_inner).next();
        let counter = context.counter(u64::from(total));
        counter.raise_to(u64::from(first));
        let counted_worker = || {
            let (mut work, counter) = (worker()?, &counter);
            Ok(move |number: u32, job: J| {
                let made = work(number, job);
                counter.add(1);
                made
            })
        };
        ordered_map(threads, first, next, counted_worker, context.cancel, |games: Vec<LabeledGame<_>>| {
            let count = games.len() as u32;
            let mut new: Vec<Sample<M::Position>> = games
                .into_iter()
                .flat_map(|LabeledGame { game, positions }| Sample::of_game(game, positions))
                .collect();
            self.journal.append(self.model, count, &new).map_err(JobError::failed)?;
            self.samples.append(&mut new);
            Ok(())
        })?;
        if context.is_cancelled() {
            let done = tesuji_game::counted(self.done() as usize, unit);
            return Err(JobError::Cancelled(format!("interrupted; {done} are saved, the same command continues")));
        }
        Ok(())
    }

    /// Writes the data set with the samples that `keep` selects. The journal is removed if it holds `jobs` jobs, no more.
    pub fn save(
        mut self,
        provenance: &str,
        jobs: u32,
        keep: impl Fn(&Sample<M::Position>) -> bool,
    ) -> Result<SavedDataSet, JobError> {
        self.samples.retain(keep);
        DataSet::save(self.model, self.out, provenance, &self.samples).map_err(JobError::failed)?;
        let is_used_up = self.done() == jobs;
        drop(self.journal);
        let journal = beside(self.out, ".journal");
        let removed = if is_used_up { fs::remove_file(&journal) } else { Ok(()) };
        let warnings = removal_warning(&journal, removed).into_iter().collect();
        Ok(SavedDataSet { positions: self.samples.len() as u64, warnings })
    }
}
