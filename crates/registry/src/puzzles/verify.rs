//! Verifying puzzle files: every puzzle is solved again.

use std::fs;
use std::io::{BufRead, BufReader, Read};
use std::path::Path;

use serde::{Deserialize, Serialize};
use tesuji_task::{Context, ordered_stream};

use super::{PUZZLE_SCHEMA, Puzzle, mover};
use crate::{Error, Playable, Registration};

/// A longer first line is no puzzle.
const LONGEST_LINE: u64 = 1 << 20;

/// The result of verifying a puzzle file.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct PuzzleFile {
    /// `final`.
    pub event: String,
    /// The file.
    pub path: String,
    /// Whether every puzzle is right.
    pub right: bool,
    /// The game.
    pub game: String,
    /// Puzzles of the file.
    pub puzzles: usize,
    /// Those that are wrong.
    pub wrong: Vec<WrongPuzzle>,
}

/// A puzzle that is wrong.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct WrongPuzzle {
    /// The line of the file, from 1.
    pub line: usize,
    /// What is wrong.
    pub error: String,
}

/// The game of a puzzle file; `None` if it is no such file.
pub(crate) fn puzzle_file_game(path: &Path) -> Option<String> {
    let mut line = String::new();
    BufReader::new(fs::File::open(path).ok()?.take(LONGEST_LINE)).read_line(&mut line).ok()?;
    let puzzle: Puzzle = serde_json::from_str(&line).ok()?;
    (puzzle.schema == PUZZLE_SCHEMA).then_some(puzzle.game)
}

impl<G: Playable> Registration<G> {
    pub(super) fn verify_puzzle_file(
        &self,
        path: &Path,
        threads: usize,
        context: Context<'_>,
    ) -> Result<PuzzleFile, Error> {
        let text = fs::read_to_string(path)
            .map_err(|error| Error::invalid(format!("cannot read {}: {error}", path.display())))?;
        let lines: Vec<&str> = text.lines().collect();
        let (mut wrong, mut done) = (Vec::new(), 0);
        let check = |index: u32, emit: &mut dyn FnMut(Result<(), String>) -> bool| {
            let checked = self.check_puzzle(lines[index as usize], context);
            if !context.is_cancelled() {
                emit(checked);
            }
        };
        ordered_stream(threads, 4 * threads, 0..lines.len() as u32, check, context.cancel, |checked| {
            done += 1;
            if let Err(error) = checked {
                wrong.push(WrongPuzzle { line: done, error });
            }
            context.report(done as u64, lines.len() as u64);
            true
        });
        if context.is_cancelled() {
            return Err(Error::Cancelled);
        }
        Ok(PuzzleFile {
            event: "final".to_owned(),
            path: path.display().to_string(),
            right: wrong.is_empty(),
            game: G::NAME.to_owned(),
            puzzles: lines.len(),
            wrong,
        })
    }

    /// Solves a puzzle again.
    fn check_puzzle(&self, line: &str, context: Context<'_>) -> Result<(), String> {
        let puzzle: Puzzle = serde_json::from_str(line).map_err(|error| format!("not a puzzle: {error}"))?;
        if puzzle.schema != PUZZLE_SCHEMA || puzzle.game != G::NAME {
            return Err(format!("a puzzle of {:?} in {:?}; this file is of {}", puzzle.schema, puzzle.game, G::NAME));
        }
        let record = puzzle.record::<G>().map_err(|error| error.to_string())?;
        if puzzle.mover != mover(&record) {
            return Err("the other side is to move".to_owned());
        }
        let mut solver = (self.puzzle_capability().map_err(|error| error.to_string())?.solver)();
        let solution = solver.solve(&record, puzzle.plies, context.cancel);
        let solution = solution.map_err(|_| "it could not be solved within the limits".to_owned())?;
        let Some(solution) = solution else { return Err(format!("there is no solution in {} plies", puzzle.plies)) };
        let solving = record.now().print_line(&solution.solving[..1]);
        let all: Vec<String> = solution.solving.iter().map(|&mv| record.now().print_move(mv)).collect();
        if all.len() != 1 {
            return Err(format!("{} moves solve it: {}", all.len(), all.join(" ")));
        }
        if puzzle.solution.first() != solving.first() {
            return Err(format!("{} solves it, not {}", all[0], puzzle.solution.first().map_or("nothing", |mv| mv)));
        }
        let facts = (solution.plies, solution.score, solution.margin, solver.goal());
        if facts != (puzzle.plies, puzzle.score, puzzle.margin, puzzle.goal) {
            return Err(format!("the proof says {facts:?} (plies, score, margin, goal)"));
        }
        let mut line = record.clone();
        for (index, text) in puzzle.solution.iter().enumerate() {
            line.push_text(text).map_err(|error| error.at_move(index + 1, text).to_string())?;
        }
        Ok(())
    }
}
