//! Trax: turns that win, and small depths by brute force.

use proptest::collection::vec;
use proptest::prelude::any;
use tesuji_game::{Game, Notation, Outcome, Path};
use tesuji_laws::{for_all, hold, playout};
use tesuji_solve::exact::{ByOutcome, ExactSolver};
use tesuji_trax::{Trax, Unlimited};

use crate::minimax::agrees;

type Board = Trax<Unlimited>;

#[test]
fn small_depths_are_worth_what_brute_force_says() {
    for_all(24, vec(any::<u16>(), 0..24), |choices| {
        let mut last = Board::start();
        playout(Board::start(), &choices, |game, _, _| {
            last = game.clone();
            Ok(())
        })?;
        agrees(&mut ExactSolver::new(ByOutcome, 1), &ByOutcome, &last, &Path::new(&last, ()), Some(2))
    });
}

/// Before the last turn of a random game, its mover could win, unless the turn completed the other's path.
#[test]
fn a_turn_that_wins_is_found() {
    for_all(64, vec(any::<u16>(), 100..=100), |choices| {
        let mut before = None;
        playout(Board::start(), &choices, |game, _, chosen| {
            before = chosen.map(|mv| (game.clone(), mv)).or(before.take());
            Ok(())
        })?;
        let (game, mv) = before.ok_or("no game")?;
        let mut after = game.clone();
        after.play(mv);
        if after.outcome() == Some(Outcome::Loss) {
            let path = Path::new(&game, ());
            let solution = ExactSolver::new(ByOutcome, 1).solve_within(&game, &path, Some(1), &|| true);
            let solution = solution.ok_or("stopped")?;
            hold!(solution.value == 1 && solution.best.contains(&mv), "{mv:?} wins in {}", game.print());
        }
        Ok(())
    });
}
