//! Verification of a tablebase: checksums, versions, every entry, and totals.

mod checksums;
mod distances;
mod entries;
#[cfg(test)]
mod tests;
mod totals;
mod wdl;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use tesuji_game::{HasPerfectIndex, NO_MOVE, Outcome, PerfectIndex};
use tesuji_store::journal;
use tesuji_task::Context;
use thiserror::Error;

use super::build::work_dir;
use super::{ClassInfo, DEFAULT_CACHE, Metric, Tablebase, TablebaseError, TablebaseId, TablebaseSummary};
use crate::reachability::{DistanceMap, DistanceTable};
use crate::retrograde::{ClassStatistics, RetrogradeError};

pub use checksums::{ChecksumReport, block_files, verify_checksums};
pub use distances::DistanceReport;
use entries::EntryVerifier;
pub use entries::{CheckedBoards, ClassReport, Proof};
pub use totals::{TotalsDifference, TotalsGroup, TotalsReport, TotalsSource};

/// What to verify, and how.
#[derive(Clone, Debug)]
pub struct VerifyJob {
    /// A directory with a tablebase, or one of its files.
    pub path: PathBuf,
    /// The expected identity.
    pub id: TablebaseId,
    /// Check only the checksums and headers.
    pub checksums_only: bool,
    /// Check every `step`th entry.
    pub step: u32,
    /// Also recompute the statistics, which takes longer than everything else.
    pub statistics: bool,
    /// Memory limit in bytes.
    pub memory: u64,
    /// Threads.
    pub threads: usize,
}

/// Why a verification did not finish.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum VerifyError {
    /// A file could not be read.
    #[error(transparent)]
    Tablebase(#[from] TablebaseError),
    /// Values could not be derived.
    #[error(transparent)]
    Retrograde(#[from] RetrogradeError),
    /// More memory is needed than allowed.
    #[error(
        "deriving the entries needs {} MiB of memory, and {} MiB are allowed",
        needed.div_ceil(1 << 20), allowed >> 20
    )]
    Memory {
        /// Bytes.
        needed: u64,
        /// Bytes.
        allowed: u64,
    },
    /// Cancelled.
    #[error("cancelled")]
    Cancelled,
}

/// A result of the verification, as soon as it is known.
#[derive(Debug)]
pub enum VerifyEvent<'e, R> {
    /// The checksums are verified.
    Checksums(&'e ChecksumReport),
    /// A class is verified.
    Class {
        /// The result.
        report: &'e ClassReport,
        /// The index of its boards.
        index: &'e R,
    },
    /// The distances are verified.
    Distances {
        /// The result.
        report: &'e DistanceReport,
        /// The index of its boards.
        index: &'e R,
    },
    /// The distances are not verified, because only some entries are.
    DistancesSkipped,
}

/// The result of a verification.
#[derive(Debug)]
pub enum VerifyReport {
    /// Only the file of statistics was given, and it is intact.
    Summary(PathBuf),
    /// The file at this path cannot be used.
    Invalid(PathBuf, TablebaseError),
    /// An unfinished build without a complete class.
    Unfinished,
    /// A tablebase.
    Tablebase(Box<TablebaseReport>),
}

/// The verification of a tablebase.
#[derive(Debug)]
pub struct TablebaseReport {
    /// The checksums.
    pub checksums: ChecksumReport,
    /// The classes.
    pub classes: Vec<ClassReport>,
    /// The distances, if there are any.
    pub distances: Option<DistanceReport>,
    /// Classes that cannot be verified because a class that their moves lead to is missing.
    pub missing: Vec<String>,
    /// The compared totals.
    pub totals: TotalsReport,
    /// Whether a build is unfinished here.
    pub unfinished: bool,
}

impl TablebaseReport {
    /// Wrong entries.
    pub fn wrong(&self) -> u64 {
        let classes: u64 = self.classes.iter().map(|class| class.checked.wrong).sum();
        classes + self.distances.as_ref().map_or(0, |distances| distances.wrong)
    }

    /// Boards in the tablebase and entries checked, each class once.
    pub fn boards_and_entries(&self) -> (u64, u64) {
        let (mut boards, mut entries) = (0, 0);
        for (at, class) in self.classes.iter().enumerate() {
            if self.classes[..at].iter().all(|before| before.info.class != class.info.class) {
                boards += class.info.boards;
                entries += class.checked.boards;
            }
        }
        match &self.distances {
            Some(distances) if distances.boards > boards => (distances.boards, distances.boards),
            _ => (boards, entries),
        }
    }

    /// Whether everything that was checked is correct.
    pub fn is_correct(&self) -> bool {
        self.checksums.damaged.is_empty() && self.wrong() == 0 && self.totals.is_correct() && self.missing.is_empty()
    }
}

/// Verifies the tablebase of a game; `None` when there is nothing of this game at the path.
///
/// # Errors
/// See [`VerifyError`]. Wrong entries and unusable files are part of the report.
pub fn verify<G: HasPerfectIndex>(
    job: &VerifyJob,
    context: Context<'_>,
    events: &mut dyn FnMut(VerifyEvent<'_, G::Index>),
) -> Result<Option<VerifyReport>, VerifyError> {
    let (path, id) = (&job.path, &job.id);
    let class_of = |file: &PathBuf| {
        let stem = file.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        Some(stem.strip_prefix(&id.game)?.strip_prefix('-')?.to_owned())
    };
    let dir = if path.is_dir() { path } else { path.parent().unwrap_or(path) };
    let dir = if dir.as_os_str().is_empty() { Path::new(".") } else { dir };
    let summary = TablebaseSummary::path(dir, id);
    if path.file_name() == summary.file_name() {
        let loaded = TablebaseSummary::load(dir, id);
        return Ok(Some(match loaded {
            Err(error) => VerifyReport::Invalid(summary, error),
            Ok(_) => VerifyReport::Summary(summary),
        }));
    }
    let mut files = block_files(path);
    let unfinished = path.is_dir() && (is_work_dir(&work_dir(path), id) || is_work_dir(path, id));
    if !unfinished && !files.iter().any(|file| class_of(file).is_some()) {
        return Ok(None);
    }
    let game = Arc::new(G::index());
    let classes = game.stages().iter().flat_map(|classes| classes.iter());
    let names: Vec<String> = classes.map(|&class| game.class_name(class)).collect();
    files.retain(|file| class_of(file).is_some_and(|class| names.contains(&class)));
    if files.is_empty() {
        return Ok(unfinished.then_some(VerifyReport::Unfinished));
    }
    Verifier::<G> { game, dir, files, unfinished, job, context }.run(events).map(Some)
}

/// Whether a directory holds unfinished work on this game.
fn is_work_dir(dir: &Path, id: &TablebaseId) -> bool {
    let game = |line: &String| line.split(' ').take(2).eq(["game", &id.game]);
    journal::read(dir.join("log"), "retrograde").is_ok_and(|log| log.lines.iter().any(game))
}

struct Verifier<'v, G: HasPerfectIndex> {
    game: Arc<G::Index>,
    dir: &'v Path,
    files: Vec<PathBuf>,
    unfinished: bool,
    job: &'v VerifyJob,
    context: Context<'v>,
}

type Events<'e, G> = &'e mut dyn FnMut(VerifyEvent<'_, <G as HasPerfectIndex>::Index>);

impl<G: HasPerfectIndex> Verifier<'_, G> {
    fn run(&self, events: Events<'_, G>) -> Result<VerifyReport, VerifyError> {
        let checksums = verify_checksums(&self.files, self.job.threads, self.context)?;
        events(VerifyEvent::Checksums(&checksums));
        let mut report = TablebaseReport {
            checksums,
            classes: Vec::new(),
            distances: None,
            missing: Vec::new(),
            totals: TotalsReport::default(),
            unfinished: self.unfinished,
        };
        if report.checksums.damaged.is_empty() {
            let (dtw, wdl, distances, summary) = match self.open() {
                Ok(opened) => opened,
                Err(error) => return Ok(VerifyReport::Invalid(self.job.path.clone(), error)),
            };
            if !self.job.checksums_only {
                self.entries(dtw.as_ref(), wdl.as_ref(), &mut report, events)?;
                self.distances(distances.as_ref(), &mut report, events)?;
                self.totals(dtw.as_ref().or(wdl.as_ref()), summary.as_ref(), &mut report);
            }
        }
        Ok(VerifyReport::Tablebase(Box::new(report)))
    }

    #[allow(clippy::type_complexity)] // All that lies in the directory.
    fn open(
        &self,
    ) -> Result<
        (
            Option<Tablebase<G::Index>>,
            Option<Tablebase<G::Index>>,
            Option<DistanceTable<G::Index>>,
            Option<TablebaseSummary>,
        ),
        TablebaseError,
    > {
        let (dir, id) = (self.dir, &self.job.id);
        let open = |metric| match Tablebase::open_metric(dir, Arc::clone(&self.game), id, metric, DEFAULT_CACHE) {
            Err(TablebaseError::NotFound { .. }) => Ok(None),
            other => other.map(Some),
        };
        let (dtw, wdl) = (open(Metric::Dtw)?, open(Metric::Wdl)?);
        let distances = DistanceTable::open(dir, Arc::clone(&self.game), id)?;
        Ok((dtw, wdl, distances, TablebaseSummary::load(dir, id)?))
    }

    fn entries(
        &self,
        dtw: Option<&Tablebase<G::Index>>,
        wdl: Option<&Tablebase<G::Index>>,
        result: &mut TablebaseReport,
        events: Events<'_, G>,
    ) -> Result<(), VerifyError> {
        let VerifyJob { step, threads, statistics, .. } = *self.job;
        let wanted = |info: &ClassInfo| self.files.iter().any(|file| file.file_name() == info.path.file_name());
        let wdl_only = |info: &ClassInfo| wanted(info) && !dtw.is_some_and(|dtw| dtw.has(info.class));
        let verifier =
            |table, wdl, wanted| EntryVerifier { game: &self.game, table, wdl, wanted, step, threads, statistics };
        let verifiers = [
            dtw.map(|dtw| verifier(dtw, wdl, &wanted as &dyn Fn(&ClassInfo) -> bool)),
            wdl.map(|wdl| verifier(wdl, None, &wdl_only)),
        ];
        let verifiers: Vec<EntryVerifier<'_, G::Index>> = verifiers.into_iter().flatten().collect();
        result.missing = verifiers.iter().flat_map(EntryVerifier::unverifiable).collect();
        if verifiers.iter().all(|verifier| verifier.stages() == 0) {
            return Ok(());
        }
        self.check_memory(verifiers.iter().map(EntryVerifier::memory).max().unwrap_or(0))?;
        let counter = self.context.counter(verifiers.iter().map(EntryVerifier::steps).sum());
        for verifier in &verifiers {
            verifier.run(self.context, &counter, &mut |class| {
                events(VerifyEvent::Class { report: &class, index: &self.game });
                result.classes.push(class);
            })?;
        }
        Ok(())
    }

    fn distances(
        &self,
        table: Option<&DistanceTable<G::Index>>,
        result: &mut TablebaseReport,
        events: Events<'_, G>,
    ) -> Result<(), VerifyError> {
        let wanted = |file: &PathBuf| file.extension().is_some_and(|extension| extension == "reach");
        let Some(table) = table.filter(|_| self.files.iter().any(wanted)) else { return Ok(()) };
        if self.job.step > 1 {
            events(VerifyEvent::DistancesSkipped);
            return Ok(());
        }
        self.check_memory(DistanceMap::memory(&*self.game))?;
        let start = G::start().forbidding(NO_MOVE);
        let VerifyJob { threads, statistics, .. } = *self.job;
        let report = distances::verify_distances(table, start, threads, statistics, self.context)?;
        events(VerifyEvent::Distances { report: &report, index: &self.game });
        result.distances = Some(report);
        Ok(())
    }

    /// Compares the counts with headers, statistics and published results.
    fn totals(
        &self,
        table: Option<&Tablebase<G::Index>>,
        summary: Option<&TablebaseSummary>,
        result: &mut TablebaseReport,
    ) {
        let TablebaseReport { classes, distances, totals, .. } = result;
        for class in classes.iter() {
            let same = |other: &&ClassReport| other.info.class == class.info.class && other.counted.is_some();
            let counted = classes.iter().find(same).and_then(|other| other.counted.as_ref());
            if let Some((counts, exceptions)) = counted {
                totals.header(&class.info, counts, class.counted.is_some().then_some(*exceptions));
            }
        }
        let all = self.game.stages().iter().flat_map(|classes| classes.iter());
        let complete = all.clone().all(|&class| table.is_some_and(|table| table.has(class)));
        if let Some(summary) = summary {
            classes.iter().for_each(|class| totals.statistics(summary, complete, class));
        }
        if let Some(distances) = distances {
            totals.distances(distances, summary);
        }
        let Some(known) = G::published_results() else { return };
        let first = all.clone().next();
        for class in classes.iter() {
            totals.published_class(known, class, first == Some(&class.info.class));
        }
        if let Some(start) = table.and_then(|table| start::<G>(table)) {
            totals.published_start(known, start);
        }
        let counted: Vec<&ClassStatistics> = classes.iter().filter_map(|class| class.statistics.as_ref()).collect();
        if complete && counted.len() == all.count() {
            let mut total = ClassStatistics::default();
            counted.into_iter().for_each(|statistics| total.add(statistics));
            totals.published_statistics(known, &total);
        }
    }

    fn check_memory(&self, needed: u64) -> Result<(), VerifyError> {
        let allowed = self.job.memory;
        if needed <= allowed { Ok(()) } else { Err(VerifyError::Memory { needed, allowed }) }
    }
}

/// The DTW of the start, if the tablebase holds it; from a WDL tablebase only a draw is known.
fn start<G: HasPerfectIndex>(table: &Tablebase<G::Index>) -> Option<u8> {
    let start = G::start().forbidding(NO_MOVE);
    if !table.has(table.game().class(start)) {
        return None;
    }
    let value = table.value(start, NO_MOVE).ok()?;
    if value.outcome == Outcome::Draw { Some(0) } else { value.plies }
}
