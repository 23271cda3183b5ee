//! The puzzles of each game.

use tesuji_ostle::Ostle;
use tesuji_othello::Othello;
use tesuji_shogi::Shogi;
use tesuji_trax::{Trax, Variant};

use super::{BestMovePuzzles, HasPuzzles, PuzzleSolver, TsumePuzzles, WinPuzzles};

impl HasPuzzles for Othello {
    const SOURCE: &'static str = "level:n=6";
    const LONGEST: u32 = 1;
    /// Two discs.
    const PLAUSIBLE: i16 = 200;

    fn puzzle_solver() -> Box<dyn PuzzleSolver<Othello>> {
        Box::new(BestMovePuzzles::default())
    }
}

impl<V: Variant> HasPuzzles for Trax<V> {
    const SOURCE: &'static str = "level:n=5";
    const LONGEST: u32 = 5;
    const PLAUSIBLE: i16 = 20;

    /// Longer wins are beyond an exhaustive search of this size.
    fn puzzle_solver() -> Box<dyn PuzzleSolver<Trax<V>>> {
        Box::new(WinPuzzles::new(1_500_000, 3, 0, 7))
    }
}

impl HasPuzzles for Ostle {
    const SOURCE: &'static str = "level:n=5";
    const LONGEST: u32 = 7;
    const PLAUSIBLE: i16 = 200;

    fn puzzle_solver() -> Box<dyn PuzzleSolver<Ostle>> {
        Box::new(WinPuzzles::new(1_500_000, 3, 2, 9))
    }
}

impl HasPuzzles for Shogi {
    const SOURCE: &'static str = "level:n=5";
    const LONGEST: u32 = 13;
    const PLAUSIBLE: i16 = 200;

    fn puzzle_solver() -> Box<dyn PuzzleSolver<Shogi>> {
        Box::new(TsumePuzzles::default())
    }
}
