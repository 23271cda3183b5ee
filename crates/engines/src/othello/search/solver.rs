//! The solver: iterative deepening to the end of the game, or to a depth, on several threads.

use tesuji_game::{Game, MoveList};
use tesuji_othello::{Move, Moves, Othello, mobility};
use tesuji_search::CancelToken;

use super::super::pattern::PatternEval;
use super::super::probcut::ProbCutParameters;
use super::hash::HashTable;
use super::iterate::{SearchDraft, Selectivity, Strength, iterations};
use super::kernel::{Kernel, PortableKernel};
use super::midgame::EVAL_EMPTIES;
use super::node::PatternNode;
use super::probcut::ProbCutMargins;
use super::split::SplitPool;
use super::thread::{SearchThread, StopCondition};

/// The bounds of a search for the score.
pub(super) const SCORE_BOUNDS: (i32, i32) = (-65, 65);
/// The bounds of a search for the outcome.
pub(super) const OUTCOME_BOUNDS: (i32, i32) = (-1, 1);

/// What to solve.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Goal {
    /// The disc difference at the end, empty squares counting for the winner.
    Score,
    /// Win, loss or draw (WLD): 1, −1 or 0.
    Outcome,
}

/// The result of a search.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SolverResult {
    /// The score or the outcome for the side to move.
    pub score: i32,
    /// The principal variation: to the end of the game for a score, for an outcome until it is certain.
    pub pv: Vec<Move>,
    /// Nodes searched.
    pub nodes: u64,
}

impl SolverResult {
    /// The best move that was found first; none if the game is over.
    pub fn best(&self) -> Option<Move> {
        self.pv.first().copied()
    }
}

/// The best moves of a position, and the nodes it took to tell them from the others.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct BestMoves {
    /// The moves, from a1 to h8.
    pub moves: Vec<Move>,
    /// Nodes searched for them.
    pub nodes: u64,
}

/// The exact value of every move, and the nodes searched for them.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct MoveValues {
    /// The moves with their score or outcome for the side that plays them: the best first, equal ones from a1 to h8.
    pub values: Vec<(Move, i32)>,
    /// Nodes searched for them.
    pub nodes: u64,
}

/// The result of one iteration.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct IterationReport {
    /// The depth in plies; the number of empties means to the end of the game.
    pub depth: u32,
    /// The selectivity.
    pub selectivity: Selectivity,
    /// The score for the side to move; of a search for the outcome only the sign counts.
    pub score: i32,
    /// The best move; none if the game is over, and possibly none if the position is lost.
    pub best: Option<Move>,
    /// Nodes searched so far.
    pub nodes: u64,
}

/// A solver with its transposition table and evaluation. The table is kept from one search to the next.
#[derive(Debug)]
pub struct Solver {
    tt: HashTable,
    eval: PatternEval,
    margins: ProbCutMargins,
    threads: usize,
}

impl Solver {
    /// A solver with a transposition table of `hash_mib` MiB. The evaluation changes the time of a solution, never its
    /// score.
    pub fn new(hash_mib: usize, eval: PatternEval) -> Solver {
        let margins = ProbCutMargins::new(&ProbCutParameters::shipped());
        Solver { tt: HashTable::new(hash_mib), eval, margins, threads: 1 }
    }

    /// Sets the number of threads. Scores do not depend on it; which of several best moves is found first may.
    #[must_use]
    pub fn threads(self, threads: usize) -> Solver {
        Solver { threads: threads.max(1), ..self }
    }

    /// Replaces the shipped error model of Multi-ProbCut.
    #[must_use]
    pub fn probcut(self, model: &ProbCutParameters) -> Solver {
        Solver { margins: ProbCutMargins::new(model), ..self }
    }

    /// Clears the transposition table.
    pub fn clear(&mut self) {
        self.tt.clear();
    }

    /// Solves a position to the end of the game.
    ///
    /// ```
    /// use tesuji_engines::othello::{Goal, PatternEval, Solver};
    /// use tesuji_game::Notation;
    /// use tesuji_othello::Othello;
    ///
    /// let board = "XXXOXXXXOXXXXXXXOOXXXXXXOOOXXXXXOOOXXOO-OOOOO---OOOOOOO-OOOOOOO- X";
    /// let game = Othello::parse(board).unwrap();
    /// let solved = Solver::new(1, PatternEval::untrained()).solve(&game, Goal::Score);
    /// assert_eq!(solved.score, 6);
    /// assert_eq!(solved.best().unwrap().to_string(), "h5");
    /// ```
    pub fn solve(&mut self, game: &Othello, goal: Goal) -> SolverResult {
        let solved = self.solve_until(game, goal, &CancelToken::new());
        solved.unwrap_or(SolverResult { score: 0, pv: Vec::new(), nodes: 0 })
    }

    /// Solves a position; none if `stop` is cancelled before the end.
    pub fn solve_until(&mut self, game: &Othello, goal: Goal, stop: &CancelToken) -> Option<SolverResult> {
        self.solve_with_progress(game, goal, stop, &mut |_| {})
    }

    /// Solves a position like [`Solver::solve_until`], and reports every iteration.
    pub fn solve_with_progress(
        &mut self,
        game: &Othello,
        goal: Goal,
        stop: &CancelToken,
        on_iteration: &mut dyn FnMut(&IterationReport),
    ) -> Option<SolverResult> {
        let bounds = match goal {
            Goal::Score => SCORE_BOUNDS,
            Goal::Outcome => OUTCOME_BOUNDS,
        };
        let target = SearchDraft::exact(game.empties().count_ones());
        let solved = self.search(game, target, bounds, 0, stop, on_iteration)?;
        let score = if goal == Goal::Score { solved.score } else { solved.score.signum() };
        Some(SolverResult { score, ..solved })
    }

    /// Searches to a depth; the score is in discs. None if `stop` is cancelled before the end.
    pub fn search_depth(
        &mut self,
        game: &Othello,
        depth: u32,
        selectivity: Selectivity,
        stop: &CancelToken,
    ) -> Option<SolverResult> {
        let depth = depth.min(game.empties().count_ones()) as u8;
        self.search(game, SearchDraft { depth, selectivity }, SCORE_BOUNDS, 0, stop, &mut |_| {})
    }

    /// The best move at this level of play that is not on an `excluded` square. None if there is no such move, or if
    /// `stop` is cancelled before the end.
    pub fn best_excluding(
        &mut self,
        game: &Othello,
        strength: Strength,
        excluded: u64,
        stop: &CancelToken,
    ) -> Option<SolverResult> {
        if mobility(game.own(), game.other()) & !excluded == 0 {
            return None;
        }
        let target = strength.draft(game.empties().count_ones());
        self.search(game, target, SCORE_BOUNDS, excluded, stop, &mut |_| {})
    }

    fn search(
        &mut self,
        game: &Othello,
        target: SearchDraft,
        bounds: (i32, i32),
        excluded: u64,
        stop: &CancelToken,
        on_iteration: &mut dyn FnMut(&IterationReport),
    ) -> Option<SolverResult> {
        let position = PatternNode::new(game.own(), game.other());
        let condition = &StopCondition::new(stop);
        self.new_search(target);
        self.dispatch(IterativeDeepening { position, target, bounds, excluded, condition, on_iteration })
    }

    /// All moves that keep the result of [`Solver::solve`] with the same goal, from a1 to h8. Right after it most of the
    /// work is in the transposition table.
    pub fn all_best(&mut self, game: &Othello, goal: Goal, solved: &SolverResult) -> Vec<Move> {
        let best = self.all_best_until(game, goal, solved, &CancelToken::new());
        best.unwrap_or_default().moves
    }

    /// Like [`Solver::all_best`]; none if `stop` is cancelled before the end.
    pub fn all_best_until(
        &mut self,
        game: &Othello,
        goal: Goal,
        solved: &SolverResult,
        stop: &CancelToken,
    ) -> Option<BestMoves> {
        let position = PatternNode::new(game.own(), game.other());
        let score = match goal {
            Goal::Score => solved.score,
            // Every move keeps a loss.
            Goal::Outcome if solved.score < 0 => -64,
            Goal::Outcome => solved.score,
        };
        self.dispatch(AllBest { position, score, condition: &StopCondition::new(stop) })
    }

    /// The exact value of every legal move; none if `stop` is cancelled before the end. `on_move` is told each as it is
    /// found.
    ///
    /// ```
    /// use tesuji_engines::othello::{Goal, PatternEval, Solver};
    /// use tesuji_game::Notation;
    /// use tesuji_othello::Othello;
    /// use tesuji_search::CancelToken;
    ///
    /// let board = "XXXOXXXXOXXXXXXXOOXXXXXXOOOXXXXXOOOXXOO-OOOOO---OOOOOOO-OOOOOOO- X";
    /// let game = Othello::parse(board).unwrap();
    /// let mut solver = Solver::new(1, PatternEval::untrained());
    /// let all = solver.move_values(&game, Goal::Score, &CancelToken::new(), &mut |_, _| {}).unwrap();
    /// let texts: Vec<String> = all.values.iter().map(|(mv, score)| format!("{mv} {score:+}")).collect();
    /// assert_eq!(texts[0], "h5 +6");
    /// ```
    pub fn move_values(
        &mut self,
        game: &Othello,
        goal: Goal,
        stop: &CancelToken,
        on_move: &mut dyn FnMut(Move, i32),
    ) -> Option<MoveValues> {
        let (mut now, mut list) = (*game, Moves::default());
        now.moves(&mut list);
        let mut all = MoveValues::default();
        for mv in list.each() {
            let undo = now.play(mv);
            let solved = self.solve_until(&now, goal, stop);
            now.undo(undo);
            let SolverResult { score, nodes, .. } = solved?;
            on_move(mv, -score);
            all.values.push((mv, -score));
            all.nodes += nodes;
        }
        all.values.sort_by_key(|&(_, score)| -score);
        Some(all)
    }

    /// Prepares the transposition table for a search.
    pub(super) fn new_search(&mut self, target: SearchDraft) {
        self.tt.new_generation(u32::from(target.depth));
    }

    /// Runs a search on all threads: its result and the number of nodes, none if it was stopped.
    pub(super) fn run_threads<K: Kernel, R>(
        &self,
        kernel: K,
        position: &PatternNode,
        condition: &StopCondition<'_>,
        main: impl FnOnce(&mut SearchThread<'_, K>) -> R,
    ) -> Option<(R, u64)> {
        let pool = SplitPool::default();
        let new = || SearchThread::new(kernel, &self.eval, &self.tt, &self.margins, condition);
        // Only nodes of the midgame search become split points.
        let threads = if position.node.empties > EVAL_EMPTIES { self.threads } else { 1 };
        std::thread::scope(|scope| {
            for _ in 1..threads {
                scope.spawn(|| new().help(&pool));
            }
            let mut search = new();
            search.split_pool = (threads > 1).then_some(&pool);
            let result = main(&mut search);
            pool.finish();
            (!search.stopped).then_some((result, search.nodes))
        })
    }

    /// Runs a search with the best instruction set of this machine.
    pub(super) fn dispatch<T: KernelTask>(&self, task: T) -> T::Output {
        #[cfg(target_arch = "x86_64")]
        if let Some(avx2) = tesuji_othello::kernel::avx2::Avx2::detect() {
            return task.run(avx2, self);
        }
        task.run(PortableKernel, self)
    }
}

/// A search that is compiled for every instruction set.
pub(super) trait KernelTask {
    type Output;
    fn run<K: Kernel>(self, kernel: K, solver: &Solver) -> Self::Output;
}

struct IterativeDeepening<'a> {
    position: PatternNode,
    target: SearchDraft,
    bounds: (i32, i32),
    excluded: u64,
    condition: &'a StopCondition<'a>,
    on_iteration: &'a mut dyn FnMut(&IterationReport),
}

impl KernelTask for IterativeDeepening<'_> {
    type Output = Option<SolverResult>;

    fn run<K: Kernel>(self, kernel: K, solver: &Solver) -> Option<SolverResult> {
        let IterativeDeepening { position, target, bounds, excluded, condition, on_iteration } = self;
        let mut pv = Vec::new();
        let (score, nodes) = solver.run_threads(kernel, &position, condition, |search| {
            let mut score = search.evaluate(&position);
            for draft in iterations(position.node.empties, target, 2) {
                if search.stopped {
                    break;
                }
                score = search.aspiration_search(&position, draft, score, bounds, excluded, &mut pv);
                if !search.stopped {
                    let SearchDraft { depth, selectivity } = draft;
                    let (depth, best, nodes) = (u32::from(depth), pv.first().copied(), search.nodes);
                    on_iteration(&IterationReport { depth, selectivity, score, best, nodes });
                }
            }
            score
        })?;
        Some(SolverResult { score, pv, nodes })
    }
}

struct AllBest<'a> {
    position: PatternNode,
    score: i32,
    condition: &'a StopCondition<'a>,
}

impl KernelTask for AllBest<'_> {
    type Output = Option<BestMoves>;

    fn run<K: Kernel>(self, kernel: K, solver: &Solver) -> Option<BestMoves> {
        let AllBest { position, score, condition } = self;
        let all_best = |search: &mut SearchThread<'_, K>| search.all_best_moves(&position, score);
        let (moves, nodes) = solver.run_threads(kernel, &position, condition, all_best)?;
        Some(BestMoves { moves, nodes })
    }
}
