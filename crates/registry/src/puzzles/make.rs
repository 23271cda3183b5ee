//! Making puzzles: games of an engine with itself, searched for positions with one solution.

use std::collections::HashSet;
use std::path::PathBuf;

use serde::{Deserialize, Serialize};
use tesuji_engines::Spec;
use tesuji_engines::puzzles::{FoundPuzzle, PuzzleSolver};
use tesuji_game::{Record, perft};
use tesuji_store::save;
use tesuji_task::{Context, cores, ordered_stream};

use super::{PUZZLE_SCHEMA, Puzzle, mover};
use crate::{Error, Playable, Registration};

/// Games per puzzle that are tried before it is given up.
const MAX_GAMES: u32 = 2000;

/// Asks for puzzles.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct MakePuzzlesRequest {
    /// How many.
    pub count: usize,
    /// The new file.
    pub out: PathBuf,
    /// The seed of the games.
    #[serde(default)]
    pub seed: u64,
    /// The engine of the games; one that makes mistakes if absent.
    #[serde(default)]
    pub engine: Option<String>,
    /// Threads; all cores when absent. The puzzles do not depend on them.
    #[serde(default)]
    pub threads: Option<usize>,
}

/// What was made.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct MakePuzzlesSummary {
    /// The game.
    pub game: String,
    /// Puzzles written.
    pub puzzles: usize,
    /// Games that were played for them.
    pub games: u32,
    /// Puzzles by difficulty, from 1 to 10.
    pub difficulties: [usize; 10],
    /// The file.
    pub out: String,
}

impl<G: Playable> Registration<G> {
    pub(super) fn make_puzzle_file(
        &self,
        request: &MakePuzzlesRequest,
        context: Context<'_>,
        events: &mut dyn FnMut(&Puzzle),
    ) -> Result<MakePuzzlesSummary, Error> {
        let capability = self.puzzle_capability()?;
        let shown = request.out.display().to_string();
        if request.out.exists() {
            return Err(Error::field("out", format!("{shown} is there already; name a new file")));
        }
        let engine = request.engine.as_deref().unwrap_or(capability.source);
        let spec = Spec::parse(engine).map_err(|error| Error::field("engine", error))?;
        // A bad spec is reported before the work starts.
        (self.engines.make)(&spec).map_err(|error| Error::field("engine", error))?;
        let (mut puzzles, mut games, mut seen) = (Vec::new(), 0, HashSet::new());
        let find = |number: u32, emit: &mut dyn FnMut(Option<(u128, Puzzle)>) -> bool| {
            let Some(record) = self.puzzle_source(&spec, request.seed, number, context) else { return };
            let mut solver = (capability.solver)();
            let found = (capability.find)(solver.as_mut(), &record, context.cancel).ok().flatten();
            let puzzle = found.and_then(|found| self.as_puzzle(&found, solver.as_mut(), context));
            if !context.is_cancelled() {
                emit(puzzle);
            }
        };
        let threads = request.threads.unwrap_or_else(cores);
        let most = (request.count as u32).saturating_mul(MAX_GAMES);
        ordered_stream(threads, 4 * threads, 0..most, find, context.cancel, |found| {
            games += 1;
            if let Some((identity, mut puzzle)) = found
                && seen.insert(identity)
            {
                puzzle.id = format!("{}-{}", G::NAME, puzzles.len() + 1);
                events(&puzzle);
                puzzles.push(puzzle);
                context.report(puzzles.len() as u64, request.count as u64);
            }
            puzzles.len() < request.count
        });
        if context.is_cancelled() {
            return Err(Error::Cancelled);
        }
        let mut text = String::new();
        let mut difficulties = [0; 10];
        for puzzle in &puzzles {
            difficulties[(puzzle.difficulty.clamp(1, 10) - 1) as usize] += 1;
            text.push_str(&serde_json::to_string(puzzle).map_err(Error::failed)?);
            text.push('\n');
        }
        save(&request.out, text.as_bytes()).map_err(Error::failed)?;
        let summary =
            MakePuzzlesSummary { game: G::NAME.to_owned(), puzzles: puzzles.len(), games, difficulties, out: shown };
        if summary.puzzles < request.count {
            let message = format!("only {} of {} puzzles found in {games} games", summary.puzzles, request.count);
            return Err(Error::failed(message));
        }
        Ok(summary)
    }

    /// A game to look for puzzles in.
    fn puzzle_source(&self, spec: &Spec, seed: u64, number: u32, context: Context<'_>) -> Option<Record<G>> {
        let mut spec = spec.clone();
        let own = tesuji_search::Rng::new(seed ^ u64::from(number).rotate_left(32)).draw();
        self.engines.fill_setting(&mut spec, "seed", Some(own.to_string()));
        self.self_play(&spec, seed, number, context)
    }

    /// A found puzzle as a line of a file. It is solved again from the text of its position, which has no history.
    fn as_puzzle(
        &self,
        found: &FoundPuzzle<G>,
        solver: &mut dyn PuzzleSolver<G>,
        context: Context<'_>,
    ) -> Option<(u128, Puzzle)> {
        let position = found.record.now().print();
        let record = Record::new(G::parse(&position).ok()?);
        let longest = self.puzzles?.longest;
        let solution = solver.solve(&record, longest, context.cancel).ok()??;
        if solution.solving.len() != 1 || solution.plies != found.solution.plies {
            return None;
        }
        let now = record.now();
        let identity = self.class.map_or_else(|| perft::identity(now), |class| class(now));
        let puzzle = Puzzle {
            schema: PUZZLE_SCHEMA.to_owned(),
            id: String::new(),
            game: G::NAME.to_owned(),
            position,
            mover: mover(&record),
            goal: solver.goal(),
            plies: solution.plies,
            solution: now.print_line(&solution.line),
            score: solution.score,
            margin: solution.margin,
            difficulty: found.difficulty.level,
            tries: found.difficulty.tries,
            hidden: found.difficulty.hidden,
            nodes: solution.nodes,
        };
        Some((identity, puzzle))
    }
}
