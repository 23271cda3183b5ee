//! Puzzles "win in n": Trax and Ostle, proven by exhaustive search.

use tesuji_game::{Game, Record};
use tesuji_search::CancelToken;
use tesuji_solve::forced_win::{ForcedWinSolver, Stopped};

use super::{PuzzleGoal, PuzzleSolution, PuzzleSolver, before_the_end};

/// Finds wins in n plies.
pub struct WinPuzzles<G: Game> {
    solver: ForcedWinSolver<G>,
    /// Moves to play per position.
    nodes: u64,
    /// The shortest win that is a puzzle.
    least: u32,
    /// Another move may not win even in so many plies more.
    beyond: u32,
    /// Plies before the end of a game to try.
    window: usize,
}

impl<G: Game> WinPuzzles<G> {
    /// A solver that plays at most `nodes` moves per position. A win of fewer than `least` plies is no puzzle, nor one
    /// where another move wins in at most `beyond` plies more.
    pub fn new(nodes: u64, least: u32, beyond: u32, window: usize) -> WinPuzzles<G> {
        WinPuzzles { solver: ForcedWinSolver::new(), nodes, least, beyond, window }
    }
}

impl<G: Game> PuzzleSolver<G> for WinPuzzles<G> {
    fn goal(&self) -> PuzzleGoal {
        PuzzleGoal::Win
    }

    fn solve(
        &mut self,
        record: &Record<G>,
        plies: u32,
        cancel: &CancelToken,
    ) -> Result<Option<PuzzleSolution<G::Move>>, Stopped> {
        self.solver.forget();
        let win = self.solver.shortest(record.now(), plies, self.nodes, cancel)?;
        Ok(win.map(|win| PuzzleSolution {
            solving: win.winning,
            line: win.line,
            plies: win.plies,
            score: None,
            margin: None,
            nodes: self.solver.nodes(),
        }))
    }

    fn is_puzzle(
        &mut self,
        record: &Record<G>,
        solution: &PuzzleSolution<G::Move>,
        cancel: &CancelToken,
    ) -> Result<bool, Stopped> {
        if solution.plies < self.least {
            return Ok(false);
        }
        let winning = self.solver.winning(record.now(), solution.plies + self.beyond, self.nodes, cancel)?;
        Ok(winning.len() == 1)
    }

    fn candidates(&self, record: &Record<G>) -> Vec<usize> {
        before_the_end(record, self.least as usize, self.window)
    }
}
