//! Every entry of a table against those after it, stage by stage in bounded memory.
//!
//! A move that can be taken back stays within its stage, so of earlier stages only the values with nothing forbidden are
//! asked for: one byte a board is kept of them.

use std::io;
use std::sync::Arc;
use std::time::Instant;

use tesuji_game::{NO_MOVE, PerfectIndex};
use tesuji_solve::retrograde::{
    ClassStatistics, ClassValues, Solution, ValueMismatch, class_statistics, verify,
};
use tesuji_solve::tablebase::{ClassInfo, Metric, Tablebase, TablebaseError};

use super::crew::Gauge;
use super::{interrupted, outcomes};
use crate::failure::{Done, Failure};
use crate::think;

/// Wrong entries that are shown of a class.
pub(super) const SHOWN: usize = 5;

/// How long deriving an entry takes beside reading it.
const DERIVE: u64 = 8;
/// The same for comparing it, and for counting it.
const COMPARE: u64 = 3;
const COUNT: u64 = 12;

/// Which numbers to look at, and how.
pub(super) struct Span {
    pub(super) class: u8,
    pub(super) step: u32,
    pub(super) threads: usize,
    /// What a board is on the bar.
    pub(super) weight: u64,
}

/// What looking at boards gave.
#[derive(Default)]
pub(super) struct Looked {
    pub(super) boards: u64,
    pub(super) wrong: u64,
    /// The first wrong ones.
    pub(super) shown: Vec<ValueMismatch>,
}

/// Why entries are believed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Proof {
    /// Each follows from those after it, plies and all: nothing else does.
    Derived,
    /// Each follows from those after it, without plies.
    Consistent,
    /// Each says what the table with plies says.
    Compared,
}

/// What became of a class.
pub(super) struct Class {
    pub(super) facts: ClassInfo,
    pub(super) looked: Looked,
    pub(super) proof: Proof,
    pub(super) seconds: f64,
    /// Numbers by their value with nothing forbidden, and how many have an exception.
    pub(super) counted: Option<(Vec<u64>, u64)>,
    pub(super) census: Option<ClassStatistics>,
}

/// What to do with a table.
pub(super) struct Walk<'w, R: PerfectIndex> {
    pub(super) game: &'w Arc<R>,
    pub(super) table: &'w Tablebase<R>,
    /// A table without plies of the same boards, to be compared.
    pub(super) beside: Option<&'w Tablebase<R>>,
    /// Which classes to look at.
    pub(super) wanted: &'w dyn Fn(&ClassInfo) -> bool,
    pub(super) step: u32,
    pub(super) threads: usize,
    pub(super) census: bool,
}

impl<R: PerfectIndex + Send> Walk<'_, R> {
    /// How many stages have to be loaded: up to the last of which something is wanted, as far as all classes are there.
    pub(super) fn stages(&self) -> usize {
        let stages = self.game.stages();
        let there = stages.iter().take_while(|classes| classes.iter().all(|&class| self.table.has(class)));
        let there = there.count();
        let wanted = |class: &u8| self.wants(self.table, *class) || self.compares(*class);
        stages[..there].iter().rposition(|classes| classes.iter().any(wanted)).map_or(0, |last| last + 1)
    }

    /// Classes that are wanted and cannot be looked at, as others that their moves lead to are missing.
    pub(super) fn left(&self) -> Vec<String> {
        let stages = self.game.stages();
        let there =
            stages.iter().take_while(|classes| classes.iter().all(|&class| self.table.has(class))).count();
        let beyond = stages[there..].iter().flat_map(|classes| classes.iter());
        let wanted = beyond.filter(|class| self.wants(self.table, **class));
        wanted.map(|&class| self.game.class_name(class)).collect()
    }

    /// The most bytes it takes at any moment.
    pub(super) fn memory(&self) -> u64 {
        let (mut earlier, mut peak) = (0, 0);
        let stages = self.stages();
        for (stage, classes) in self.game.stages()[..stages].iter().enumerate() {
            let sizes = classes.iter().map(|&class| u64::from(self.game.size(class)));
            let boards: u64 = sizes.clone().sum();
            // One byte of a class is copied before its three go.
            let copy = if stage + 1 < stages { sizes.max().unwrap_or(0) } else { 0 };
            peak = peak.max(earlier + 3 * boards + copy);
            earlier += boards;
        }
        peak
    }

    /// How long the bar is.
    pub(super) fn length(&self) -> u64 {
        let classes = self.game.stages()[..self.stages()].iter().flat_map(|classes| classes.iter());
        let weight = |class: u8| {
            let derive = if self.wants(self.table, class) { DERIVE } else { 0 };
            let compare = if self.compares(class) { COMPARE } else { 0 };
            let count = if self.census { COUNT } else { 0 };
            let size = u64::from(self.game.size(class));
            size + size / u64::from(self.step) * (derive + compare) + size * count
        };
        classes.map(|&class| weight(class)).sum()
    }

    fn facts<'t>(&self, table: &'t Tablebase<R>, class: u8) -> Option<&'t ClassInfo> {
        table.info().find(|facts| facts.class == class)
    }

    fn wants(&self, table: &Tablebase<R>, class: u8) -> bool {
        self.facts(table, class).is_some_and(self.wanted)
    }

    fn compares(&self, class: u8) -> bool {
        self.table.has(class) && self.beside.is_some_and(|beside| self.wants(beside, class))
    }

    /// Looks at all that is wanted, and tells of each class as soon as it is done.
    pub(super) fn run(&self, gauge: &Gauge, tell: &mut dyn FnMut(Class) -> Done) -> Done {
        let mut solution = Solution::default();
        let stages = self.stages();
        for (stage, classes) in self.game.stages()[..stages].iter().enumerate() {
            for &class in *classes {
                solution.insert(class, self.table.values(class, self.threads).map_err(failed)?);
                if !gauge.add(self.game.size(class).into()) {
                    return Err(interrupted());
                }
            }
            for &class in *classes {
                if self.wants(self.table, class) {
                    tell(self.derive(&solution, class, gauge)?)?;
                }
                if self.compares(class) {
                    tell(self.compare(&solution, class, gauge)?)?;
                }
            }
            for &class in classes.iter().filter(|_| stage + 1 < stages) {
                if let Some(values) = solution.class(class) {
                    let kept = only_first(values).map_err(TablebaseError::Allocation).map_err(failed)?;
                    solution.insert(class, kept);
                }
            }
        }
        Ok(())
    }

    fn derive(&self, solution: &Solution, class: u8, gauge: &Gauge) -> Result<Class, Failure> {
        let begun = Instant::now();
        let (facts, values) = self.loaded(solution, class)?;
        let (looked, proof) = if self.table.metric() == Metric::Dtw {
            let before = gauge.done();
            let watch = |done: u64| gauge.reach(before + DERIVE * done);
            let (boards, mut wrong) =
                verify(&**self.game, solution, class, self.step, self.threads, &watch).map_err(failed)?;
            let count = wrong.len() as u64;
            wrong.truncate(SHOWN);
            (Looked { boards, wrong: count, shown: wrong }, Proof::Derived)
        } else {
            let looked = outcomes::derive(&**self.game, solution, &self.span(class, DERIVE), gauge);
            (looked.map_err(failed)?, Proof::Consistent)
        };
        let mut counted = vec![0; 256];
        values.first.iter().for_each(|&value| counted[usize::from(value)] += 1);
        // Numbers without a board are worth 0 and are no draws.
        let boards = if self.step == 1 { looked.boards } else { facts.boards };
        counted[0] = (counted[0] + boards).saturating_sub(facts.size.into());
        let exceptions = values.mv.iter().filter(|&&mv| mv != NO_MOVE).count() as u64;
        let seconds = begun.elapsed().as_secs_f64();
        let mut census_of = None;
        if self.census && !think::interrupted() {
            let before = gauge.done();
            let watch = |done: u64| gauge.reach(before + COUNT * done);
            let whole = self.stages() == self.game.stages().len();
            census_of = class_statistics(&**self.game, class, values, whole, self.threads, &watch);
        }
        if think::interrupted() {
            return Err(interrupted());
        }
        let counted = Some((counted, exceptions));
        Ok(Class { facts: facts.clone(), looked, proof, seconds, counted, census: census_of })
    }

    fn compare(&self, solution: &Solution, class: u8, gauge: &Gauge) -> Result<Class, Failure> {
        let begun = Instant::now();
        let (_, values) = self.loaded(solution, class)?;
        let beside = self.beside.unwrap_or(self.table);
        let looked = outcomes::compare(&**self.game, beside, values, &self.span(class, COMPARE), gauge);
        let (looked, seconds) = (looked.map_err(failed)?, begun.elapsed().as_secs_f64());
        if think::interrupted() {
            return Err(interrupted());
        }
        let facts = self.facts(beside, class).ok_or_else(|| missing(&self.game.class_name(class)))?.clone();
        Ok(Class { facts, looked, proof: Proof::Compared, seconds, counted: None, census: None })
    }

    fn span(&self, class: u8, weight: u64) -> Span {
        Span { class, step: self.step, threads: self.threads, weight }
    }

    fn loaded<'s>(
        &'s self,
        solution: &'s Solution,
        class: u8,
    ) -> Result<(&'s ClassInfo, &'s ClassValues), Failure> {
        let both = self.facts(self.table, class).zip(solution.class(class));
        both.ok_or_else(|| missing(&self.game.class_name(class)))
    }
}

fn missing(class: &str) -> Failure {
    Failure::Failed(format!("class {class} is not in the table"))
}

pub(super) fn failed(error: impl std::fmt::Display) -> Failure {
    Failure::Failed(error.to_string())
}

/// What later stages ask of these values. Pages that were never written take no memory.
fn only_first(values: &ClassValues) -> io::Result<ClassValues> {
    let mut kept = ClassValues::new(values.len())?;
    kept.first.copy_from_slice(&values.first);
    Ok(kept)
}
