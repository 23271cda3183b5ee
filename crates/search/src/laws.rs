//! A law that every evaluation obeys, for the tests of whoever writes one.

use tesuji_game::{Game, MoveList};

use crate::{Eval, Rng};

/// Plays `games` random games of at most `plies` plies from the usual start and compares the memo carried
/// along with the memo made from scratch, after every move.
pub fn evaluation<G: Game, E: Eval<G>>(eval: &E, games: u64, plies: usize) -> Result<(), String> {
    let mut list = G::Moves::default();
    for seed in 0..games {
        let mut rng = Rng::new(seed);
        let mut game = G::start();
        let mut memo = eval.begin(&game);
        // Whatever a memo held before must not matter.
        let mut next = memo.clone();
        for ply in 1..=plies {
            game.moves(&mut list);
            let Some(mv) = list.each().nth(rng.below(list.len().max(1))) else { break };
            let undo = game.play(mv);
            eval.advance(&memo, mv, &undo, &game, &mut next);
            std::mem::swap(&mut memo, &mut next);
            let scratch = eval.begin(&game);
            if memo != scratch {
                return Err(format!(
                    "random game {seed}, ply {ply}, after {mv:?}: carried {memo:?}, from scratch {scratch:?} in {game:?}"
                ));
            }
            if eval.value(&game, &memo) != eval.value(&game, &scratch) {
                return Err(format!("random game {seed}, ply {ply}: equal memos are judged differently"));
            }
        }
    }
    Ok(())
}
