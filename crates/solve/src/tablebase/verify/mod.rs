//! Verification of a tablebase: checksums, versions, every entry, and totals.

mod checksums;
mod distances;
mod entries;
mod parts;
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
pub use entries::{CheckedBoards, ClassReport, Proof, StoredValues};
pub use parts::{VerifyPart, VerifyPartReport, VerifyParts};
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
    /// A part of the verification could not read its values.
    #[error("{0}")]
    Unreadable(String),
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
    Ok(match find::<G>(job) {
        Found::Nothing => None,
        Found::Report(report) => Some(report),
        Found::Table(target) => Some(Verifier { target: &target, context }.run(events)?),
    })
}

/// What is at a path.
enum Found<G: HasPerfectIndex> {
    Nothing,
    /// Nothing that takes time to verify.
    Report(VerifyReport),
    Table(Target<G>),
}

fn find<G: HasPerfectIndex>(job: &VerifyJob) -> Found<G> {
    let (path, id) = (&job.path, &job.id);
    let class_of = |file: &PathBuf| {
        let stem = file.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        Some(stem.strip_prefix(&id.game)?.strip_prefix('-')?.to_owned())
    };
    let dir = if path.is_dir() { path } else { path.parent().unwrap_or(path) };
    let dir = if dir.as_os_str().is_empty() { Path::new(".") } else { dir };
    let summary = TablebaseSummary::path(dir, id);
    if path.file_name() == summary.file_name() {
        return Found::Report(match TablebaseSummary::load(dir, id) {
            Err(error) => VerifyReport::Invalid(summary, error),
            Ok(_) => VerifyReport::Summary(summary),
        });
    }
    let mut files = block_files(path);
    let unfinished = path.is_dir() && (is_work_dir(&work_dir(path), id) || is_work_dir(path, id));
    if !unfinished && !files.iter().any(|file| class_of(file).is_some()) {
        return Found::Nothing;
    }
    let game = Arc::new(G::index());
    let classes = game.stages().iter().flat_map(|classes| classes.iter());
    let names: Vec<String> = classes.map(|&class| game.class_name(class)).collect();
    files.retain(|file| class_of(file).is_some_and(|class| names.contains(&class)));
    if files.is_empty() {
        return if unfinished { Found::Report(VerifyReport::Unfinished) } else { Found::Nothing };
    }
    Found::Table(Target { game, dir: dir.to_owned(), files, unfinished, job: job.clone() })
}

/// Whether a directory holds unfinished work on this game.
fn is_work_dir(dir: &Path, id: &TablebaseId) -> bool {
    let game = |line: &String| line.split(' ').take(2).eq(["game", &id.game]);
    journal::read(dir.join("log"), "retrograde").is_ok_and(|log| log.lines.iter().any(game))
}

/// The files of a tablebase, or one of them.
struct Target<G: HasPerfectIndex> {
    game: Arc<G::Index>,
    dir: PathBuf,
    files: Vec<PathBuf>,
    unfinished: bool,
    job: VerifyJob,
}

/// All that lies in a directory.
struct Contents<G: HasPerfectIndex> {
    dtw: Option<Tablebase<G::Index>>,
    wdl: Option<Tablebase<G::Index>>,
    distances: Option<DistanceTable<G::Index>>,
    summary: Option<TablebaseSummary>,
}

/// Verifies everything in this process.
struct Verifier<'v, G: HasPerfectIndex> {
    target: &'v Target<G>,
    context: Context<'v>,
}

type Events<'e, G> = &'e mut dyn FnMut(VerifyEvent<'_, <G as HasPerfectIndex>::Index>);

impl<G: HasPerfectIndex> Verifier<'_, G> {
    fn run(&self, events: Events<'_, G>) -> Result<VerifyReport, VerifyError> {
        let Target { files, job, .. } = self.target;
        let checksums = verify_checksums(files, job.threads, self.context)?;
        events(VerifyEvent::Checksums(&checksums));
        let mut report = self.target.report(checksums);
        if report.checksums.damaged.is_empty() {
            let contents = match self.target.open() {
                Ok(contents) => contents,
                Err(error) => return Ok(VerifyReport::Invalid(job.path.clone(), error)),
            };
            if !job.checksums_only {
                self.entries(&contents, &mut report, events)?;
                self.distances(&contents, &mut report, events)?;
                self.target.totals(&contents, &mut report);
            }
        }
        Ok(VerifyReport::Tablebase(Box::new(report)))
    }

    fn entries(
        &self,
        contents: &Contents<G>,
        result: &mut TablebaseReport,
        events: Events<'_, G>,
    ) -> Result<(), VerifyError> {
        let index = &*self.target.game;
        self.target.with_verifiers(contents, self.target.job.threads, |verifiers| {
            result.missing = verifiers.iter().flat_map(EntryVerifier::unverifiable).collect();
            if verifiers.iter().all(|verifier| verifier.stages() == 0) {
                return Ok(());
            }
            self.target.check_memory(verifiers.iter().map(EntryVerifier::memory).max().unwrap_or(0))?;
            let counter = self.context.counter(verifiers.iter().map(EntryVerifier::steps).sum());
            for verifier in verifiers {
                verifier.run(self.context, &counter, &mut |class| {
                    events(VerifyEvent::Class { report: &class, index });
                    result.classes.push(class);
                })?;
            }
            Ok(())
        })
    }

    fn distances(
        &self,
        contents: &Contents<G>,
        result: &mut TablebaseReport,
        events: Events<'_, G>,
    ) -> Result<(), VerifyError> {
        let Some(table) = self.target.wanted_distances(contents) else { return Ok(()) };
        let VerifyJob { step, threads, statistics, .. } = self.target.job;
        if step > 1 {
            events(VerifyEvent::DistancesSkipped);
            return Ok(());
        }
        self.target.check_memory(DistanceMap::memory(&*self.target.game))?;
        let start = G::start().forbidding(NO_MOVE);
        let report = distances::verify_distances(table, start, threads, statistics, self.context)?;
        events(VerifyEvent::Distances { report: &report, index: &self.target.game });
        result.distances = Some(report);
        Ok(())
    }
}

impl<G: HasPerfectIndex> Target<G> {
    /// A report with nothing but the checksums.
    fn report(&self, checksums: ChecksumReport) -> TablebaseReport {
        TablebaseReport {
            checksums,
            classes: Vec::new(),
            distances: None,
            missing: Vec::new(),
            totals: TotalsReport::default(),
            unfinished: self.unfinished,
        }
    }

    fn open(&self) -> Result<Contents<G>, TablebaseError> {
        let (dir, id) = (&self.dir, &self.job.id);
        let open = |metric| match Tablebase::open_metric(dir, Arc::clone(&self.game), id, metric, DEFAULT_CACHE) {
            Err(TablebaseError::NotFound { .. }) => Ok(None),
            other => other.map(Some),
        };
        let (dtw, wdl) = (open(Metric::Dtw)?, open(Metric::Wdl)?);
        let distances = DistanceTable::open(dir, Arc::clone(&self.game), id)?;
        Ok(Contents { dtw, wdl, distances, summary: TablebaseSummary::load(dir, id)? })
    }

    /// Does something with the verifiers of what there is: of the DTW table, with the WDL table to compare, and of the
    /// classes that only the WDL table has.
    fn with_verifiers<T>(
        &self,
        Contents { dtw, wdl, .. }: &Contents<G>,
        threads: usize,
        work: impl FnOnce(&[EntryVerifier<'_, G::Index>]) -> T,
    ) -> T {
        let VerifyJob { step, statistics, .. } = self.job;
        let wanted = |info: &ClassInfo| self.files.iter().any(|file| file.file_name() == info.path.file_name());
        let wdl_only = |info: &ClassInfo| wanted(info) && !dtw.as_ref().is_some_and(|dtw| dtw.has(info.class));
        let verifier =
            |table, wdl, wanted| EntryVerifier { game: &self.game, table, wdl, wanted, step, threads, statistics };
        let verifiers = [
            dtw.as_ref().map(|dtw| verifier(dtw, wdl.as_ref(), &wanted as &dyn Fn(&ClassInfo) -> bool)),
            wdl.as_ref().map(|wdl| verifier(wdl, None, &wdl_only)),
        ];
        let verifiers: Vec<EntryVerifier<'_, G::Index>> = verifiers.into_iter().flatten().collect();
        work(&verifiers)
    }

    /// The distances, if they are to be verified.
    fn wanted_distances<'c>(&self, contents: &'c Contents<G>) -> Option<&'c DistanceTable<G::Index>> {
        let wanted = |file: &PathBuf| file.extension().is_some_and(|extension| extension == "reach");
        contents.distances.as_ref().filter(|_| self.files.iter().any(wanted))
    }

    /// Compares the counts with headers, statistics and published results.
    fn totals(&self, contents: &Contents<G>, result: &mut TablebaseReport) {
        let (table, summary) = (contents.dtw.as_ref().or(contents.wdl.as_ref()), contents.summary.as_ref());
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
