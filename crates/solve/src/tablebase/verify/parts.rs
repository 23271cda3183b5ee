//! Verification in parts, which any number of processes do: blocks whose checksums are compared, and ranges of boards
//! whose entries are derived. What the parts found, put together, is the report of one process.

use std::ops::Range;
use std::sync::{PoisonError, RwLock};
use std::time::Instant;

use tesuji_game::{HasPerfectIndex, NO_MOVE, PerfectIndex};
use tesuji_task::{CancelToken, Context, cores};

use super::checksums::OpenedFiles;
use super::distances::DistanceReport;
use super::entries::{MAX_SHOWN, StageValues};
use super::{
    CheckedBoards, ClassReport, Contents, Found, StoredValues, Target, VerifyError, VerifyEvent, VerifyJob,
    VerifyReport, find,
};
use crate::reachability::{DistanceMap, DistanceMismatch, verify_spans};
use crate::tablebase::TablebaseError;

/// A part of a verification.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum VerifyPart {
    /// The checksums of some blocks of a file, by its place in the list of files.
    Checksums(usize, Range<usize>),
    /// The entries of some boards of a class, derived or (`compared`) compared with another table.
    Entries {
        /// The table: one with plies comes before one without.
        table: usize,
        /// The stage of the class.
        stage: usize,
        /// The class.
        class: u8,
        /// Whether they are compared.
        compared: bool,
        /// The indices.
        span: Range<u32>,
    },
    /// The distances of some boards of a class.
    Distances(u8, Range<u32>),
}

/// What was found in a part.
#[derive(Clone, PartialEq, Default, Debug)]
pub struct VerifyPartReport {
    /// Damaged blocks.
    pub damaged: Vec<usize>,
    /// The boards checked, with wrong values.
    pub checked: CheckedBoards,
    /// The stored values, where they were derived.
    pub stored: Option<StoredValues>,
    /// Wrong distances: the first of them.
    pub distances: Vec<DistanceMismatch>,
    /// Wall time in seconds.
    pub seconds: f64,
    /// Why the values could not be read: a damaged file.
    pub unreadable: Option<String>,
}

/// A verification in parts.
pub struct VerifyParts<G: HasPerfectIndex> {
    target: Target<G>,
    files: OpenedFiles,
    /// What lies in the directory, or why it cannot be used.
    contents: Result<Contents<G>, TablebaseError>,
    parts: Vec<VerifyPart>,
    loaded: RwLock<Loaded>,
}

/// What several threads read at the same time.
enum Loaded {
    Nothing,
    Values { table: usize, stage: usize, values: StageValues },
    Distances(Box<DistanceMap>),
}

impl<G: HasPerfectIndex> VerifyParts<G> {
    /// Cuts a verification into parts of so many boards; `None` if there is no tablebase of this game at the path.
    ///
    /// # Errors
    /// What is there needs no parts: a report.
    pub fn open(job: &VerifyJob, boards: u32) -> Result<Option<VerifyParts<G>>, Box<VerifyReport>> {
        let target = match find::<G>(job) {
            Found::Nothing => return Ok(None),
            Found::Report(report) => return Err(Box::new(report)),
            Found::Table(target) => target,
        };
        let files = OpenedFiles::open(&target.files);
        let contents = target.open();
        let mut parts: Vec<VerifyPart> =
            files.parts().into_iter().map(|(file, blocks)| VerifyPart::Checksums(file, blocks)).collect();
        if let Some(contents) = contents.as_ref().ok().filter(|_| !job.checksums_only) {
            let spans = |class: u8| {
                let size = target.game.size(class);
                (0..size).step_by(boards.max(1) as usize).map(move |from| from..from.saturating_add(boards).min(size))
            };
            target.with_verifiers(contents, 1, |verifiers| {
                for (table, verifier) in verifiers.iter().enumerate() {
                    parts.extend(verifier.checks().flat_map(|(stage, class, compared)| {
                        let part = move |span| VerifyPart::Entries { table, stage, class, compared, span };
                        spans(class).map(part)
                    }));
                }
            });
            if target.wanted_distances(contents).is_some() && job.step == 1 {
                let classes = target.game.stages().iter().flat_map(|classes| classes.iter());
                parts.extend(
                    classes.flat_map(|&class| spans(class).map(move |span| VerifyPart::Distances(class, span))),
                );
            }
        }
        Ok(Some(VerifyParts { target, files, contents, parts, loaded: RwLock::new(Loaded::Nothing) }))
    }

    /// The parts, in the order in which they are best done.
    pub fn parts(&self) -> &[VerifyPart] {
        &self.parts
    }

    /// What identifies the files: their names, sizes and checksums.
    pub fn identity(&self) -> String {
        let mut text = String::new();
        for (path, opened) in self.target.files.iter().zip(self.files.each()) {
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            text += &match opened {
                Ok(file) => format!("file {name}, {} bytes, sum {:08x}\n", file.bytes(), file.checksum()),
                Err(_) => format!("file {name}, damaged\n"),
            };
        }
        text
    }

    /// The index of the boards.
    pub fn index(&self) -> &G::Index {
        &self.target.game
    }

    /// Does a part; `None` when it was cancelled.
    ///
    /// # Errors
    /// Memory is short. A damaged file is part of the report.
    pub fn run(&self, part: &VerifyPart, cancel: &CancelToken) -> Result<Option<VerifyPartReport>, VerifyError> {
        let begun = Instant::now();
        let found = match part {
            VerifyPart::Checksums(file, blocks) => {
                let damaged = self.files.damaged(&(*file, blocks.clone())).map(|(_, block)| block).collect();
                Ok(VerifyPartReport { damaged, ..VerifyPartReport::default() })
            }
            VerifyPart::Entries { table, stage, class, compared, span } => {
                self.entries((*table, *stage), *class, *compared, span, cancel)
            }
            VerifyPart::Distances(class, span) => self.distances(*class, span, cancel),
        };
        let report = match found {
            Err(VerifyError::Cancelled) => return Ok(None),
            Err(VerifyError::Tablebase(error)) if !matches!(error, TablebaseError::Allocation(_)) => {
                VerifyPartReport { unreadable: Some(error.to_string()), ..VerifyPartReport::default() }
            }
            found => found?,
        };
        let seconds = begun.elapsed().as_secs_f64();
        Ok((!cancel.is_cancelled()).then_some(VerifyPartReport { seconds, ..report }))
    }

    fn contents(&self) -> Result<&Contents<G>, VerifyError> {
        // Without contents there are no parts that need them.
        self.contents.as_ref().map_err(|_| VerifyError::Cancelled)
    }

    fn entries(
        &self,
        (table, stage): (usize, usize),
        class: u8,
        compared: bool,
        span: &Range<u32>,
        cancel: &CancelToken,
    ) -> Result<VerifyPartReport, VerifyError> {
        let span = span.start as usize..span.end as usize;
        let context = Context::silent(cancel);
        self.target.with_verifiers(self.contents()?, 1, |verifiers| {
            let verifier = verifiers.get(table).ok_or(VerifyError::Cancelled)?;
            let fits = |loaded: &Loaded| matches!(loaded, Loaded::Values { table: t, stage: s, .. } if (*t, *s) == (table, stage));
            let load = |loaded: &mut Loaded| {
                let mut values = match std::mem::replace(loaded, Loaded::Nothing) {
                    Loaded::Values { table: before, values, .. } if before == table => values,
                    _ => StageValues::default(),
                };
                self.target.check_memory(verifier.memory())?;
                // The other threads of this process wait for the values, too.
                values.enter(verifier.table, stage, cores(), cancel, &mut |_| !cancel.is_cancelled())?;
                *loaded = Loaded::Values { table, stage, values };
                Ok(())
            };
            self.with_loaded(fits, load, |loaded| {
                let Loaded::Values { values, .. } = loaded else { return Err(VerifyError::Cancelled) };
                let (counter, solution) = (context.counter(0), &values.solution);
                let (checked, stored) = if compared {
                    (verifier.compare_span(solution, class, span, &counter)?, None)
                } else {
                    let (checked, stored) = verifier.derive_span(solution, class, span, &counter)?;
                    (checked, Some(stored))
                };
                Ok(VerifyPartReport { checked, stored, ..VerifyPartReport::default() })
            })
        })
    }

    fn distances(&self, class: u8, span: &Range<u32>, cancel: &CancelToken) -> Result<VerifyPartReport, VerifyError> {
        let table = self.target.wanted_distances(self.contents()?).ok_or(VerifyError::Cancelled)?;
        let fits = |loaded: &Loaded| matches!(loaded, Loaded::Distances(_));
        let load = |loaded: &mut Loaded| {
            *loaded = Loaded::Nothing;
            self.target.check_memory(DistanceMap::memory(&*self.target.game))?;
            *loaded = Loaded::Distances(Box::new(match table.load(cores(), cancel) {
                Err(TablebaseError::Stopped) => return Err(VerifyError::Cancelled),
                distances => distances?,
            }));
            Ok(())
        };
        self.with_loaded(fits, load, |loaded| {
            let Loaded::Distances(map) = loaded else { return Err(VerifyError::Cancelled) };
            let (start, spans) = (G::start().forbidding(NO_MOVE), [(class, span.clone())]);
            let watch = |_| !cancel.is_cancelled();
            let (boards, mut distances) = verify_spans(&*self.target.game, start, map, &spans, 1, &watch)?;
            let wrong = distances.len() as u64;
            distances.truncate(MAX_SHOWN);
            let checked = CheckedBoards { boards, wrong, shown: Vec::new() };
            Ok(VerifyPartReport { checked, distances, ..VerifyPartReport::default() })
        })
    }

    /// Does something with what is loaded, after it was loaded where that is needed. Parts in order need each stage once.
    fn with_loaded<T>(
        &self,
        fits: impl Fn(&Loaded) -> bool,
        load: impl Fn(&mut Loaded) -> Result<(), VerifyError>,
        work: impl FnOnce(&Loaded) -> Result<T, VerifyError>,
    ) -> Result<T, VerifyError> {
        loop {
            let loaded = self.loaded.read().unwrap_or_else(PoisonError::into_inner);
            if fits(&loaded) {
                return work(&loaded);
            }
            drop(loaded);
            let mut loaded = self.loaded.write().unwrap_or_else(PoisonError::into_inner);
            if !fits(&loaded) {
                load(&mut loaded)?;
            }
        }
    }

    /// Puts the reports of all parts together, in their order.
    ///
    /// # Errors
    /// A file could not be read although its checksums are correct.
    pub fn assemble(
        &self,
        reports: &[VerifyPartReport],
        events: &mut dyn FnMut(VerifyEvent<'_, G::Index>),
    ) -> Result<VerifyReport, VerifyError> {
        let VerifyParts { target, parts, .. } = self;
        let each = || parts.iter().zip(reports);
        let damaged = each().filter_map(|(part, report)| match part {
            VerifyPart::Checksums(file, _) => Some(report.damaged.iter().map(|block| (*file, *block))),
            _ => None,
        });
        let checksums = OpenedFiles::open(&target.files).into_report(damaged.flatten());
        events(VerifyEvent::Checksums(&checksums));
        let mut result = target.report(checksums);
        if !result.checksums.damaged.is_empty() {
            return Ok(VerifyReport::Tablebase(Box::new(result)));
        }
        let contents = match target.open() {
            Ok(contents) => contents,
            Err(error) => return Ok(VerifyReport::Invalid(target.job.path.clone(), error)),
        };
        if target.job.checksums_only {
            return Ok(VerifyReport::Tablebase(Box::new(result)));
        }
        if let Some(reason) = reports.iter().find_map(|report| report.unreadable.clone()) {
            return Err(VerifyError::Unreadable(reason));
        }
        target.with_verifiers(&contents, 1, |verifiers| {
            result.missing = verifiers.iter().flat_map(|verifier| verifier.unverifiable()).collect();
            for (number, verifier) in verifiers.iter().enumerate() {
                for (_, wanted, compares) in verifier.checks() {
                    let (mut checked, mut stored) = (CheckedBoards::default(), StoredValues::default());
                    let mut seconds = 0.0;
                    for (_, report) in each().filter(|(part, _)| {
                        matches!(part, VerifyPart::Entries { table, class, compared, .. }
                            if (*table, *class, *compared) == (number, wanted, compares))
                    }) {
                        checked.add(&report.checked);
                        report.stored.iter().for_each(|part| stored.add(part));
                        seconds += report.seconds;
                    }
                    let class: ClassReport = match compares {
                        true => verifier.compared(wanted, checked, seconds)?,
                        false => verifier.derived(wanted, checked, stored, seconds)?,
                    };
                    events(VerifyEvent::Class { report: &class, index: &target.game });
                    result.classes.push(class);
                }
            }
            Ok::<(), VerifyError>(())
        })?;
        if let Some(table) = target.wanted_distances(&contents) {
            if target.job.step > 1 {
                events(VerifyEvent::DistancesSkipped);
            } else {
                let info = table.info().cloned().collect();
                let mut report =
                    DistanceReport { info, boards: 0, wrong: 0, shown: Vec::new(), seconds: 0.0, statistics: None };
                for (_, part) in each().filter(|(part, _)| matches!(part, VerifyPart::Distances(..))) {
                    report.boards += part.checked.boards;
                    report.wrong += part.checked.wrong;
                    report.seconds += part.seconds;
                    let left = MAX_SHOWN - report.shown.len();
                    report.shown.extend(part.distances.iter().take(left).cloned());
                }
                events(VerifyEvent::Distances { report: &report, index: &target.game });
                result.distances = Some(report);
            }
        }
        target.totals(&contents, &mut result);
        Ok(VerifyReport::Tablebase(Box::new(result)))
    }
}
