//! The kind of engine that Othello has besides those of every game: `expert:level=21`, `expert:time=1s,threads=2`.

use std::sync::Arc;

use tesuji_othello::Othello;
use tesuji_search::Engine;

use super::{Book, Cuts, Expert, Pattern, Shelved, Solver, Strength};
use crate::limited::{Limited, limits};
use crate::roster::{DEPTH, HASH, NODES, THREADS, TIME, setting};
use crate::{Kind, Spec, SpecError};

/// The kind of engine that Othello has besides.
pub(super) const EXPERT: Kind = Kind {
    name: "expert",
    about: "searches by learned patterns, and solves the end of the game",
    settings: &[
        setting(
            "level",
            "from 1 to 60: plies to look ahead, and the end solved from twice as many (no limit)",
        ),
        setting(
            "solve",
            "empty squares from which on the end is solved, whatever the depth (by level and time)",
        ),
        setting("wld", "empty squares from which on it is made certain who wins (two more than are solved)"),
        setting("weights", "a file made by `tesuji train othello` (those that ship)"),
        setting("book", "a file made by `tesuji book othello build`, or none (the one that ships)"),
        setting("cuts", "a file made by `tesuji train cuts othello` (the one that ships)"),
        DEPTH,
        NODES,
        TIME,
        HASH,
        THREADS,
    ],
};

/// Positions that the end of a game may need more than the middle: tables of this size hold them.
const USUAL_MIB: u64 = 64;

/// The engine of a spec.
pub(super) fn expert(spec: &Spec) -> Result<Box<dyn Engine<Othello>>, SpecError> {
    let level = spec.number("level", 1, u64::from(Strength::MOST))?;
    let hash = spec.number("hash", 1, 1 << 20)?.unwrap_or(USUAL_MIB);
    let threads = spec.number("threads", 1, 1024)?.unwrap_or(1);
    let eval = match spec.get("weights") {
        None => Pattern::shipped(),
        Some(file) => Pattern::load(file).map_err(|error| SpecError::value("weights", file, error))?,
    };
    let book = match spec.get("book") {
        None => Shelved::Shipped,
        Some("none") => Shelved::None,
        Some(file) => {
            let book = Book::load(file).map_err(|error| SpecError::value("book", file, error))?;
            Shelved::Own(Arc::new(book))
        }
    };
    let cuts = match spec.get("cuts") {
        None => Cuts::shipped(),
        Some(file) => Cuts::load(file).map_err(|error| SpecError::value("cuts", file, error))?,
    };
    let solver = Solver::new(hash as usize, eval).cuts(&cuts).threads(threads as usize);
    let strength = level.map(|level| Strength::new(level as u32));
    let mut expert = Expert::new(solver, strength).with(book);
    if let Some(empties) = spec.number("solve", 0, 60)? {
        expert = expert.solve(empties as u32);
    }
    if let Some(empties) = spec.number("wld", 0, 60)? {
        expert = expert.decide(empties as u32);
    }
    Ok(Box::new(Limited::new(Box::new(expert), limits(spec)?)))
}
