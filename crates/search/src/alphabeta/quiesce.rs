//! Beyond the last ply: moves that must be looked at before a position may be judged.

use tesuji_game::Game;

use super::found::Found;
use super::worker::{LONGEST, Worker};
use crate::{Best, Eval, Heuristics, NodeContext, Value};

impl<G: Game, E: Eval<G>, C: Heuristics<G, E>> Worker<'_, G, E, C> {
    /// The value of a position with no plies left to look ahead, `beyond` plies into quiescence.
    pub(super) fn quiesce(&mut self, ply: usize, beyond: u32, alpha: Value, beta: Value) -> Found {
        debug_assert!(alpha < beta, "{alpha} {beta}");
        if self.tick() {
            return Found::NOTHING;
        }
        self.deepest = self.deepest.max(ply);
        let mut key = 0;
        if G::RECURS {
            key = self.game.key();
            if let Some(found) = self.repeated(ply, key) {
                return found;
            }
        }
        if let Some(found) = self.drawn_out(ply) {
            return found;
        }
        let shared = self.shared;
        let mut situation = NodeContext {
            ply: ply as u32,
            depth: 0,
            beyond,
            tried: 0,
            open: beta > alpha.above(),
            alpha,
            beta,
            value: None,
        };
        if let Some(value) = shared.craft.verdict(&mut self.game, &situation) {
            return Found::truth(value);
        }
        if let Some(outcome) = shared.craft.over(&mut self.game) {
            return Found::truth(shared.eval.over(&self.game, outcome));
        }
        if let Some(found) = Found::by_distance(alpha, beta) {
            return found;
        }
        let value = self.judgement(ply);
        if ply >= LONGEST {
            return Found::estimate(value);
        }
        situation.value = Some(value);
        let noisy = &mut self.frames[ply].noisy;
        noisy.clear();
        let stands = shared.craft.restless(&mut self.game, &situation, noisy);
        let count = noisy.len();
        if count == 0 {
            return Found::estimate(value);
        }
        let mut best = if stands { Best::leaf(value) } else { Best::NONE };
        let mut rests = Found { whole: !stands, ..Found::truth(value) };
        self.trail.push(&self.game, key);
        for index in 0..count {
            situation.alpha = situation.alpha.max(best.value);
            if situation.alpha >= beta {
                break;
            }
            let mv = self.frames[ply].noisy[index];
            let undo = self.step(ply, mv);
            let child = self.quiesce(ply + 1, beyond + 1, beta.ahead(), situation.alpha.ahead());
            self.game.undo(undo);
            if self.halted {
                break;
            }
            rests = rests.with(child);
            best = best.join(Best::by(mv, child.value));
        }
        self.trail.pop(&self.game, key);
        Found { value: best.value, ..rests }.leaving(ply)
    }
}
