//! Verification of every entry against its successors, stage by stage in bounded memory.
//!
//! A reversible move stays within its stage, so of earlier stages only the values with nothing forbidden are needed: one
//! byte per board.

use std::io;
use std::ops::Range;
use std::sync::Arc;
use std::time::Instant;

use tesuji_game::{NO_MOVE, PerfectIndex};
use tesuji_task::{CancelToken, Context, Counter};

use super::{VerifyError, wdl};
use crate::retrograde::{ClassStatistics, ClassValues, Solution, ValueMismatch, class_statistics, verify_span};
use crate::tablebase::{ClassInfo, Metric, Tablebase, TablebaseError};

/// Mismatches reported per class.
pub(super) const MAX_SHOWN: usize = 5;

/// The cost of deriving an entry, relative to reading it.
const DERIVE: u64 = 8;
/// The cost of comparing it, and of counting it.
const COMPARE: u64 = 3;
const COUNT: u64 = 12;

/// The boards to check in a class.
pub(super) struct ClassScan {
    pub(super) class: u8,
    /// The indices.
    pub(super) span: Range<usize>,
    pub(super) step: u32,
    pub(super) threads: usize,
    /// The weight of a board in the progress.
    pub(super) weight: u64,
}

/// The result of checking the boards of a class, or of a part of it.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct CheckedBoards {
    /// Boards checked.
    pub boards: u64,
    /// Boards with a wrong entry.
    pub wrong: u64,
    /// The first mismatches.
    pub shown: Vec<ValueMismatch>,
}

impl CheckedBoards {
    /// Adds what was found in the next part.
    pub(super) fn add(&mut self, next: &CheckedBoards) {
        self.boards += next.boards;
        self.wrong += next.wrong;
        let left = MAX_SHOWN - self.shown.len().min(MAX_SHOWN);
        self.shown.extend(next.shown.iter().take(left).cloned());
    }
}

/// The stored values of a class, or of a part of it.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct StoredValues {
    /// Indices by the value with nothing forbidden; an index without a board has the value 0.
    pub counts: Vec<u64>,
    /// Exceptions.
    pub exceptions: u64,
}

impl StoredValues {
    fn count(values: &ClassValues, span: Range<usize>) -> StoredValues {
        let mut counts = vec![0; 256];
        values.first[span.clone()].iter().for_each(|&value| counts[usize::from(value)] += 1);
        let exceptions = values.mv[span].iter().filter(|&&mv| mv != NO_MOVE).count() as u64;
        StoredValues { counts, exceptions }
    }

    /// Adds those of another part.
    pub(super) fn add(&mut self, other: &StoredValues) {
        self.counts.resize(256, 0);
        self.counts.iter_mut().zip(&other.counts).for_each(|(sum, more)| *sum += more);
        self.exceptions += other.exceptions;
    }

    /// Boards by value, and exceptions. Indices without a board are not draws.
    pub(super) fn boards(mut self, info: &ClassInfo, boards: u64) -> (Vec<u64>, u64) {
        self.counts.resize(256, 0);
        self.counts[0] = (self.counts[0] + boards).saturating_sub(info.size.into());
        (self.counts, self.exceptions)
    }
}

/// The values of a stage, and of the stages before it what the stage needs.
#[derive(Default)]
pub(super) struct StageValues {
    /// How many stages were loaded; the last of them is complete.
    loaded: usize,
    pub(super) solution: Solution,
}

impl StageValues {
    /// Loads the values of a stage. `watch` gets the size of each class that was loaded, and returns `false` to stop.
    pub(super) fn enter<R: PerfectIndex + Send>(
        &mut self,
        table: &Tablebase<R>,
        stage: usize,
        threads: usize,
        cancel: &CancelToken,
        watch: &mut dyn FnMut(u32) -> bool,
    ) -> Result<(), VerifyError> {
        if self.loaded > stage + 1 {
            *self = StageValues::default();
        }
        let game = table.game();
        while self.loaded <= stage {
            if let Some(last) = self.loaded.checked_sub(1) {
                for &class in game.stages()[last] {
                    if let Some(values) = self.solution.class(class) {
                        let kept = only_first(values).map_err(TablebaseError::Allocation)?;
                        self.solution.insert(class, kept);
                    }
                }
            }
            for &class in game.stages()[self.loaded] {
                let values = match table.values(class, threads, cancel) {
                    Err(TablebaseError::Stopped) => return Err(VerifyError::Cancelled),
                    values => values?,
                };
                self.solution.insert(class, values);
                if !watch(game.size(class)) {
                    return Err(VerifyError::Cancelled);
                }
            }
            self.loaded += 1;
        }
        Ok(())
    }
}

/// How entries were verified.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Proof {
    /// Each DTW follows from its successors, which determines all values.
    Derived,
    /// Each WDL value follows from its successors. Draws are proven; wins and losses might be a cycle.
    Consistent,
    /// Each WDL value agrees with the DTW tablebase.
    Compared,
}

/// The verification of a class.
#[derive(Debug)]
pub struct ClassReport {
    /// Its header.
    pub info: ClassInfo,
    /// The boards checked.
    pub checked: CheckedBoards,
    /// How they were verified.
    pub proof: Proof,
    /// Wall time.
    pub seconds: f64,
    /// Boards by value with nothing forbidden, and the number of exceptions.
    pub counted: Option<(Vec<u64>, u64)>,
    /// The statistics, if requested.
    pub statistics: Option<ClassStatistics>,
}

/// Verifies the entries of a tablebase.
pub(super) struct EntryVerifier<'v, R: PerfectIndex> {
    pub(super) game: &'v Arc<R>,
    pub(super) table: &'v Tablebase<R>,
    /// A WDL tablebase of the same boards, to be compared.
    pub(super) wdl: Option<&'v Tablebase<R>>,
    /// Selects the classes to check.
    pub(super) wanted: &'v dyn Fn(&ClassInfo) -> bool,
    pub(super) step: u32,
    pub(super) threads: usize,
    pub(super) statistics: bool,
}

impl<R: PerfectIndex + Send> EntryVerifier<'_, R> {
    /// The stages without a missing class, from the first on.
    fn complete_stages(&self) -> usize {
        let stages = self.game.stages();
        stages.iter().take_while(|classes| classes.iter().all(|&class| self.table.has(class))).count()
    }

    /// The stages to load: up to the last wanted class, as far as they are complete.
    pub(super) fn stages(&self) -> usize {
        let stages = &self.game.stages()[..self.complete_stages()];
        let wanted = |class: &u8| self.wants(self.table, *class) || self.compares(*class);
        stages.iter().rposition(|classes| classes.iter().any(wanted)).map_or(0, |last| last + 1)
    }

    /// Wanted classes that cannot be checked because a class that their moves lead to is missing.
    pub(super) fn unverifiable(&self) -> Vec<String> {
        let beyond = self.game.stages()[self.complete_stages()..].iter().flat_map(|classes| classes.iter());
        let wanted = beyond.filter(|class| self.wants(self.table, **class));
        wanted.map(|&class| self.game.class_name(class)).collect()
    }

    /// Peak memory in bytes.
    pub(super) fn memory(&self) -> u64 {
        let (mut earlier, mut peak) = (0, 0);
        let stages = self.stages();
        for (stage, classes) in self.game.stages()[..stages].iter().enumerate() {
            let sizes = classes.iter().map(|&class| u64::from(self.game.size(class)));
            let boards: u64 = sizes.clone().sum();
            // One plane of a class is copied before its three are freed.
            let copy = if stage + 1 < stages { sizes.max().unwrap_or(0) } else { 0 };
            peak = peak.max(earlier + 3 * boards + copy);
            earlier += boards;
        }
        peak
    }

    /// Total progress steps.
    pub(super) fn steps(&self) -> u64 {
        let classes = self.game.stages()[..self.stages()].iter().flat_map(|classes| classes.iter());
        let weight = |class: u8| {
            let derive = if self.wants(self.table, class) { DERIVE } else { 0 };
            let compare = if self.compares(class) { COMPARE } else { 0 };
            let count = if self.statistics { COUNT } else { 0 };
            let size = u64::from(self.game.size(class));
            size + size / u64::from(self.step) * (derive + compare) + size * count
        };
        classes.map(|&class| weight(class)).sum()
    }

    fn info<'t>(&self, table: &'t Tablebase<R>, class: u8) -> Option<&'t ClassInfo> {
        table.info().find(|info| info.class == class)
    }

    fn wants(&self, table: &Tablebase<R>, class: u8) -> bool {
        self.info(table, class).is_some_and(self.wanted)
    }

    fn compares(&self, class: u8) -> bool {
        self.table.has(class) && self.wdl.is_some_and(|wdl| self.wants(wdl, class))
    }

    /// Verifies all wanted classes and reports each when it is done.
    pub(super) fn run(
        &self,
        context: Context<'_>,
        counter: &Counter<'_>,
        report: &mut dyn FnMut(ClassReport),
    ) -> Result<(), VerifyError> {
        let mut values = StageValues::default();
        for (stage, classes) in self.game.stages()[..self.stages()].iter().enumerate() {
            values.enter(self.table, stage, self.threads, context.cancel, &mut |size| counter.add(size.into()))?;
            for &class in *classes {
                if self.wants(self.table, class) {
                    report(self.derive(&values.solution, class, context, counter)?);
                }
                if self.compares(class) {
                    report(self.compare(&values.solution, class, context, counter)?);
                }
            }
        }
        Ok(())
    }

    /// The classes whose entries are derived, and those whose entries are compared, by stage.
    pub(super) fn checks(&self) -> impl Iterator<Item = (usize, u8, bool)> {
        let stages = self.game.stages()[..self.stages()].iter().enumerate();
        let classes = stages.flat_map(|(stage, classes)| classes.iter().map(move |&class| (stage, class)));
        classes.flat_map(move |(stage, class)| {
            let derived = self.wants(self.table, class).then_some((stage, class, false));
            derived.into_iter().chain(self.compares(class).then_some((stage, class, true)))
        })
    }

    /// Derives the entries of a part of a class.
    pub(super) fn derive_span(
        &self,
        solution: &Solution,
        class: u8,
        span: Range<usize>,
        counter: &Counter<'_>,
    ) -> Result<(CheckedBoards, StoredValues), VerifyError> {
        let (_, values) = self.loaded(solution, class)?;
        let checked = if self.table.metric() == Metric::Dtw {
            let before = counter.done();
            let watch = |done: u64| counter.raise_to(before + DERIVE * done);
            let span = span.clone();
            let (boards, mut shown) =
                verify_span(&**self.game, solution, class, span, self.step, self.threads, &watch)?;
            let wrong = shown.len() as u64;
            shown.truncate(MAX_SHOWN);
            CheckedBoards { boards, wrong, shown }
        } else {
            wdl::derive(&**self.game, solution, &self.scan(class, span.clone(), DERIVE), counter)?
        };
        Ok((checked, StoredValues::count(values, span)))
    }

    /// Compares the WDL entries of a part of a class.
    pub(super) fn compare_span(
        &self,
        solution: &Solution,
        class: u8,
        span: Range<usize>,
        counter: &Counter<'_>,
    ) -> Result<CheckedBoards, VerifyError> {
        let (_, values) = self.loaded(solution, class)?;
        let wdl = self.wdl.unwrap_or(self.table);
        Ok(wdl::compare(&**self.game, wdl, values, &self.scan(class, span, COMPARE), counter)?)
    }

    /// The report of a class whose entries were derived, in one part or in several.
    pub(super) fn derived(
        &self,
        class: u8,
        checked: CheckedBoards,
        stored: StoredValues,
        seconds: f64,
    ) -> Result<ClassReport, VerifyError> {
        let info = self.info(self.table, class).ok_or_else(|| self.missing(class))?.clone();
        let boards = if self.step == 1 { checked.boards } else { info.boards };
        let counted = Some(stored.boards(&info, boards));
        let proof = if self.table.metric() == Metric::Dtw { Proof::Derived } else { Proof::Consistent };
        Ok(ClassReport { info, checked, proof, seconds, counted, statistics: None })
    }

    /// The report of a class whose WDL entries were compared.
    pub(super) fn compared(&self, class: u8, checked: CheckedBoards, seconds: f64) -> Result<ClassReport, VerifyError> {
        let wdl = self.wdl.unwrap_or(self.table);
        let info = self.info(wdl, class).ok_or_else(|| self.missing(class))?.clone();
        Ok(ClassReport { info, checked, proof: Proof::Compared, seconds, counted: None, statistics: None })
    }

    fn derive(
        &self,
        solution: &Solution,
        class: u8,
        context: Context<'_>,
        counter: &Counter<'_>,
    ) -> Result<ClassReport, VerifyError> {
        let begun = Instant::now();
        let (_, values) = self.loaded(solution, class)?;
        let (checked, stored) = self.derive_span(solution, class, 0..values.len(), counter)?;
        let seconds = begun.elapsed().as_secs_f64();
        let mut report = self.derived(class, checked, stored, seconds)?;
        if self.statistics && !context.is_cancelled() {
            let before = counter.done();
            let watch = |done: u64| counter.raise_to(before + COUNT * done);
            let complete = self.stages() == self.game.stages().len();
            report.statistics = class_statistics(&**self.game, class, values, complete, self.threads, &watch);
        }
        if context.is_cancelled() {
            return Err(VerifyError::Cancelled);
        }
        Ok(report)
    }

    fn compare(
        &self,
        solution: &Solution,
        class: u8,
        context: Context<'_>,
        counter: &Counter<'_>,
    ) -> Result<ClassReport, VerifyError> {
        let begun = Instant::now();
        let (_, values) = self.loaded(solution, class)?;
        let checked = self.compare_span(solution, class, 0..values.len(), counter)?;
        let seconds = begun.elapsed().as_secs_f64();
        if context.is_cancelled() {
            return Err(VerifyError::Cancelled);
        }
        self.compared(class, checked, seconds)
    }

    fn scan(&self, class: u8, span: Range<usize>, weight: u64) -> ClassScan {
        ClassScan { class, span, step: self.step, threads: self.threads, weight }
    }

    fn loaded<'s>(
        &'s self,
        solution: &'s Solution,
        class: u8,
    ) -> Result<(&'s ClassInfo, &'s ClassValues), VerifyError> {
        let both = self.info(self.table, class).zip(solution.class(class));
        both.ok_or_else(|| self.missing(class))
    }

    fn missing(&self, class: u8) -> VerifyError {
        let (dir, class) = (self.table.dir().to_owned(), self.game.class_name(class));
        TablebaseError::MissingClass { dir, class }.into()
    }
}

/// The part of these values that later stages need. Untouched pages take no memory.
fn only_first(values: &ClassValues) -> io::Result<ClassValues> {
    let mut kept = ClassValues::new(values.len())?;
    kept.first.copy_from_slice(&values.first);
    Ok(kept)
}
