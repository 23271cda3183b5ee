//! Judging positions: not the game's business, nor the search's.

use tesuji_game::{Game, Outcome};

use crate::Value;

/// A judgement kept in step with the moves played.
///
/// One law holds for all: folding [`Eval::advance`] over a game gives what [`Eval::begin`] gives for its last
/// position.
pub trait Eval<G: Game>: Send + Sync {
    /// What is carried from move to move; `()` when nothing is.
    type Memo: Clone + Default + PartialEq + std::fmt::Debug + Send;

    /// The memo of a position, from scratch.
    fn begin(&self, game: &G) -> Self::Memo;

    /// The memo after a move: `after` is the position it led to, `undo` what it overwrote.
    fn advance(&self, memo: &Self::Memo, mv: G::Move, undo: &G::Undo, after: &G, next: &mut Self::Memo);

    /// The memo after a move of nothing, which only a craft that plays such moves needs.
    #[inline]
    fn advance_null(&self, memo: &Self::Memo, after: &G, next: &mut Self::Memo) {
        let _ = memo;
        *next = self.begin(after);
    }

    /// The worth of a position, seen by its mover. The game goes on there.
    fn value(&self, game: &G, memo: &Self::Memo) -> Value;

    /// The worth of a finished game, seen by its mover. A game with a margin tells how much it was won by.
    #[inline]
    fn over(&self, game: &G, outcome: Outcome) -> Value {
        let _ = game;
        Value::over(outcome)
    }
}

/// No judgement at all: only results count.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoEval;

impl<G: Game> Eval<G> for NoEval {
    type Memo = ();

    #[inline]
    fn begin(&self, _: &G) {}

    #[inline]
    fn advance(&self, (): &(), _: G::Move, _: &G::Undo, _: &G, (): &mut ()) {}

    #[inline]
    fn value(&self, _: &G, (): &()) -> Value {
        Value::DRAW
    }
}
