//! One worker: it solves its share of every stage, and codes its share of every class.

use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::Sender;

use tesuji_game::PerfectIndex;
use tesuji_solve::retrograde::{CheckpointDir, Partition};
use tesuji_solve::tablebase::build::work_dir;
use tesuji_solve::tablebase::{Tablebase, TablebaseError, TablebaseSummary};

use crate::error::DataflowError;
use crate::exchange::{Exchange, Parcel};
use crate::run::{DataflowEvent, DataflowJob};

/// What the front end of a process asks of its workers.
#[derive(Default)]
pub(crate) struct Orders {
    /// Save a checkpoint and end.
    pub(crate) stop: AtomicBool,
    /// The number of checkpoints that were due so far.
    pub(crate) checkpoints: AtomicU64,
}

/// How the work of a worker ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Ended {
    /// Everything is done.
    Done,
    /// Stopped on request, after a checkpoint.
    Stopped,
}

pub(crate) struct ShareWorker<'w, G: PerfectIndex> {
    pub(crate) game: &'w Arc<G>,
    /// The class and index of the start.
    pub(crate) start: (u8, u32),
    pub(crate) job: &'w DataflowJob,
    pub(crate) orders: &'w Orders,
    pub(crate) partition: Partition,
    pub(crate) exchange: Exchange<'w>,
    pub(crate) checkpoints: CheckpointDir,
    /// Where its share of unfinished work lies.
    dir: PathBuf,
    /// Only the first worker of a process reports.
    events: Option<Sender<DataflowEvent>>,
    /// Checkpoints that were due at the last one.
    seen: u64,
}

impl<'w, G: PerfectIndex + Send + 'static> ShareWorker<'w, G> {
    pub(crate) fn new(
        game: &'w Arc<G>,
        start: (u8, u32),
        job: &'w DataflowJob,
        orders: &'w Orders,
        exchange: Exchange<'w>,
        events: Option<Sender<DataflowEvent>>,
    ) -> Result<ShareWorker<'w, G>, DataflowError> {
        let partition = job.partition(&**game);
        let work = work_dir(&job.dir);
        right_division(&work, job, partition)?;
        let dir = work.join(format!("share-{}-of-{}", exchange.index(), partition.shares()));
        let id = &job.id;
        let name = format!("{} {} {}", id.game, id.rules, id.index);
        let checkpoints = CheckpointDir::open_share(&dir, &name, partition, exchange.index())?;
        let checkpoints = checkpoints.cancelled_by(&job.cancel);
        Ok(ShareWorker { game, start, job, orders, partition, exchange, checkpoints, dir, events, seen: 0 })
    }

    /// Solves, counts and writes whatever is not done yet.
    pub(crate) fn run(mut self) -> Result<(Ended, Option<TablebaseSummary>), DataflowError> {
        let stages = &self.game.stages()[..self.job.stages.min(self.game.stages().len())];
        let classes: Vec<u8> = stages.iter().flat_map(|classes| classes.iter().copied()).collect();
        let (mut summary, open) = self.open_classes(&classes)?;
        let last = stages.iter().rposition(|classes| classes.iter().any(|class| open.contains(class)));
        let mut ended = Ended::Done;
        for (number, classes) in stages.iter().enumerate().take(last.map_or(0, |last| last + 1)) {
            if self.solve_stage(number, classes)? == Ended::Stopped {
                ended = Ended::Stopped;
                break;
            }
            self.report(DataflowEvent::Solved { stage: number });
        }
        if ended == Ended::Done {
            for &class in classes.iter().filter(|class| open.contains(class)) {
                if self.finish_class(class, summary.as_mut())? == Ended::Stopped {
                    ended = Ended::Stopped;
                    break;
                }
            }
        }
        if ended == Ended::Done {
            remove_all(&self.dir)?;
        }
        let ShareWorker { exchange, checkpoints, dir, .. } = self;
        drop(checkpoints);
        exchange.finish()?;
        if ended == Ended::Done {
            // The last process removes the directory, if it is shared.
            let work = dir.parent().unwrap_or(&dir);
            let _ = fs::remove_file(work.join("request.json"));
            let _ = fs::remove_dir(work);
        }
        Ok((ended, summary))
    }

    /// The statistics, at the first worker, and the classes that lack a file or statistics, as the first worker says.
    fn open_classes(&mut self, classes: &[u8]) -> Result<(Option<TablebaseSummary>, Vec<u8>), DataflowError> {
        let (mut summary, mut open) = (None, Vec::new());
        if self.exchange.index() == 0 {
            let job = self.job;
            let known = TablebaseSummary::resume(&job.dir, &job.id, job.is_complete(&**self.game))?;
            let table = self.table()?;
            let is_done = |class: u8| {
                let counted = known.classes.iter().any(|found| found.class == class);
                counted && table.as_ref().is_some_and(|table| table.has(class))
            };
            open = classes.iter().copied().filter(|&class| !is_done(class)).collect();
            summary = Some(known);
        }
        let words = self.exchange.gather(&open, &mut ignore)?;
        Ok((summary, words.into_iter().next().unwrap_or_default()))
    }

    /// The tablebase as far as it exists.
    pub(crate) fn table(&self) -> Result<Option<Tablebase<G>>, DataflowError> {
        let DataflowJob { dir, id, metric, .. } = self.job;
        match Tablebase::open_metric(dir, Arc::clone(self.game), id, *metric, 0) {
            Err(TablebaseError::NotFound { .. }) => Ok(None),
            other => Ok(Some(other?)),
        }
    }

    pub(crate) fn report(&self, event: DataflowEvent) {
        if let Some(events) = &self.events {
            // Nobody listens any more only when the process ends.
            let _ = events.send(event);
        }
    }

    /// Reports what was worked around in the checkpoints.
    pub(crate) fn report_notes(&mut self) {
        for note in self.checkpoints.take_notes() {
            self.report(DataflowEvent::Warning(note));
        }
    }

    /// Whether a checkpoint was due since the last one.
    pub(crate) fn is_due(&self) -> bool {
        self.orders.checkpoints.load(Ordering::Relaxed) != self.seen
    }

    /// Notes that a checkpoint was made.
    pub(crate) fn is_saved(&mut self) {
        self.seen = self.orders.checkpoints.load(Ordering::Relaxed);
    }
}

/// For steps in which nothing but words is sent.
pub(crate) fn ignore(_: Parcel) {}

/// Refuses a directory with unfinished work that was divided in another way.
fn right_division(work: &Path, job: &DataflowJob, partition: Partition) -> Result<(), DataflowError> {
    let failed = |source| DataflowError::Directory { path: work.to_owned(), source };
    let entries = match fs::read_dir(work) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(()),
        other => other.map_err(failed)?,
    };
    for entry in entries {
        let name = entry.map_err(failed)?.file_name().to_string_lossy().into_owned();
        let division = |what: String, remedy: &str| {
            Err(DataflowError::Division { path: work.to_owned(), what, remedy: remedy.to_owned() })
        };
        if name == "log" {
            return division(
                "the unfinished work of a run without --processes".to_owned(),
                "go on with it by the same command",
            );
        }
        let shares = name.strip_prefix("share-").and_then(|name| name.split_once("-of-"));
        if let Some((_, shares)) = shares.filter(|(_, shares)| *shares != partition.shares().to_string()) {
            let now = job.cluster.workers();
            return division(
                format!("the unfinished work of {shares} workers, and there are {now} now"),
                &format!("go on with {shares} workers over all processes"),
            );
        }
    }
    Ok(())
}

fn remove_all(dir: &Path) -> Result<(), DataflowError> {
    fs::remove_dir_all(dir).map_err(|source| DataflowError::Directory { path: dir.to_owned(), source })
}
