//! The policy and value of a leaf: from a network, or here from a static evaluation.

use tesuji_game::{Game, MoveList, Path};

use super::WinRateScale;
use crate::{Eval, Proven, SearchSetup, Value};

/// A leaf to evaluate. The search fills in the first two fields, the evaluator the others.
#[derive(Clone, Debug)]
pub struct LeafPosition<G: Game> {
    /// The position; the game is not over.
    pub game: G,
    /// Its legal moves, at least one.
    pub moves: Vec<G::Move>,
    /// The policy as logits, one per move; the search turns them into priors. Initially 0.
    pub policy: Vec<f32>,
    /// The expected win rate of the side to move, from 0 to 1.
    pub value: f32,
}

impl<G: Game> LeafPosition<G> {
    /// A leaf before its evaluation.
    pub fn new(game: G, list: &G::Moves) -> LeafPosition<G> {
        let moves: Vec<G::Move> = list.each().collect();
        let policy = vec![0.0; moves.len()];
        LeafPosition { game, moves, policy, value: 0.5 }
    }
}

/// An evaluator of leaves: a policy (priors of the moves) and a value.
pub trait PolicyValue<G: Game>: Send + Sync {
    /// Evaluates a batch of leaves.
    fn evaluate(&self, batch: &mut [LeafPosition<G>]);

    /// The most leaves that the search evaluates at once. It looks at the clock and at its cancellation token in
    /// between, so a slow evaluator allows few.
    fn most_at_once(&self) -> usize {
        usize::MAX
    }

    /// Called once before a search from the end of `path`. Reads the rule options of the game. The tree is cleared if
    /// known results no longer hold.
    fn prepare(&mut self, path: &Path<G>) -> SearchSetup {
        let _ = path;
        SearchSetup::default()
    }

    /// A result known without evaluation: a mate found by a cheap test, a claim (a win in 0). It must hold on every
    /// path to the position.
    fn known_result(&self, game: &mut G) -> Option<Proven> {
        let _ = game;
        None
    }
}

impl<G: Game, P: PolicyValue<G>> PolicyValue<G> for &P {
    fn evaluate(&self, batch: &mut [LeafPosition<G>]) {
        (**self).evaluate(batch);
    }

    fn most_at_once(&self) -> usize {
        (**self).most_at_once()
    }

    fn known_result(&self, game: &mut G) -> Option<Proven> {
        (**self).known_result(game)
    }
}

/// Policy and value from a static evaluation: the value is that of the position, the policy that of the positions after
/// each move.
#[derive(Clone, Copy, Debug)]
pub struct EvalPolicy<E> {
    eval: E,
    value: WinRateScale,
    policy: WinRateScale,
}

impl<E> EvalPolicy<E> {
    /// `value` converts the evaluation to win rates; `policy` is the number of units that make a move e times as
    /// likely.
    pub fn new(eval: E, value: WinRateScale, policy: WinRateScale) -> EvalPolicy<E> {
        EvalPolicy { eval, value, policy }
    }
}

impl<G: Game, E: Eval<G>> PolicyValue<G> for EvalPolicy<E> {
    fn evaluate(&self, batch: &mut [LeafPosition<G>]) {
        let mut replies = G::Moves::default();
        let mut next = E::Accumulator::default();
        for LeafPosition { game, moves, policy, value } in batch {
            let accumulator = self.eval.begin(game);
            *value = self.value.rate(self.eval.value(game, &accumulator)) as f32;
            for (&mv, logit) in moves.iter().zip(policy) {
                let undo = game.play(mv);
                self.eval.advance(&accumulator, mv, &undo, game, &mut next);
                game.moves(&mut replies);
                let over = if replies.is_empty() { game.outcome() } else { None };
                let after = match over {
                    Some(outcome) => self.eval.terminal_value(game, outcome),
                    None => self.eval.value(game, &next),
                };
                game.undo(undo);
                *logit = self.logit(after.to_parent());
            }
        }
    }
}

impl<E> EvalPolicy<E> {
    fn logit(&self, value: Value) -> f32 {
        // Large enough for nearly the whole prior, small enough for `f32`.
        const CERTAIN: f32 = 20.0;
        match value.proven() {
            Some(Proven::Win(_)) => CERTAIN,
            Some(Proven::Loss(_)) => -CERTAIN,
            None => (f32::from(value.get()) / self.policy.units() as f32).clamp(-CERTAIN, CERTAIN),
        }
    }
}
