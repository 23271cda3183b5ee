//! Searching as if some moves could not be played: what there is beside those that are known already.

use tesuji_othello::{Othello, mobility};
use tesuji_search::CancelToken;

use super::kernel::Kernel;
use super::level::Level;
use super::rounds::rounds;
use super::spot::Spot;
use super::strength::Strength;
use super::table::Reach;
use super::watch::Watch;
use super::{Solved, Solver, Task};

impl Strength {
    /// How many plies this level looks ahead with so many empty squares, and how surely.
    pub fn sight(self, empties: u32) -> (u32, Level) {
        let Reach { depth, level } = self.wanted(empties);
        (u32::from(depth), level)
    }
}

impl Solver {
    /// The best of the moves that are not on `barred` squares, as well as this level finds it. None if there is no such
    /// move, or if it is told to stop before it is done.
    pub fn best_but(
        &mut self,
        game: &Othello,
        strength: Strength,
        barred: u64,
        stop: &CancelToken,
    ) -> Option<Solved> {
        if mobility(game.own(), game.other()) & !barred == 0 {
            return None;
        }
        let wanted = strength.wanted(game.empties().count_ones());
        self.table.turn_page(u32::from(wanted.depth));
        let spot = Spot::new(game.own(), game.other());
        self.on_kernel(Beside { spot, wanted, barred, watch: &Watch::new(stop) })
    }
}

struct Beside<'a> {
    spot: Spot,
    wanted: Reach,
    barred: u64,
    watch: &'a Watch<'a>,
}

impl Task for Beside<'_> {
    type Found = Option<Solved>;

    fn run<K: Kernel>(self, kernel: K, solver: &Solver) -> Option<Solved> {
        let Beside { spot, wanted, barred, watch } = self;
        let mut line = Vec::new();
        let (score, nodes) = solver.together(kernel, &spot, watch, |walk| {
            let empties = spot.node.empties;
            let guess = walk.judged(&spot);
            rounds(empties, wanted, 2).into_iter().fold(guess, |guess, reach| {
                if walk.stopped {
                    guess
                } else {
                    walk.round(&spot, reach, guess, (-65, 65), barred, &mut line)
                }
            })
        })?;
        Some(Solved { score, line, nodes })
    }
}
