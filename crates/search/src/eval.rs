//! Static evaluation with incremental state.

use tesuji_game::{Game, MoveList, Outcome};

use crate::{Rng, Value};

/// A static evaluation, updated incrementally.
///
/// Invariant: folding [`Eval::advance`] over a game equals [`Eval::begin`] of its last position;
/// [`check_incremental`] is the property test.
pub trait Eval<G: Game>: Send + Sync {
    /// The incremental state; `()` when there is none.
    type Accumulator: Clone + Default + PartialEq + std::fmt::Debug + Send;

    /// Refresh: the accumulator of a position, from scratch.
    fn begin(&self, game: &G) -> Self::Accumulator;

    /// Update: the accumulator after `mv`, which led to `after`; `undo` is what the move overwrote.
    fn advance(
        &self,
        accumulator: &Self::Accumulator,
        mv: G::Move,
        undo: &G::Undo,
        after: &G,
        next: &mut Self::Accumulator,
    );

    /// The accumulator after a null move.
    #[inline]
    fn advance_null(&self, accumulator: &Self::Accumulator, after: &G, next: &mut Self::Accumulator) {
        let _ = accumulator;
        *next = self.begin(after);
    }

    /// The static evaluation for the side to move. The game is not over.
    fn value(&self, game: &G, accumulator: &Self::Accumulator) -> Value;

    /// The value of a finished game for the side to move. A game with a margin returns the margin.
    #[inline]
    fn terminal_value(&self, game: &G, outcome: Outcome) -> Value {
        let _ = game;
        Value::over(outcome)
    }
}

/// No evaluation: every unfinished game is a draw.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoEval;

impl<G: Game> Eval<G> for NoEval {
    type Accumulator = ();

    #[inline]
    fn begin(&self, _: &G) {}

    #[inline]
    fn advance(&self, (): &(), _: G::Move, _: &G::Undo, _: &G, (): &mut ()) {}

    #[inline]
    fn value(&self, _: &G, (): &()) -> Value {
        Value::DRAW
    }
}

/// Property test of an evaluation: plays `games` random games of at most `plies` plies and compares the updated
/// accumulator with a refreshed one after every move.
///
/// # Errors
/// Describes the first difference.
#[doc(hidden)]
pub fn check_incremental<G: Game, E: Eval<G>>(eval: &E, games: u64, plies: usize) -> Result<(), String> {
    let mut list = G::Moves::default();
    for seed in 0..games {
        let mut rng = Rng::new(seed);
        let mut game = G::start();
        let mut updated = eval.begin(&game);
        // The old content of the target must not matter.
        let mut next = updated.clone();
        for ply in 1..=plies {
            game.moves(&mut list);
            let Some(mv) = list.each().nth(rng.below(list.len().max(1))) else { break };
            let undo = game.play(mv);
            eval.advance(&updated, mv, &undo, &game, &mut next);
            std::mem::swap(&mut updated, &mut next);
            let refreshed = eval.begin(&game);
            if updated != refreshed {
                return Err(format!(
                    "random game {seed}, ply {ply}, after {mv:?}: updated {updated:?}, refreshed {refreshed:?} in {game:?}"
                ));
            }
            if eval.value(&game, &updated) != eval.value(&game, &refreshed) {
                return Err(format!("random game {seed}, ply {ply}: equal accumulators have different values"));
            }
        }
    }
    Ok(())
}
