//! The engine `expert`: iterative deepening until the time is up or the position is solved.

use std::time::Instant;

use tesuji_game::{Game, MoveList, Record};
use tesuji_othello::{Move, Moves, Othello};
use tesuji_search::clock::{Lag, TimeBudget};
use tesuji_search::{Bound, CancelToken, Choice, Engine, Limits, PvLine, ReportSource, SearchReport, Time, Value};

use super::iterate::{EngineIteration, SearchDraft, Selectivity, Strength, WldTiming, engine_iterations};
use super::kernel::Kernel;
use super::node::PatternNode;
use super::solver::{Goal, KernelTask, OUTCOME_BOUNDS, SCORE_BOUNDS, Solver};
use super::thread::{SearchThread, StopCondition};
use crate::book::{BookLine, BookSource};

/// From this many empties on a position is solved in the time of a few moves.
const SOLVABLE_EMPTIES: u32 = 16;

/// Plays from the opening book, by the midgame search, and perfectly in the endgame.
#[derive(Debug)]
pub struct OthelloEngine {
    solver: Solver,
    strength: Option<Strength>,
    solve_empties: u32,
    wld_empties: Option<u32>,
    book: BookSource<Othello>,
}

impl OthelloEngine {
    /// An engine with this solver, limited to a level of play if one is given.
    pub fn new(solver: Solver, strength: Option<Strength>) -> OthelloEngine {
        OthelloEngine { solver, strength, solve_empties: 0, wld_empties: None, book: BookSource::None }
    }

    /// Solves from this many empties on, whatever the level and the depth.
    #[must_use]
    pub fn solve_from(self, empties: u32) -> OthelloEngine {
        OthelloEngine { solve_empties: empties, ..self }
    }

    /// Solves the outcome (WLD) from this many empties on.
    #[must_use]
    pub fn wld_from(self, empties: u32) -> OthelloEngine {
        OthelloEngine { wld_empties: Some(empties), ..self }
    }

    /// Plays the moves of an opening book without a search.
    #[must_use]
    pub fn with_book(self, book: BookSource<Othello>) -> OthelloEngine {
        OthelloEngine { book, ..self }
    }

    /// The line of the book. A move that leaves the book is left to the search, unless the search would be no deeper than
    /// the book's.
    fn book_line(&self, game: &Othello, limits: &Limits) -> Option<BookLine<Move>> {
        if limits.ignore_book || limits.lines > 1 {
            return None;
        }
        self.book.line(game, |depth| {
            let target = self.target(game.empties().count_ones(), limits);
            (depth.plies, u32::from(depth.percent)) >= (target.depth, target.selectivity.percent())
        })
    }

    /// When to solve the outcome.
    fn wld_timing(&self, empties: u32, limits: &Limits) -> WldTiming {
        let level = self.strength.filter(|_| limits.depth.is_none()).map_or(0, Strength::exact_empties);
        let default = || match level.max(self.solve_empties) {
            0 => 0,
            exact => exact + Strength::WLD_LEAD,
        };
        if limits.lines > 1 {
            WldTiming::Never
        } else if empties <= self.wld_empties.unwrap_or_else(default) {
            WldTiming::InsteadOfScore
        } else if limits.time.is_some() {
            WldTiming::BeforeScore
        } else {
            WldTiming::Never
        }
    }

    /// The draft of the last iteration.
    fn target(&self, empties: u32, limits: &Limits) -> SearchDraft {
        let exact = SearchDraft::exact(empties);
        if empties <= self.solve_empties {
            return exact;
        }
        let target = self.strength.map_or(exact, |strength| strength.draft(empties));
        match limits.depth {
            Some(depth) if depth < empties && depth < u32::from(target.depth) => {
                SearchDraft { depth: depth as u8, ..target }
            }
            _ => target,
        }
    }
}

/// The time for one move: the remaining time is divided among the moves until the game can be solved, and a few more.
fn budget(time: Time, empties: u32) -> TimeBudget {
    let moves = empties.saturating_sub(SOLVABLE_EMPTIES) / 2 + 3;
    TimeBudget::for_moves(time, Lag::known().margin(), moves)
}

impl Engine<Othello> for OthelloEngine {
    fn think(
        &mut self,
        record: &Record<Othello>,
        limits: &Limits,
        stop: &CancelToken,
        watch: &mut dyn FnMut(&SearchReport<Move>),
    ) -> Choice<Move> {
        let start = limits.started.unwrap_or_else(Instant::now);
        let mut list = Moves::default();
        let mut game = *record.now();
        game.moves(&mut list);
        let Some(first) = list.each().next().filter(|_| record.ending().is_none()) else {
            return Choice::Over;
        };
        if let Some(choice) = self.book_line(&game, limits).and_then(|line| line.play::<Othello>(start, watch)) {
            return choice;
        }
        let empties = game.empties().count_ones();
        let budget = limits.time.map(|time| budget(time, empties));
        let hard = budget.map(|budget| budget.hard);
        let target = self.target(empties, limits);
        self.solver.new_search(target);
        let pv = self.solver.dispatch(MoveSearch {
            position: PatternNode::new(game.own(), game.other()),
            legal_moves: list.len(),
            lines: limits.lines.clamp(1, list.len()),
            iterations: engine_iterations(empties, target, self.wld_timing(empties, limits)),
            condition: &StopCondition::new(stop).limited(start, hard, limits.nodes),
            start,
            budget,
            on_iteration: watch,
        });
        if let Some(hard) = hard {
            Lag::record(start.elapsed().saturating_sub(hard));
        }
        Choice::Move { mv: pv.first().copied().unwrap_or(first), reply: pv.get(1).copied() }
    }

    fn forget(&mut self) {
        self.solver.clear();
    }
}

/// The search for one move of a game.
struct MoveSearch<'a> {
    position: PatternNode,
    legal_moves: usize,
    lines: usize,
    iterations: Vec<EngineIteration>,
    condition: &'a StopCondition<'a>,
    start: Instant,
    budget: Option<TimeBudget>,
    on_iteration: &'a mut dyn FnMut(&SearchReport<Move>),
}

impl KernelTask for MoveSearch<'_> {
    /// The principal variation of the last complete iteration.
    type Output = Vec<Move>;

    fn run<K: Kernel>(self, kernel: K, solver: &Solver) -> Vec<Move> {
        let MoveSearch { position, legal_moves, lines, iterations, condition, start, budget, on_iteration } = self;
        let mut state = IterationState { pv: Vec::new(), score: 0, guesses: Vec::new(), stable: 0, falling: false };
        solver.run_threads(kernel, &position, condition, |search| {
            state.guesses = vec![search.evaluate(&position); lines];
            for EngineIteration { draft, goal } in iterations {
                let lines = match goal {
                    Goal::Score => state.search_scores(search, &position, draft),
                    Goal::Outcome => state.search_outcome(search, &position, draft),
                };
                if search.stopped {
                    return;
                }
                let (nodes, time, depth) = (search.nodes, start.elapsed(), u32::from(draft.depth));
                let source = ReportSource::Search;
                on_iteration(&SearchReport { depth, seldepth: depth, nodes, time, hashfull: None, lines, source });
                let enough = |budget: TimeBudget| legal_moves == 1 || budget.enough(time, state.stable, state.falling);
                if budget.is_some_and(enough) {
                    return;
                }
            }
        });
        state.pv
    }
}

/// What the complete iterations found.
struct IterationState {
    /// The principal variation of the last one.
    pv: Vec<Move>,
    /// Its score.
    score: i32,
    /// The score of each line (multi-PV), not sorted.
    guesses: Vec<i32>,
    /// Iterations that did not change the best move.
    stable: u32,
    /// The last iteration lowered the score by much.
    falling: bool,
}

impl IterationState {
    /// An iteration for the scores of the best lines (multi-PV).
    fn search_scores<K: Kernel>(
        &mut self,
        search: &mut SearchThread<'_, K>,
        position: &PatternNode,
        draft: SearchDraft,
    ) -> Vec<PvLine<Move>> {
        let mut found: Vec<(i32, Vec<Move>)> = Vec::with_capacity(self.guesses.len());
        let mut excluded = 0;
        for guess in &mut self.guesses {
            let mut pv = Vec::new();
            *guess = search.aspiration_search(position, draft, *guess, SCORE_BOUNDS, excluded, &mut pv);
            if search.stopped {
                return Vec::new();
            }
            excluded |= pv.first().and_then(|mv| mv.square()).map_or(0, |square| square.bit());
            found.push((*guess, pv));
        }
        found.sort_by_key(|(score, _)| std::cmp::Reverse(*score));
        let (score, pv) = &found[0];
        self.falling = *score < self.score - 2;
        self.stable = if pv.first() == self.pv.first() { self.stable + 1 } else { 0 };
        (self.score, self.pv) = (*score, pv.clone());
        let solved = draft.covers(SearchDraft::exact(position.node.empties));
        found.into_iter().map(|(score, pv)| PvLine { solved, ..report_line(score, pv) }).collect()
    }

    /// An iteration for the outcome (WLD). A selective one only fills the transposition table.
    fn search_outcome<K: Kernel>(
        &mut self,
        search: &mut SearchThread<'_, K>,
        position: &PatternNode,
        draft: SearchDraft,
    ) -> Vec<PvLine<Move>> {
        let mut pv = Vec::new();
        let score = search.aspiration_search(position, draft, self.score, OUTCOME_BOUNDS, 0, &mut pv);
        if search.stopped || draft.selectivity < Selectivity::EXACT {
            return vec![report_line(self.score, self.pv.clone())];
        }
        // In a lost position the move with the best score so far is kept.
        if score >= 0 {
            self.pv = pv;
        }
        let bound = [Bound::Upper, Bound::Exact, Bound::Lower][(score.signum() + 1) as usize];
        // Final scores are even.
        vec![PvLine { bound, solved: true, ..report_line(2 * score.signum(), self.pv.clone()) }]
    }
}

/// A line with its score in hundredths of a disc. Exact scores and estimates have the same scale, so that losses can be
/// computed from one to the other.
fn report_line(score: i32, moves: Vec<Move>) -> PvLine<Move> {
    PvLine { value: Value::estimate(100 * score), bound: Bound::Exact, moves, rate: None, prior: None, solved: false }
}
