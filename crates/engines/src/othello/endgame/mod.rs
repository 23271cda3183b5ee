//! The exact solver of Othello: fast enough for the last twenty-odd empty squares, and never wrong.
//!
//! Layers from the leaves up: the last four empty squares by hand (`last`), a few more by parity (`shallow`),
//! and above them a tree with table, stability and ordered moves (`tree`). All of them answer one question,
//! whether a score is more than a number; `root` makes exact scores and best moves of the answers.

#[cfg(target_arch = "x86_64")]
mod avx2;
mod count;
mod kernel;
mod last;
mod order;
mod quadrants;
mod rank;
mod root;
mod shallow;
mod stable;
mod table;
mod tree;
mod walk;

use tesuji_othello::{Move, Othello};
use tesuji_search::Stop;

use kernel::{Kernel, Portable};
pub use rank::{Rank, Replies, Unranked};
use table::Table;
use tree::Node;
use walk::Walk;

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

/// A solver: a table kept from position to position, and an opinion that orders moves.
#[derive(Debug)]
pub struct Solver<R = Replies> {
    table: Table,
    rank: R,
}

impl Solver {
    /// A solver with a table of so many MiB that orders moves by what can be seen without learning.
    pub fn new(table_mib: usize) -> Solver {
        Solver::with(table_mib, Replies)
    }
}

impl<R: Rank> Solver<R> {
    /// A solver with a table of so many MiB and an opinion of its own.
    pub fn with(table_mib: usize, rank: R) -> Solver<R> {
        Solver { table: Table::new(table_mib), rank }
    }

    /// Solves a position to the end of the game.
    ///
    /// ```
    /// use tesuji_engines::othello::{Aim, Solver};
    /// use tesuji_game::Notation;
    /// use tesuji_othello::Othello;
    ///
    /// let board = "XXXOXXXXOXXXXXXXOOXXXXXXOOOXXXXXOOOXXOO-OOOOO---OOOOOOO-OOOOOOO- X";
    /// let solved = Solver::new(1).solve(&Othello::parse(board).unwrap(), Aim::Score);
    /// assert_eq!(solved.score, 6);
    /// assert_eq!(solved.best().unwrap().to_string(), "h5");
    /// ```
    pub fn solve(&mut self, game: &Othello, aim: Aim) -> Solved {
        let solved = self.solve_until(game, aim, &Stop::new());
        solved.unwrap_or(Solved { score: 0, line: Vec::new(), nodes: 0 })
    }

    /// Solves a position unless it is told to stop before it is done.
    pub fn solve_until(&mut self, game: &Othello, aim: Aim, stop: &Stop) -> Option<Solved> {
        self.table.turn_page();
        self.on_kernel(&Solve { node: Node::new(game.own(), game.other()), aim, stop })
    }

    /// Every move that keeps what [`Solver::solve`] found with the same aim, from a1 to h8. Asked at once after
    /// it, most of the work is done already.
    pub fn all_best(&mut self, game: &Othello, aim: Aim, solved: &Solved) -> Vec<Move> {
        let best = self.all_best_until(game, aim, solved, &Stop::new());
        best.unwrap_or_default()
    }

    /// As [`Solver::all_best`], unless it is told to stop before it is done.
    pub fn all_best_until(
        &mut self,
        game: &Othello,
        aim: Aim,
        solved: &Solved,
        stop: &Stop,
    ) -> Option<Vec<Move>> {
        let node = Node::new(game.own(), game.other());
        let score = match aim {
            Aim::Score => solved.score,
            // A loss is kept by every move.
            Aim::Outcome if solved.score < 0 => -64,
            Aim::Outcome => solved.score,
        };
        self.on_kernel(&AllBest { node, score, stop })
    }

    fn on_kernel<T: Task<R>>(&self, task: &T) -> T::Found {
        #[cfg(target_arch = "x86_64")]
        if let Some(avx2) = tesuji_othello::kernel::avx2::Avx2::detect() {
            return task.run(avx2, self);
        }
        task.run(Portable, self)
    }
}

/// Work that is compiled for every instruction set.
trait Task<R> {
    type Found;
    fn run<K: Kernel>(&self, kernel: K, solver: &Solver<R>) -> Self::Found;
}

struct Solve<'a> {
    node: Node,
    aim: Aim,
    stop: &'a Stop,
}

impl<R: Rank> Task<R> for Solve<'_> {
    type Found = Option<Solved>;

    fn run<K: Kernel>(&self, kernel: K, solver: &Solver<R>) -> Option<Solved> {
        let mut walk = Walk::new(kernel, &solver.rank, &solver.table, self.stop);
        let mut line = Vec::new();
        let (alpha, beta) = match self.aim {
            Aim::Score => (-65, 65),
            Aim::Outcome => (-1, 1),
        };
        let score = walk.full(self.node, alpha, beta, &mut line);
        let score = if self.aim == Aim::Score { score } else { score.signum() };
        (!walk.stopped).then_some(Solved { score, line, nodes: walk.nodes })
    }
}

struct AllBest<'a> {
    node: Node,
    score: i32,
    stop: &'a Stop,
}

impl<R: Rank> Task<R> for AllBest<'_> {
    type Found = Option<Vec<Move>>;

    fn run<K: Kernel>(&self, kernel: K, solver: &Solver<R>) -> Option<Vec<Move>> {
        let mut walk = Walk::new(kernel, &solver.rank, &solver.table, self.stop);
        let best = walk.keeping(self.node, self.score);
        (!walk.stopped).then_some(best)
    }
}
