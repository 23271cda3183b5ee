//! What judges leaves: a network, or here any static evaluation.

use tesuji_game::{Game, MoveList, Path};

use super::Scale;
use crate::{Eval, Proven, Terms, Value};

/// A position to be judged. The search fills in the first two fields, the provider the others.
#[derive(Clone, Debug)]
pub struct Leaf<G: Game> {
    /// The position; it goes on.
    pub game: G,
    /// Its legal moves, at least one.
    pub moves: Vec<G::Move>,
    /// How good each move looks, as logits: the search makes shares of them. As many as `moves`, all 0.
    pub policy: Vec<f32>,
    /// The share of points the mover can expect, from 0 to 1.
    pub value: f32,
}

impl<G: Game> Leaf<G> {
    /// A leaf with nothing judged.
    pub fn new(game: G, list: &G::Moves) -> Leaf<G> {
        let moves: Vec<G::Move> = list.each().collect();
        let policy = vec![0.0; moves.len()];
        Leaf { game, moves, policy, value: 0.5 }
    }
}

/// A judge of positions and moves.
pub trait PolicyValue<G: Game>: Send + Sync {
    /// Judges all leaves of a batch.
    fn judge(&self, batch: &mut [Leaf<G>]);

    /// A search from the end of this path begins: the time to read the options of its game. What the tree
    /// knows is forgotten when verdicts told before hold no more; its own walks see to the length of games.
    fn prepare(&mut self, path: &Path<G>) -> Terms {
        let _ = path;
        Terms::default()
    }

    /// A verdict that needs no judgement: a mate found by a test cheaper than a search, a claim (a win in 0).
    /// It must hold whatever way led to the position.
    fn verdict(&self, game: &mut G) -> Option<Proven> {
        let _ = game;
        None
    }
}

impl<G: Game, P: PolicyValue<G>> PolicyValue<G> for &P {
    fn judge(&self, batch: &mut [Leaf<G>]) {
        (**self).judge(batch);
    }

    fn verdict(&self, game: &mut G) -> Option<Proven> {
        (**self).verdict(game)
    }
}

/// A provider made from a static evaluation: a position is worth what it says, and a move what it says of the
/// position behind it.
#[derive(Clone, Copy, Debug)]
pub struct Judge<E> {
    eval: E,
    value: Scale,
    policy: Scale,
}

impl<E> Judge<E> {
    /// `value` tells how the evaluation's unit makes win rates, `policy` how many units better a move must be
    /// to look e times as likely.
    pub fn new(eval: E, value: Scale, policy: Scale) -> Judge<E> {
        Judge { eval, value, policy }
    }
}

impl<G: Game, E: Eval<G>> PolicyValue<G> for Judge<E> {
    fn judge(&self, batch: &mut [Leaf<G>]) {
        let mut replies = G::Moves::default();
        let mut next = E::Memo::default();
        for Leaf { game, moves, policy, value } in batch {
            let memo = self.eval.begin(game);
            *value = self.value.rate(self.eval.value(game, &memo)) as f32;
            for (&mv, logit) in moves.iter().zip(policy) {
                let undo = game.play(mv);
                self.eval.advance(&memo, mv, &undo, game, &mut next);
                game.moves(&mut replies);
                let over = if replies.is_empty() { game.outcome() } else { None };
                let after = match over {
                    Some(outcome) => self.eval.over(game, outcome),
                    None => self.eval.value(game, &next),
                };
                game.undo(undo);
                *logit = self.logit(after.back());
            }
        }
    }
}

impl<E> Judge<E> {
    fn logit(&self, value: Value) -> f32 {
        // Enough to take nearly all tries, and no more than a share can hold.
        const CERTAIN: f32 = 20.0;
        match value.proven() {
            Some(Proven::Win(_)) => CERTAIN,
            Some(Proven::Loss(_)) => -CERTAIN,
            None => (f32::from(value.get()) / self.policy.units() as f32).clamp(-CERTAIN, CERTAIN),
        }
    }
}
