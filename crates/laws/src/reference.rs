//! Comparison with a reference implementation.

use std::cell::Cell;
use std::collections::BTreeSet;

use tesuji_game::{Game, MoveList};

use crate::hold;
use crate::play::{choices, effort, for_all, playout};

/// The least number of compared positions.
const POSITIONS: usize = 10_000;

/// Plays random games in both implementations and compares mover, moves, outcome and board at each of at least 10,000
/// positions.
pub fn reference<Fast: Game, Reference: Game<Move = Fast::Move> + for<'a> From<&'a Fast>>() {
    let compared = Cell::new(0);
    let mut cases = effort() * 2;
    while compared.get() < POSITIONS {
        compared.set(0);
        for_all(cases, choices(), |choices| {
            let mut slow = Reference::start();
            playout(Fast::start(), &choices, |fast, list, chosen| {
                compared.set(compared.get() + 1);
                hold!(Reference::from(fast) == slow, "the boards differ: {fast:?} and {slow:?}");
                hold!(fast.mover() == slow.mover(), "the movers differ: {fast:?} and {slow:?}");
                let fast_moves: BTreeSet<Fast::Move> = list.each().collect();
                let mut slow_list = Reference::Moves::default();
                slow.moves(&mut slow_list);
                let slow_moves: BTreeSet<Fast::Move> = slow_list.each().collect();
                hold!(
                    fast_moves == slow_moves,
                    "only the fast one plays {:?}, only the reference {:?} in {slow:?}",
                    fast_moves.difference(&slow_moves).collect::<Vec<_>>(),
                    slow_moves.difference(&fast_moves).collect::<Vec<_>>()
                );
                let outcomes = (fast.outcome(), slow.outcome());
                hold!(outcomes.0 == outcomes.1, "outcomes {outcomes:?} in {slow:?}");
                hold!(fast.in_check() == slow.in_check(), "they disagree about check in {slow:?}");
                if let Some(mv) = chosen {
                    slow.play(mv);
                }
                Ok(())
            })
        });
        cases *= 2;
    }
}
