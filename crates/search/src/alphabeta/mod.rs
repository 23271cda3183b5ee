//! Alpha-beta: iterative deepening, principal variation search, one table for all threads.
//!
//! `deepen` asks `root` for one iteration after another, `root` and `node` go down through `descend`, and
//! `quiesce` looks beyond the last ply. What a value rests on travels with it (`found`), so that a repetition
//! on one path never enters the table as if it held on all (`trail`).

mod busy;
mod deepen;
mod descend;
mod found;
mod node;
mod quiesce;
mod root;
mod trail;
mod worker;

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::thread;
use std::time::{Duration, Instant};

use tesuji_game::{Game, Move, MoveList, Record};

use crate::clock::{Budget, Lag};
use crate::order::History;
use crate::table::Table;
use crate::{CancelToken, Choice, Engine, Eval, Heuristics, Limits, NoHeuristics, Report};
use busy::Busy;
use deepen::{DEEPEST, Plan};
use root::RootMove;
use worker::{Shared, Worker};

/// Means of a search that do not change what it finds, only how soon.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Means {
    /// Size of the table; 0 for none.
    pub hash_mib: usize,
    /// Threads that search together; one is deterministic.
    pub threads: usize,
}

impl Default for Means {
    fn default() -> Means {
        Means { hash_mib: 64, threads: 1 }
    }
}

/// How the root asks for the value of an iteration.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Driver {
    /// Principal variation search in a window round the value of the last iteration.
    #[default]
    Pvs,
    /// MTD(f): null windows that close in on the value. It needs the table.
    Mtdf,
}

/// An engine that searches by alpha-beta.
///
/// The table and what was learned about moves are kept from move to move, until [`Engine::forget`].
#[derive(Debug)]
pub struct AlphaBeta<E, C = NoHeuristics> {
    eval: E,
    craft: C,
    means: Means,
    driver: Driver,
    strict: bool,
    table: Option<Table>,
    histories: Vec<History>,
}

impl<E, C> AlphaBeta<E, C> {
    /// An engine of this evaluation and craft. Memory for the table is taken when it is first needed.
    pub fn new(eval: E, craft: C, means: Means) -> AlphaBeta<E, C> {
        AlphaBeta {
            eval,
            craft,
            means,
            driver: Driver::default(),
            strict: false,
            table: None,
            histories: Vec::new(),
        }
    }

    /// The same engine with another driver.
    #[must_use]
    pub fn with_driver(self, driver: Driver) -> AlphaBeta<E, C> {
        AlphaBeta { driver, ..self }
    }

    /// The same engine, believing of the table only what was searched to the very depth asked for: slower,
    /// and with the value that a search without any table has.
    #[must_use]
    pub fn with_strict_table(self) -> AlphaBeta<E, C> {
        AlphaBeta { strict: true, ..self }
    }

    /// Its means.
    pub fn means(&self) -> Means {
        self.means
    }

    /// Its evaluation.
    pub fn eval(&self) -> &E {
        &self.eval
    }

    /// Gives it other means; a table of another size begins empty.
    pub fn set_means(&mut self, means: Means) {
        if means.hash_mib != self.means.hash_mib {
            self.table = None;
        }
        self.means = means;
    }

    /// Makes room for what a search needs; nothing happens when it is there.
    fn prepare(&mut self) {
        if self.means.hash_mib > 0 && self.table.is_none() {
            self.table = Some(Table::new(self.means.hash_mib));
        }
        self.histories.resize_with(self.means.threads.max(1), History::default);
    }
}

/// Halts every thread when the search is left, even by a panic.
struct Halt<'a>(&'a AtomicBool);

impl Drop for Halt<'_> {
    fn drop(&mut self) {
        self.0.store(true, Relaxed);
    }
}

impl<G: Game, E: Eval<G>, C: Heuristics<G, E>> Engine<G> for AlphaBeta<E, C> {
    /// A single legal move is played after the first iteration when a clock runs.
    fn think(
        &mut self,
        record: &Record<G>,
        limits: &Limits,
        stop: &CancelToken,
        watch: &mut dyn FnMut(&Report<G::Move>),
    ) -> Choice<G::Move> {
        let begun = limits.begun.unwrap_or_else(Instant::now);
        let roots = root_moves(record, &self.craft);
        if record.ending().is_some() || roots.is_empty() {
            return Choice::Over;
        }
        self.prepare();
        let terms = self.craft.prepare(record.path());
        if let Some(table) = &mut self.table {
            if terms.changed {
                table.clear();
            }
            table.grow_older();
        }
        self.histories.iter_mut().for_each(History::fade);
        let budget = limits.time.map(|time| Budget::new(time, Lag::known().margin()));
        let plan = Plan {
            depth: limits.depth.unwrap_or(DEEPEST).clamp(1, DEEPEST),
            lines: limits.lines.clamp(1, roots.len()),
            driver: self.driver,
            budget,
        };
        let shared = Shared {
            eval: &self.eval,
            craft: &self.craft,
            table: self.table.as_ref(),
            busy: Busy::new(self.histories.len()),
            strict: self.strict,
            stop,
            halt: AtomicBool::new(false),
            nodes: AtomicU64::new(0),
            node_limit: limits.nodes,
            begun,
            budget,
            pause: AtomicU64::new(0),
            last: terms.left.map_or(usize::MAX, |left| left as usize),
        };
        let first = roots.first().map(|root| root.mv);
        let found = search(&shared, &mut self.histories, record, roots, &plan, watch);
        if let Some(budget) = budget {
            let pause = Duration::from_micros(shared.pause.load(Relaxed));
            Lag::tell(pause.max(begun.elapsed().saturating_sub(budget.hard)));
        }
        let line = found.or_else(|| first.map(|mv| vec![mv])).unwrap_or_default();
        match line[..] {
            [mv, ..] => Choice::Move { mv, reply: line.get(1).copied() },
            [] => Choice::Over,
        }
    }

    fn forget(&mut self) {
        self.prepare();
        if let Some(table) = &mut self.table {
            table.clear();
        }
        self.histories.iter_mut().for_each(History::clear);
    }
}

/// The moves at the root, as the craft would try them.
fn root_moves<G: Game, E: Eval<G>, C: Heuristics<G, E>>(
    record: &Record<G>,
    craft: &C,
) -> Vec<RootMove<G::Move>> {
    let mut game = record.now().clone();
    let mut list = G::Moves::default();
    game.moves(&mut list);
    let mut moves: Vec<G::Move> = list.each().collect();
    moves.sort_by_key(|&mv| (std::cmp::Reverse(craft.hint(&game, mv)), mv.to_bits()));
    moves.into_iter().map(RootMove::new).collect()
}

/// Searches with as many threads as there are histories; the first one reports.
fn search<G: Game, E: Eval<G>, C: Heuristics<G, E>>(
    shared: &Shared<'_, E, C>,
    histories: &mut [History],
    record: &Record<G>,
    roots: Vec<RootMove<G::Move>>,
    plan: &Plan,
    watch: &mut dyn FnMut(&Report<G::Move>),
) -> Option<Vec<G::Move>> {
    let (own, others) = histories.split_first_mut()?;
    thread::scope(|scope| {
        let halt = Halt(&shared.halt);
        let helpers: Vec<_> = others
            .iter_mut()
            .filter_map(|history| {
                let plan = Plan { depth: DEEPEST, lines: 1, driver: plan.driver, budget: None };
                let (record, roots) = (record.clone(), roots.clone());
                let worker = move || Worker::new(shared, history, &record, roots);
                let run = move || drop(worker().deepen(&plan, |_| ()));
                // A system that has no more threads to give leaves us with those we have.
                thread::Builder::new().spawn_scoped(scope, run).ok()
            })
            .collect();
        let found = Worker::new(shared, own, record, roots.clone()).deepen(plan, watch);
        drop(halt);
        for helper in helpers {
            // A helper that panicked has told its part through the table or not at all.
            let _ = helper.join();
        }
        found
    })
}
