//! How hard a puzzle is: from the length of its solution, the plausible tries, and the effort to find it.

use serde::{Deserialize, Serialize};
use tesuji_game::{MoveList, Record};
use tesuji_search::{CancelToken, Limits, Value};

use super::{HasPuzzles, PuzzleSolution};
use crate::{EngineFactory, Spec, SpecError};

/// The shallow search that stands for a first look.
const GLANCE: &str = "alphabeta:depth=2,hash=1";

/// How hard a puzzle is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Difficulty {
    /// From 1 (easy) to 10 (hard).
    pub level: u32,
    /// Wrong moves that look about as good as the solution, or better, to a shallow search.
    pub tries: u32,
    /// Whether a shallow search prefers another move.
    pub hidden: bool,
}

impl Difficulty {
    /// The difficulty of a position with this solution.
    ///
    /// # Errors
    /// The game has no alpha-beta search.
    pub fn of<G: HasPuzzles>(
        record: &Record<G>,
        solution: &PuzzleSolution<G::Move>,
        cancel: &CancelToken,
    ) -> Result<Difficulty, SpecError> {
        let mut engine = (EngineFactory::<G>::of_game().make)(&Spec::parse(GLANCE)?)?;
        let mut list = G::Moves::default();
        record.now().clone().moves(&mut list);
        let limits = Limits { lines: list.len(), ignore_book: true, ..Limits::default() };
        let mut lines = Vec::new();
        engine.think(record, &limits, cancel, &mut |report| lines.clone_from(&report.lines));
        let value = |mv| lines.iter().find(|line| line.moves.first() == Some(&mv)).map(|line| line.value);
        let own = solution.solving.first().and_then(|&mv| value(mv)).unwrap_or(Value::DRAW);
        let others: Vec<Value> = list.each().filter(|mv| !solution.solving.contains(mv)).filter_map(value).collect();
        let plausible = |other: &Value| i32::from(other.get()) >= i32::from(own.get()) - i32::from(G::PLAUSIBLE);
        let tries = others.iter().filter(|&other| plausible(other)).count() as u32;
        let hidden = others.iter().any(|&other| other > own);
        Ok(Difficulty { level: level(solution.plies, tries, hidden, solution.nodes), tries, hidden })
    }
}

/// One point for each further move to find, for each doubling of the tries, for each hundredfold effort, and for a
/// solution that a shallow search does not see.
fn level(plies: u32, tries: u32, hidden: bool, nodes: u64) -> u32 {
    let moves = f64::from(plies.div_ceil(2));
    let effort = (nodes.max(1) as f64).log10() / 2.0;
    let points = (moves - 1.0) + f64::from(1 + tries).log2() + effort + f64::from(u8::from(hidden));
    (points.round() as u32).clamp(1, 10)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn longer_and_better_hidden_is_harder() {
        assert!(level(3, 2, false, 1000) < level(5, 2, false, 1000));
        assert!(level(3, 2, false, 1000) < level(3, 8, false, 1000));
        assert!(level(3, 2, false, 1000) < level(3, 2, true, 1000));
        assert!(level(3, 2, false, 1000) < level(3, 2, false, 1_000_000));
        assert_eq!((level(1, 0, false, 1), level(99, 99, true, u64::MAX)), (1, 10));
    }
}
