//! Othello: the one best move of an endgame, with its score and its margin over the next best, by the exact solver.

use tesuji_game::{Game, Margin, Record};
use tesuji_othello::{Move, Othello, Square};
use tesuji_search::CancelToken;
use tesuji_solve::forced_win::Stopped;

use super::{PuzzleGoal, PuzzleSolution, PuzzleSolver};
use crate::othello::{Goal, MoveValues, PatternEval, Solver};

/// Empty squares of a puzzle.
const EMPTIES: std::ops::RangeInclusive<u32> = 8..=16;
/// The solution beats the next best move by at least so many discs.
const MARGIN: i32 = 4;
/// Fewer moves are no choice.
const CHOICE: usize = 4;

/// Finds best moves.
pub struct BestMovePuzzles {
    solver: Solver,
}

impl Default for BestMovePuzzles {
    fn default() -> BestMovePuzzles {
        BestMovePuzzles { solver: Solver::new(16, PatternEval::shipped()) }
    }
}

fn empties(game: &Othello) -> u32 {
    let [black, white] = game.counts();
    64 - black - white
}

fn is_corner(square: Square) -> bool {
    [0, 7].contains(&square.column()) && [0, 7].contains(&square.row())
}

impl PuzzleSolver<Othello> for BestMovePuzzles {
    fn goal(&self) -> PuzzleGoal {
        PuzzleGoal::BestMove
    }

    fn solve(
        &mut self,
        record: &Record<Othello>,
        _: u32,
        cancel: &CancelToken,
    ) -> Result<Option<PuzzleSolution<Move>>, Stopped> {
        let game = record.now();
        if record.ending().is_some() {
            return Ok(None);
        }
        if empties(game) > *EMPTIES.end() {
            return Err(Stopped);
        }
        self.solver.clear();
        let values = self.solver.move_values(game, Goal::Score, cancel, &mut |_, _| {});
        let MoveValues { values, nodes } = values.ok_or(Stopped)?;
        let Some(&(_, score)) = values.first() else { return Ok(None) };
        let solving: Vec<Move> = values.iter().take_while(|(_, own)| *own == score).map(|(mv, _)| *mv).collect();
        let next = values.get(solving.len()).map(|(_, next)| score - next);
        let mut line = vec![solving[0]];
        let mut after = *game;
        after.play(solving[0]);
        line.extend(self.solver.solve_until(&after, Goal::Score, cancel).ok_or(Stopped)?.pv);
        Ok(Some(PuzzleSolution { solving, line, plies: 1, score: Some(score), margin: next, nodes }))
    }

    fn is_puzzle(
        &mut self,
        record: &Record<Othello>,
        solution: &PuzzleSolution<Move>,
        _: &CancelToken,
    ) -> Result<bool, Stopped> {
        let choice = record.now().clone().count() as usize >= CHOICE;
        // Everybody takes a corner.
        let corner = solution.solving.iter().any(|mv| mv.square().is_some_and(is_corner));
        Ok(choice && !corner && solution.margin.is_some_and(|margin| margin >= MARGIN))
    }

    fn candidates(&self, record: &Record<Othello>) -> Vec<usize> {
        let plies = record.plies().len();
        let fits = |&ply: &usize| EMPTIES.contains(&empties(record.up_to(ply).now()));
        (plies.saturating_sub(24)..plies).filter(fits).collect()
    }
}
