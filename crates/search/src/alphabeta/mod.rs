//! Alpha-beta search: iterative deepening, principal variation search, one transposition table for all threads.
//!
//! Start reading at `iterative_deepening`. It calls `root` for every iteration, `root` calls `search` for every move,
//! and `search` calls `qsearch` at depth 0. Threads share the transposition table and defer moves by simplified ABDADA
//! (`abdada`). Every result carries what it depends on (`result`), so that a repetition on one path does not enter the
//! table (graph-history interaction).

mod abdada;
mod iterative_deepening;
mod move_ordering;
mod move_picker;
mod qsearch;
mod result;
mod root;
mod search;
mod staged_qsearch;
mod worker;

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::thread;
use std::time::{Duration, Instant};

use tesuji_game::{Game, Move, MoveList, Record};

use crate::clock::{Lag, TimeBudget};
use crate::ordering::History;
use crate::tt::TranspositionTable;
use crate::{CancelToken, Choice, Engine, Eval, Heuristics, Limits, NoHeuristics, SearchReport};
use abdada::Abdada;
use iterative_deepening::{DeepeningLimits, MAX_DEPTH};
use root::RootMove;
use worker::{SharedState, Worker};

/// Resources of a search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct AlphaBetaOptions {
    /// Size of the transposition table; 0 for none.
    pub hash_mib: usize,
    /// Number of threads. A search with one is deterministic.
    pub threads: usize,
}

impl Default for AlphaBetaOptions {
    fn default() -> AlphaBetaOptions {
        AlphaBetaOptions { hash_mib: 64, threads: 1 }
    }
}

/// How an iteration finds its value.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum RootDriver {
    /// Principal variation search in an aspiration window.
    #[default]
    Pvs,
    /// MTD(f): null-window searches that converge to the value. Needs the transposition table.
    Mtdf,
}

/// An alpha-beta engine. It keeps its transposition table and history from move to move, until [`Engine::forget`].
#[derive(Debug)]
pub struct AlphaBeta<E, H = NoHeuristics> {
    eval: E,
    heuristics: H,
    options: AlphaBetaOptions,
    driver: RootDriver,
    strict: bool,
    tt: Option<TranspositionTable>,
    histories: Vec<History>,
}

impl<E, H> AlphaBeta<E, H> {
    /// An engine with this evaluation and these heuristics. The transposition table is allocated at first use.
    pub fn new(eval: E, heuristics: H, options: AlphaBetaOptions) -> AlphaBeta<E, H> {
        AlphaBeta {
            eval,
            heuristics,
            options,
            driver: RootDriver::default(),
            strict: false,
            tt: None,
            histories: Vec::new(),
        }
    }

    /// The same engine with another driver.
    #[must_use]
    pub fn with_driver(self, driver: RootDriver) -> AlphaBeta<E, H> {
        AlphaBeta { driver, ..self }
    }

    /// The same engine, using only TT entries of exactly the wanted depth. Slower, but the value equals that of a search
    /// without a transposition table.
    #[must_use]
    pub fn with_strict_tt(self) -> AlphaBeta<E, H> {
        AlphaBeta { strict: true, ..self }
    }

    /// The evaluation.
    pub fn eval(&self) -> &E {
        &self.eval
    }

    /// Allocates the transposition table and the histories if they are missing.
    fn allocate(&mut self) {
        if self.options.hash_mib > 0 && self.tt.is_none() {
            self.tt = Some(TranspositionTable::new(self.options.hash_mib));
        }
        self.histories.resize_with(self.options.threads.max(1), History::default);
    }
}

/// Aborts every thread when the search is left, even by a panic.
struct AbortOnDrop<'a>(&'a AtomicBool);

impl Drop for AbortOnDrop<'_> {
    fn drop(&mut self) {
        self.0.store(true, Relaxed);
    }
}

impl<G: Game, E: Eval<G>, H: Heuristics<G, E>> Engine<G> for AlphaBeta<E, H> {
    /// With a time control, a single legal move is searched for a tenth of its time and at most a second: long enough
    /// for a value.
    fn think(
        &mut self,
        record: &Record<G>,
        limits: &Limits,
        stop: &CancelToken,
        watch: &mut dyn FnMut(&SearchReport<G::Move>),
    ) -> Choice<G::Move> {
        let started = limits.started.unwrap_or_else(Instant::now);
        let roots = root_moves(record, &self.heuristics);
        if record.ending().is_some() || roots.is_empty() {
            return Choice::Over;
        }
        self.allocate();
        let setup = self.heuristics.prepare(record.path());
        if let Some(tt) = &mut self.tt {
            if setup.clear_stored {
                tt.clear();
            }
            tt.new_search();
        }
        let corrects = self.heuristics.correction_key(record.now()).is_some();
        for history in &mut self.histories {
            history.allocate(H::STAGED, corrects);
            history.age();
        }
        let budget = limits.time.map(|time| TimeBudget::new(time, Lag::known().margin()));
        let budget = if roots.len() == 1 { budget.map(TimeBudget::of_single_move) } else { budget };
        let deepening = DeepeningLimits {
            depth: limits.depth.unwrap_or(MAX_DEPTH).clamp(1, MAX_DEPTH),
            lines: limits.lines.clamp(1, roots.len()),
            driver: self.driver,
            budget,
        };
        let shared = SharedState {
            eval: &self.eval,
            heuristics: &self.heuristics,
            tt: self.tt.as_ref(),
            abdada: Abdada::new(self.histories.len()),
            strict: self.strict,
            stop,
            abort: AtomicBool::new(false),
            nodes: AtomicU64::new(0),
            node_limit: limits.nodes,
            started,
            budget,
            max_pause: AtomicU64::new(0),
            draw_ply: setup.draw_in.map_or(usize::MAX, |plies| plies as usize),
        };
        let first = roots.first().map(|root| root.mv);
        let found = search(&shared, &mut self.histories, record, roots, &deepening, watch);
        if let Some(budget) = budget {
            let pause = Duration::from_micros(shared.max_pause.load(Relaxed));
            Lag::record(pause.max(started.elapsed().saturating_sub(budget.hard)));
        }
        let pv = found.or_else(|| first.map(|mv| vec![mv])).unwrap_or_default();
        match pv[..] {
            [mv, ..] => Choice::Move { mv, reply: pv.get(1).copied() },
            [] => Choice::Over,
        }
    }

    fn forget(&mut self) {
        self.allocate();
        if let Some(tt) = &mut self.tt {
            tt.clear();
        }
        self.histories.iter_mut().for_each(History::clear);
    }
}

/// The root moves, ordered by the heuristics.
fn root_moves<G: Game, E: Eval<G>, H: Heuristics<G, E>>(record: &Record<G>, heuristics: &H) -> Vec<RootMove<G::Move>> {
    let mut game = record.now().clone();
    let mut list = G::Moves::default();
    game.moves(&mut list);
    let mut moves: Vec<G::Move> = list.each().collect();
    moves.sort_by_key(|&mv| (std::cmp::Reverse(heuristics.score_move(&game, mv)), mv.to_bits()));
    moves.into_iter().map(RootMove::new).collect()
}

/// Searches with one thread per history. The main thread reports; the helper threads fill the transposition table.
fn search<G: Game, E: Eval<G>, H: Heuristics<G, E>>(
    shared: &SharedState<'_, E, H>,
    histories: &mut [History],
    record: &Record<G>,
    roots: Vec<RootMove<G::Move>>,
    limits: &DeepeningLimits,
    watch: &mut dyn FnMut(&SearchReport<G::Move>),
) -> Option<Vec<G::Move>> {
    let (own, others) = histories.split_first_mut()?;
    thread::scope(|scope| {
        let abort = AbortOnDrop(&shared.abort);
        let helpers: Vec<_> = others
            .iter_mut()
            .filter_map(|history| {
                let limits = DeepeningLimits { depth: MAX_DEPTH, lines: 1, driver: limits.driver, budget: None };
                let (record, roots) = (record.clone(), roots.clone());
                let worker = move || Worker::new(shared, history, &record, roots);
                let run = move || drop(worker().iterative_deepening(&limits, |_| ()));
                // If the system refuses a thread, the search goes on with those it has.
                thread::Builder::new().spawn_scoped(scope, run).ok()
            })
            .collect();
        let pv = Worker::new(shared, own, record, roots.clone()).iterative_deepening(limits, watch);
        drop(abort);
        for helper in helpers {
            // A panic of a helper thread does not invalidate the result of the main thread.
            let _ = helper.join();
        }
        pv
    })
}
