//! Puzzles: positions with exactly one proven solution. Sets of them ship; `tesuji puzzles` makes more.

mod make;
mod verify;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use tesuji_engines::SpecError;
pub use tesuji_engines::puzzles::PuzzleGoal;
use tesuji_engines::puzzles::{FoundPuzzle, HasPuzzles, PuzzleSolver, puzzle_of_game};
use tesuji_game::{Record, Side};
use tesuji_task::{CancelToken, Context};

use crate::{Error, Playable, Registration, SideName};
pub use make::{MakePuzzlesRequest, MakePuzzlesSummary};
pub(crate) use verify::puzzle_file_game;
pub use verify::{PuzzleFile, WrongPuzzle};

/// What every puzzle says it is.
pub const PUZZLE_SCHEMA: &str = "tesuji/puzzle/1";

/// A puzzle: one line of a puzzle file.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct Puzzle {
    /// [`PUZZLE_SCHEMA`].
    pub schema: String,
    /// Its name, unique in its file: `trax-12`.
    pub id: String,
    /// The game.
    pub game: String,
    /// The position, in the notation of the game.
    pub position: String,
    /// The side to move, which has to find the solution.
    pub mover: SideName,
    /// What is to be found.
    #[schemars(with = "String")]
    pub goal: PuzzleGoal,
    /// Plies to the goal: 5 in a win or mate in five plies, 1 for a best move.
    pub plies: u32,
    /// The solution: best play of both sides. The first move is the only one that solves the puzzle.
    pub solution: Vec<String>,
    /// The final score for the mover, in games that end with one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub score: Option<i32>,
    /// By how much the first move beats the next best, in games that end with a score.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub margin: Option<i32>,
    /// From 1 (easy) to 10 (hard).
    pub difficulty: u32,
    /// Wrong moves that look about as good as the solution, or better, to a shallow search.
    pub tries: u32,
    /// Whether a shallow search prefers another move.
    pub hidden: bool,
    /// Nodes of the proof.
    pub nodes: u64,
}

/// A puzzle without its solution.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct PuzzleTask {
    /// Its name.
    pub id: String,
    /// The game.
    pub game: String,
    /// The position, in the notation of the game.
    pub position: String,
    /// The side to move.
    pub mover: SideName,
    /// What is to be found.
    #[schemars(with = "String")]
    pub goal: PuzzleGoal,
    /// The task in words: `win in 5 plies`.
    pub task: String,
    /// Plies to the goal.
    pub plies: u32,
    /// Moves that the mover has to find.
    pub to_find: u32,
    /// From 1 (easy) to 10 (hard).
    pub difficulty: u32,
}

/// Asks for the puzzles that ship.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct PuzzleListRequest {
    /// The least difficulty.
    pub from: Option<u32>,
    /// The greatest difficulty.
    pub to: Option<u32>,
}

/// An answer to a puzzle.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct PuzzleAnswerRequest {
    /// The puzzle.
    pub id: String,
    /// The moves since the position of the puzzle: those of the solver, and the replies that were given to them.
    pub moves: Vec<String>,
}

/// What an answer is worth.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum PuzzleVerdict {
    /// The puzzle is solved.
    Solved,
    /// The last move is right, and there is more to find.
    Right,
    /// The last move does not solve it.
    Wrong,
}

/// The feedback to an answer.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct PuzzleFeedback {
    /// The verdict.
    pub verdict: PuzzleVerdict,
    /// The reply of the other side to a right move.
    pub reply: Option<String>,
    /// Moves that are still to be found.
    pub to_find: u32,
    /// The feedback in words.
    pub text: String,
    /// The solution, once the puzzle is solved.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub solution: Option<Vec<String>>,
}

/// Finds the puzzle of a finished game, if there is one.
type PuzzleFinder<G> =
    fn(&mut dyn PuzzleSolver<G>, &Record<G>, &CancelToken) -> Result<Option<FoundPuzzle<G>>, SpecError>;

/// How the puzzles of a game are found and solved.
pub struct PuzzleCapability<G: Playable> {
    solver: fn() -> Box<dyn PuzzleSolver<G>>,
    find: PuzzleFinder<G>,
    /// The engine of the games that puzzles come from.
    source: &'static str,
    /// The longest solution in plies.
    longest: u32,
    /// The file that ships.
    shipped: &'static str,
}

impl<G: Playable> Clone for PuzzleCapability<G> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<G: Playable> Copy for PuzzleCapability<G> {}

impl<G: Playable> Registration<G> {
    /// It has puzzles; this file of them ships.
    pub fn puzzles(mut self, shipped: &'static str) -> Registration<G>
    where
        G: HasPuzzles,
    {
        self.puzzles = Some(PuzzleCapability {
            solver: G::puzzle_solver,
            find: puzzle_of_game::<G>,
            source: G::SOURCE,
            longest: G::LONGEST,
            shipped,
        });
        self
    }

    fn puzzle_capability(&self) -> Result<PuzzleCapability<G>, Error> {
        self.puzzles.ok_or_else(|| Error::invalid(format!("{} has no puzzles", G::NAME)))
    }
}

/// Puzzles.
pub trait PuzzleApi {
    /// Whether the game has puzzles.
    fn has_puzzles(&self) -> bool;

    /// The puzzles that ship, without their solutions, in the order of the file.
    ///
    /// # Errors
    /// The game has no puzzles.
    fn list_puzzles(&self, request: &PuzzleListRequest) -> Result<Vec<PuzzleTask>, Error>;

    /// A puzzle that ships, with its solution.
    ///
    /// # Errors
    /// There is no such puzzle.
    fn puzzle(&self, id: &str) -> Result<Puzzle, Error>;

    /// Checks an answer to a puzzle that ships. A later move need not be that of the solution, if it wins as fast.
    ///
    /// # Errors
    /// There is no such puzzle, a move is illegal, or it was cancelled.
    fn check_answer(&self, request: &PuzzleAnswerRequest, context: Context<'_>) -> Result<PuzzleFeedback, Error>;

    /// Makes puzzles from games of an engine with itself, and writes them to a file. `events` gets each as it is found.
    ///
    /// # Errors
    /// The game has no puzzles, the file cannot be written, or it was cancelled.
    fn make_puzzles(
        &self,
        request: &MakePuzzlesRequest,
        context: Context<'_>,
        events: &mut dyn FnMut(&Puzzle),
    ) -> Result<MakePuzzlesSummary, Error>;

    /// Solves every puzzle of a file again.
    ///
    /// # Errors
    /// The file cannot be read, or it was cancelled. Wrong puzzles are part of the response.
    fn verify_puzzles(&self, path: &std::path::Path, threads: usize, context: Context<'_>)
    -> Result<PuzzleFile, Error>;
}

impl<G: Playable> PuzzleApi for Registration<G> {
    fn has_puzzles(&self) -> bool {
        self.puzzles.is_some()
    }

    fn list_puzzles(&self, request: &PuzzleListRequest) -> Result<Vec<PuzzleTask>, Error> {
        let fits = |puzzle: &Puzzle| {
            request.from.is_none_or(|from| puzzle.difficulty >= from)
                && request.to.is_none_or(|to| puzzle.difficulty <= to)
        };
        Ok(self.shipped_puzzles()?.filter(fits).map(|puzzle| puzzle.task()).collect())
    }

    fn puzzle(&self, id: &str) -> Result<Puzzle, Error> {
        let mut puzzles = self.shipped_puzzles()?;
        puzzles.find(|puzzle| puzzle.id == id).ok_or_else(|| {
            let count = self.puzzles.map_or(0, |puzzles| puzzles.shipped.lines().count());
            Error::field("id", format!("there is no puzzle {id:?}; there are {0}-1 to {0}-{count}", G::NAME))
        })
    }

    fn check_answer(&self, request: &PuzzleAnswerRequest, context: Context<'_>) -> Result<PuzzleFeedback, Error> {
        let puzzle = self.puzzle(&request.id)?;
        let mut record = puzzle.record::<G>()?;
        let mover = record.now().mover();
        let Some((last, before)) = request.moves.split_last() else {
            return Err(Error::field("moves", "no move; the answer is the list of moves since the position"));
        };
        let illegal = |error: String| Error::field("moves", error);
        for (index, text) in before.iter().enumerate() {
            record.push_text(text).map_err(|error| illegal(error.at_move(index + 1, text).to_string()))?;
        }
        if record.ending().is_some() || record.now().mover() != mover {
            return Err(illegal("the last move must be one of the side that solves the puzzle".to_owned()));
        }
        let position = record.now().clone();
        let played = record.plies().len() as u32;
        let mv = position.clone().parse_move(last).map_err(|error| illegal(error.to_string()))?;
        record.push(mv).map_err(|error| illegal(error.to_string()))?;
        let wrong = PuzzleFeedback {
            verdict: PuzzleVerdict::Wrong,
            reply: None,
            to_find: (puzzle.plies.saturating_sub(played)).div_ceil(2),
            text: format!("{last} does not {}", puzzle.aim(puzzle.plies.saturating_sub(played))),
            solution: None,
        };
        let solved = PuzzleFeedback {
            verdict: PuzzleVerdict::Solved,
            reply: None,
            to_find: 0,
            text: format!("{last} is right; solved"),
            solution: Some(puzzle.solution.clone()),
        };
        let left = puzzle.plies.saturating_sub(played);
        if played == 0 && puzzle.solution.first() != Some(&position.print_move(mv)) || left == 0 {
            return Ok(wrong);
        }
        let wins = record.ending().is_some_and(|ending| ending.winner == Some(mover));
        if wins || puzzle.goal == PuzzleGoal::BestMove {
            return Ok(solved);
        }
        let mut solver = (self.puzzle_capability()?.solver)();
        let solve = |solver: &mut dyn PuzzleSolver<G>, record: &Record<G>, plies| {
            solver.solve(record, plies, context.cancel).map_err(|_| Error::Cancelled)
        };
        if played > 0 {
            let before = record.up_to(record.plies().len() - 1);
            let solution = solve(solver.as_mut(), &before, left)?;
            if !solution.is_some_and(|solution| solution.solving.contains(&mv)) {
                return Ok(wrong);
            }
        }
        // The reply that resists longest: that of the solution, or one found by the solver.
        let reply = self.longest_defence(&puzzle, &record, left - 1, solver.as_mut(), context.cancel)?;
        let to_find = (left - 1).div_ceil(2).min(puzzle.to_find());
        let text = format!("{last} is right; go on");
        let reply = reply.map(|mv| record.now().print_move(mv));
        Ok(PuzzleFeedback { verdict: PuzzleVerdict::Right, reply, to_find, text, solution: None })
    }

    fn make_puzzles(
        &self,
        request: &MakePuzzlesRequest,
        context: Context<'_>,
        events: &mut dyn FnMut(&Puzzle),
    ) -> Result<MakePuzzlesSummary, Error> {
        self.make_puzzle_file(request, context, events)
    }

    fn verify_puzzles(
        &self,
        path: &std::path::Path,
        threads: usize,
        context: Context<'_>,
    ) -> Result<PuzzleFile, Error> {
        self.verify_puzzle_file(path, threads, context)
    }
}

impl<G: Playable> Registration<G> {
    fn shipped_puzzles(&self) -> Result<impl Iterator<Item = Puzzle>, Error> {
        // The test of this file parses every line.
        Ok(self.puzzle_capability()?.shipped.lines().filter_map(|line| serde_json::from_str(line).ok()))
    }

    /// The reply after which the solver needs the most plies.
    fn longest_defence(
        &self,
        puzzle: &Puzzle,
        record: &Record<G>,
        left: u32,
        solver: &mut dyn PuzzleSolver<G>,
        cancel: &CancelToken,
    ) -> Result<Option<G::Move>, Error> {
        let played = record.plies().len();
        let line: Vec<String> = crate::online::moves_of(record).split(' ').map(str::to_owned).collect();
        if puzzle.solution.starts_with(&line)
            && let Some(text) = puzzle.solution.get(played)
            && let Ok(mv) = record.now().clone().parse_move(text)
        {
            return Ok(Some(mv));
        }
        let mut list = G::Moves::default();
        record.now().clone().moves(&mut list);
        let mut longest: Option<(u32, G::Move)> = None;
        for mv in tesuji_game::MoveList::each(&list) {
            let mut after = record.clone();
            if after.push(mv).is_err() {
                continue;
            }
            let solution = match after.ending() {
                Some(_) => None,
                None => solver.solve(&after, left.saturating_sub(1), cancel).map_err(|_| Error::Cancelled)?,
            };
            let plies = solution.map_or(0, |solution| solution.plies);
            if longest.is_none_or(|(most, _)| plies > most) {
                longest = Some((plies, mv));
            }
        }
        Ok(longest.map(|(_, mv)| mv))
    }
}

impl Puzzle {
    /// The position as a game of its own.
    pub(crate) fn record<G: Playable>(&self) -> Result<Record<G>, Error> {
        let position = G::parse(&self.position).map_err(|error| Error::failed(format!("{}: {error}", self.id)))?;
        Ok(Record::new(position))
    }

    /// Moves that the mover has to find.
    pub fn to_find(&self) -> u32 {
        self.plies.div_ceil(2)
    }

    /// The goal in words, with so many plies to go.
    fn aim(&self, plies: u32) -> String {
        match (self.goal, plies) {
            (PuzzleGoal::BestMove, _) => "give the best score".to_owned(),
            (PuzzleGoal::Win, 1) => "win at once".to_owned(),
            (PuzzleGoal::Mate, 1) => "mate at once".to_owned(),
            (PuzzleGoal::Win, plies) => format!("win in {plies} plies"),
            (PuzzleGoal::Mate, plies) => format!("mate in {plies} plies"),
        }
    }

    /// The puzzle without its solution.
    pub fn task(&self) -> PuzzleTask {
        let task = match self.goal {
            PuzzleGoal::BestMove => "find the best move".to_owned(),
            PuzzleGoal::Win | PuzzleGoal::Mate => self.aim(self.plies),
        };
        PuzzleTask {
            id: self.id.clone(),
            game: self.game.clone(),
            position: self.position.clone(),
            mover: self.mover,
            goal: self.goal,
            task,
            plies: self.plies,
            to_find: self.to_find(),
            difficulty: self.difficulty,
        }
    }
}

/// The side to move of a record.
fn mover<G: Playable>(record: &Record<G>) -> SideName {
    let side: Side = record.now().mover();
    side.into()
}
