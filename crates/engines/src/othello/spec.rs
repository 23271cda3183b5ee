//! The engine kind `expert`, which only Othello has: `expert:level=21`, `expert:time=1s,threads=2`.

use tesuji_othello::Othello;
use tesuji_search::Engine;

use super::{OthelloEngine, PatternEval, ProbCutParameters, Solver, Strength};
use crate::book::BookSource;
use crate::kind::{DEPTH, HASH, NODES, THREADS, TIME, setting};
use crate::limited::Limited;
use crate::{EngineKind, Spec, SpecError};

/// The engine kind with its settings.
pub(super) const EXPERT: EngineKind = EngineKind {
    name: "expert",
    about: "searches with the pattern evaluation and solves the endgame",
    settings: &[
        setting(
            "level",
            "level of play from 1 to 60: the depth in plies; solves from twice as many empties (no limit)",
        ),
        setting("solve", "solve the score from this many empties on, whatever the depth (by level and time)"),
        setting("wld", "solve win, loss or draw from this many empties on (two more than the score)"),
        setting("weights", "a file made by `tesuji train othello` (the shipped one)"),
        setting("book", "a file made by `tesuji book build othello`, or none (the shipped one)"),
        setting("cuts", "a file made by `tesuji train probcut othello` (the shipped one)"),
        DEPTH,
        NODES,
        TIME,
        HASH,
        THREADS,
    ],
};

/// The default size of the transposition table, enough for most endgames.
const DEFAULT_HASH_MIB: u64 = 64;

/// Builds the engine of a spec.
pub(super) fn expert(spec: &Spec) -> Result<Box<dyn Engine<Othello>>, SpecError> {
    let level = spec.number("level", 1, u64::from(Strength::MAX))?;
    let hash = spec.number("hash", 1, 1 << 20)?.unwrap_or(DEFAULT_HASH_MIB);
    let threads = spec.number("threads", 1, 1024)?.unwrap_or(1);
    let eval = match spec.get("weights") {
        None => PatternEval::shipped(),
        Some(file) => PatternEval::load(file).map_err(|error| SpecError::value("weights", file, error))?,
    };
    let book = BookSource::of_spec(spec)?;
    let cuts = match spec.get("cuts") {
        None => ProbCutParameters::shipped(),
        Some(file) => ProbCutParameters::load(file).map_err(|error| SpecError::value("cuts", file, error))?,
    };
    let solver = Solver::new(hash as usize, eval).probcut(&cuts).threads(threads as usize);
    let strength = level.map(|level| Strength::new(level as u32));
    let mut engine = OthelloEngine::new(solver, strength).with_book(book);
    if let Some(empties) = spec.number("solve", 0, 60)? {
        engine = engine.solve_from(empties as u32);
    }
    if let Some(empties) = spec.number("wld", 0, 60)? {
        engine = engine.wld_from(empties as u32);
    }
    Limited::of_spec(spec, engine)
}
