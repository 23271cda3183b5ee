//! Puzzles: positions with exactly one solution, proven by a solver of the game.
//!
//! A game says how its puzzles are solved ([`HasPuzzles`]). Everything else is generic: choosing positions of a game
//! ([`puzzle_of_game`]), and rating them by difficulty.

mod best_move;
mod difficulty;
mod games;
mod tsume;
mod wins;

use serde::{Deserialize, Serialize};
use tesuji_game::{Game, Record};
use tesuji_search::CancelToken;

use crate::{HasEngines, Spec, SpecError};

pub use best_move::BestMovePuzzles;
pub use difficulty::Difficulty;
pub use tesuji_solve::forced_win::Stopped;
pub use tsume::TsumePuzzles;
pub use wins::WinPuzzles;

/// What is to be found.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum PuzzleGoal {
    /// The move with the best score at the end of the game.
    BestMove,
    /// The win in so many plies.
    Win,
    /// The mate in so many plies, by checks alone.
    Mate,
}

/// What a solver proved about a position.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PuzzleSolution<M> {
    /// Every move that solves it; a puzzle has one.
    pub solving: Vec<M>,
    /// Best play of both sides.
    pub line: Vec<M>,
    /// Plies from here to the goal: 1 for a best move.
    pub plies: u32,
    /// The final score for the mover, in games that end with one.
    pub score: Option<i32>,
    /// By how much the solution beats the next best move, in games that end with a score.
    pub margin: Option<i32>,
    /// Nodes searched for the proof.
    pub nodes: u64,
}

/// Solves positions exactly.
pub trait PuzzleSolver<G: Game>: Send {
    /// What is to be found.
    fn goal(&self) -> PuzzleGoal;

    /// Solves the position at the end of a record; `None` if there is nothing to find within `plies`. Depends on nothing
    /// but the record.
    ///
    /// # Errors
    /// It was cancelled, or the position is too hard.
    fn solve(
        &mut self,
        record: &Record<G>,
        plies: u32,
        cancel: &CancelToken,
    ) -> Result<Option<PuzzleSolution<G::Move>>, Stopped>;

    /// Whether a position is worth a puzzle: more than solvable, so that its solution teaches something.
    ///
    /// # Errors
    /// It was cancelled, or the position is too hard.
    fn is_puzzle(
        &mut self,
        record: &Record<G>,
        solution: &PuzzleSolution<G::Move>,
        cancel: &CancelToken,
    ) -> Result<bool, Stopped>;

    /// The positions of a finished game to try, as plies from its start, the most promising first.
    fn candidates(&self, record: &Record<G>) -> Vec<usize>;
}

/// A game with puzzles.
pub trait HasPuzzles: HasEngines {
    /// The engine of the games that puzzles come from: it makes mistakes that can be punished.
    const SOURCE: &'static str;

    /// The longest solution in plies.
    const LONGEST: u32;

    /// A move whose value by a shallow search is at most so much worse than that of the solution is a plausible try.
    const PLAUSIBLE: i16;

    /// A solver.
    fn puzzle_solver() -> Box<dyn PuzzleSolver<Self>>;
}

/// A puzzle as it was found in a game.
#[derive(Clone, Debug)]
pub struct FoundPuzzle<G: Game> {
    /// The game up to the position.
    pub record: Record<G>,
    /// The solution.
    pub solution: PuzzleSolution<G::Move>,
    /// How hard it is.
    pub difficulty: Difficulty,
}

/// The first puzzle of a finished game, if there is one. `None` too when it was cancelled.
///
/// # Errors
/// The engine that rates puzzles does not exist.
pub fn puzzle_of_game<G: HasPuzzles>(
    solver: &mut dyn PuzzleSolver<G>,
    record: &Record<G>,
    cancel: &CancelToken,
) -> Result<Option<FoundPuzzle<G>>, SpecError> {
    for ply in solver.candidates(record) {
        let record = record.up_to(ply);
        let Ok(Some(solution)) = solver.solve(&record, G::LONGEST, cancel) else { continue };
        if solution.solving.len() != 1 || !solver.is_puzzle(&record, &solution, cancel).unwrap_or(false) {
            continue;
        }
        let difficulty = Difficulty::of(&record, &solution, cancel)?;
        if cancel.is_cancelled() {
            break;
        }
        return Ok(Some(FoundPuzzle { record, solution, difficulty }));
    }
    Ok(None)
}

/// The plies of a won game after which its winner is to move, from `least` to `most` plies before its end, the farthest
/// first: those solutions are the longest.
fn before_the_end<G: Game>(record: &Record<G>, least: usize, most: usize) -> Vec<usize> {
    let played = record.plies().len();
    let Some(winner) = record.board_ending().and_then(|ending| ending.winner) else { return Vec::new() };
    let first = record.start().mover();
    let winner_to_move = |ply: &usize| if ply.is_multiple_of(2) { first == winner } else { first != winner };
    (played.saturating_sub(most)..=played.saturating_sub(least)).filter(winner_to_move).collect()
}

/// The spec of the source engine of a game.
///
/// # Errors
/// The spec of the game is wrong.
pub fn source_spec<G: HasPuzzles>() -> Result<Spec, SpecError> {
    Spec::parse(G::SOURCE)
}
