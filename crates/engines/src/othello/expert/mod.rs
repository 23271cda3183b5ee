//! The exact solver of Othello: fast enough for the last twenty-odd empty squares, and never wrong.
//!
//! Layers from the leaves up: the last four empty squares by hand (`last`), a few more by parity (`shallow`), two more
//! in order (`grove`), and above them a tree with table, stability and ordered moves (`tree`), which the evaluation
//! leads from fourteen on (`deep`). All of them answer one question, whether a score is more than a number; `root` makes
//! exact scores and best moves of the answers.

#[cfg(target_arch = "x86_64")]
mod avx2;
mod beside;
mod cache;
mod count;
mod crew;
mod deep;
mod engine;
mod glance;
mod grove;
mod kernel;
mod last;
mod level;
mod order;
mod probe;
mod quadrants;
mod root;
mod rounds;
mod shallow;
mod spot;
mod stable;
mod strength;
mod table;
mod think;
mod tree;
mod walk;
mod watch;

use tesuji_othello::{Move, Othello};
use tesuji_search::CancelToken;

use super::cuts::Cuts;
use super::pattern::Pattern;
use crew::SplitPool;
pub use engine::Expert;
use kernel::{Kernel, Portable};
pub use level::Level;
use probe::Doubts;
use rounds::rounds;
use spot::Spot;
pub use strength::Strength;
use table::{Reach, Table};
use walk::{EVALUATED, Walk};
use watch::Watch;

/// What is asked of a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Aim {
    /// The difference of discs at the end, empty squares going to the winner.
    Score,
    /// Only who wins: 1, 0 or −1.
    Outcome,
}

/// What a position is worth, and how to play it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Solved {
    /// The score or the outcome, seen by the mover.
    pub score: i32,
    /// Best play of both sides to the end of the game; of one won or lost only until that is certain.
    pub line: Vec<Move>,
    /// Positions visited.
    pub nodes: u64,
}

impl Solved {
    /// The best move that was found first; none when the game is over.
    pub fn best(&self) -> Option<Move> {
        self.line.first().copied()
    }
}

/// What a position seems to be worth on the way to its solution: what one round has found.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Glimpse {
    /// How many plies ahead it looked; to the end with as many as there are empty squares.
    pub depth: u32,
    /// How surely.
    pub level: Level,
    /// The score seen by the mover; of a search for the outcome only its sign counts.
    pub score: i32,
    /// The best move; none when the game is over, and not always one where a loss is all that is certain.
    pub best: Option<Move>,
    /// Positions visited so far.
    pub nodes: u64,
}

/// A solver: a table kept from position to position, and an opinion that orders moves.
#[derive(Debug)]
pub struct Solver {
    table: Table,
    eval: Pattern,
    doubts: Doubts,
    threads: usize,
}

impl Solver {
    /// A solver with a table of so many MiB, led by this evaluation. That never changes a result, only the time it
    /// takes.
    pub fn new(table_mib: usize, eval: Pattern) -> Solver {
        Solver { table: Table::new(table_mib), eval, doubts: Doubts::new(&Cuts::shipped()), threads: 1 }
    }

    /// The same with so many threads. Scores do not depend on their number; which of equally good moves is found first
    /// may.
    #[must_use]
    pub fn threads(self, threads: usize) -> Solver {
        Solver { threads: threads.max(1), ..self }
    }

    /// The same with branches left out by another error model than the one that ships.
    #[must_use]
    pub fn cuts(self, cuts: &Cuts) -> Solver {
        Solver { doubts: Doubts::new(cuts), ..self }
    }

    /// Forgets what was found so far.
    pub fn forget(&mut self) {
        self.table.clear();
    }

    /// Solves a position to the end of the game.
    ///
    /// ```
    /// use tesuji_engines::othello::{Aim, Pattern, Solver};
    /// use tesuji_game::Notation;
    /// use tesuji_othello::Othello;
    ///
    /// let board = "XXXOXXXXOXXXXXXXOOXXXXXXOOOXXXXXOOOXXOO-OOOOO---OOOOOOO-OOOOOOO- X";
    /// let solved = Solver::new(1, Pattern::untrained()).solve(&Othello::parse(board).unwrap(), Aim::Score);
    /// assert_eq!(solved.score, 6);
    /// assert_eq!(solved.best().unwrap().to_string(), "h5");
    /// ```
    pub fn solve(&mut self, game: &Othello, aim: Aim) -> Solved {
        let solved = self.solve_until(game, aim, &CancelToken::new());
        solved.unwrap_or(Solved { score: 0, line: Vec::new(), nodes: 0 })
    }

    /// Solves a position unless it is told to stop before it is done.
    pub fn solve_until(&mut self, game: &Othello, aim: Aim, stop: &CancelToken) -> Option<Solved> {
        self.solve_telling(game, aim, stop, &mut |_| {})
    }

    /// As [`Solver::solve_until`], and tells what it makes of the position after every round: who waits for half an hour
    /// wants to know.
    pub fn solve_telling(
        &mut self,
        game: &Othello,
        aim: Aim,
        stop: &CancelToken,
        tell: &mut dyn FnMut(&Glimpse),
    ) -> Option<Solved> {
        let bounds = match aim {
            Aim::Score => (-65, 65),
            Aim::Outcome => (-1, 1),
        };
        let wanted = Reach::whole(game.empties().count_ones());
        let solved = self.search(game, wanted, bounds, stop, tell)?;
        let score = if aim == Aim::Score { solved.score } else { solved.score.signum() };
        Some(Solved { score, ..solved })
    }

    /// Looks so many plies ahead, as surely as this level: what the position seems worth, in discs. None if it is told to
    /// stop before it is done.
    pub fn look(&mut self, game: &Othello, depth: u32, level: Level, stop: &CancelToken) -> Option<Solved> {
        let depth = depth.min(game.empties().count_ones());
        self.search(game, Reach { depth: depth as u8, level }, (-65, 65), stop, &mut |_| {})
    }

    fn search(
        &mut self,
        game: &Othello,
        wanted: Reach,
        bounds: (i32, i32),
        stop: &CancelToken,
        tell: &mut dyn FnMut(&Glimpse),
    ) -> Option<Solved> {
        self.table.turn_page(u32::from(wanted.depth));
        let spot = Spot::new(game.own(), game.other());
        self.on_kernel(Deepen { spot, wanted, bounds, watch: &Watch::new(stop), tell })
    }

    /// Every move that keeps what [`Solver::solve`] found with the same aim, from a1 to h8. Asked at once after
    /// it, most of the work is done already.
    pub fn all_best(&mut self, game: &Othello, aim: Aim, solved: &Solved) -> Vec<Move> {
        let best = self.all_best_until(game, aim, solved, &CancelToken::new());
        best.unwrap_or_default()
    }

    /// As [`Solver::all_best`], unless it is told to stop before it is done.
    pub fn all_best_until(
        &mut self,
        game: &Othello,
        aim: Aim,
        solved: &Solved,
        stop: &CancelToken,
    ) -> Option<Vec<Move>> {
        let spot = Spot::new(game.own(), game.other());
        let score = match aim {
            Aim::Score => solved.score,
            // A loss is kept by every move.
            Aim::Outcome if solved.score < 0 => -64,
            Aim::Outcome => solved.score,
        };
        self.on_kernel(AllBest { spot, score, watch: &Watch::new(stop) })
    }

    /// Does a piece of work with all threads: what was found and how many positions were visited, unless it was stopped.
    fn together<K: Kernel, F>(
        &self,
        kernel: K,
        spot: &Spot,
        watch: &Watch<'_>,
        work: impl FnOnce(&mut Walk<'_, K>) -> F,
    ) -> Option<(F, u64)> {
        let crew = SplitPool::default();
        let new = || Walk::new(kernel, &self.eval, &self.table, &self.doubts, watch);
        // What is solved without the evaluation is not shared out.
        let threads = if spot.node.empties > EVALUATED { self.threads } else { 1 };
        std::thread::scope(|scope| {
            for _ in 1..threads {
                scope.spawn(|| new().help(&crew));
            }
            let mut walk = new();
            walk.crew = (threads > 1).then_some(&crew);
            let found = work(&mut walk);
            crew.dismiss();
            (!walk.stopped).then_some((found, walk.nodes))
        })
    }

    fn on_kernel<T: Task>(&self, task: T) -> T::Found {
        #[cfg(target_arch = "x86_64")]
        if let Some(avx2) = tesuji_othello::kernel::avx2::Avx2::detect() {
            return task.run(avx2, self);
        }
        task.run(Portable, self)
    }
}

/// Work that is compiled for every instruction set.
trait Task {
    type Found;
    fn run<K: Kernel>(self, kernel: K, solver: &Solver) -> Self::Found;
}

struct Deepen<'a> {
    spot: Spot,
    wanted: Reach,
    bounds: (i32, i32),
    watch: &'a Watch<'a>,
    tell: &'a mut dyn FnMut(&Glimpse),
}

impl Task for Deepen<'_> {
    type Found = Option<Solved>;

    fn run<K: Kernel>(self, kernel: K, solver: &Solver) -> Option<Solved> {
        let Deepen { spot, wanted, bounds, watch, tell } = self;
        let mut line = Vec::new();
        let (score, nodes) = solver.together(kernel, &spot, watch, |walk| {
            let empties = spot.node.empties;
            let guess = walk.judged(&spot);
            rounds(empties, wanted, 2).into_iter().fold(guess, |guess, reach| {
                if walk.stopped {
                    return guess;
                }
                let score = walk.round(&spot, reach, guess, bounds, 0, &mut line);
                if !walk.stopped {
                    let (depth, best) = (u32::from(reach.depth), line.first().copied());
                    tell(&Glimpse { depth, level: reach.level, score, best, nodes: walk.nodes });
                }
                score
            })
        })?;
        Some(Solved { score, line, nodes })
    }
}

struct AllBest<'a> {
    spot: Spot,
    score: i32,
    watch: &'a Watch<'a>,
}

impl Task for AllBest<'_> {
    type Found = Option<Vec<Move>>;

    fn run<K: Kernel>(self, kernel: K, solver: &Solver) -> Option<Vec<Move>> {
        let (best, _) =
            solver.together(kernel, &self.spot, self.watch, |walk| walk.keeping(&self.spot, self.score))?;
        Some(best)
    }
}
