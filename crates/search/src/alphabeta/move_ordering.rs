//! Move ordering of a node: scores, the next move, and what a beta cutoff teaches.

use tesuji_game::{Game, Move, MoveList};

use super::abdada::DEFER_DEPTH;
use super::worker::Worker;
use crate::ordering::{self, KILLER};
use crate::{Eval, Heuristics, NodeContext};

impl<G: Game, E: Eval<G>, H: Heuristics<G, E>> Worker<'_, G, E, H> {
    /// Scores the generated moves: TT move, heuristics, history and killers, and the evaluation of what they lead to.
    pub(super) fn score_moves(&mut self, at: &NodeContext, tt_move: Option<u32>) {
        let (side, ply, shared) = (self.game.mover(), at.ply as usize, self.shared);
        let by_eval = at.depth >= H::EVAL_ORDERING_DEPTH;
        let frame = &mut self.stack[ply];
        frame.deferred.clear();
        frame.picks.clear();
        frame.picks.extend(frame.list.each().map(|mv| ordering::pick(0, mv.to_bits())));
        let killers = frame.killers;
        let count = frame.picks.len();
        for index in 0..count {
            let bits = ordering::bits(self.stack[ply].picks[index]);
            let score = if tt_move == Some(bits) {
                i32::MAX
            } else {
                let mv = G::Move::from_bits(bits);
                let key = shared.heuristics.history_key(&self.game, mv);
                let killer = if killers.contains(&Some(key)) { KILLER } else { 0 };
                let learned = self.history.score(side, key) + killer;
                let own = shared.heuristics.score_move(&self.game, mv);
                let looked = if by_eval { self.eval_after(ply, mv) } else { 0 };
                own.saturating_add(learned).saturating_add(looked).min(i32::MAX - 1)
            };
            self.stack[ply].picks[index] = ordering::pick(score, bits);
        }
    }

    /// The static evaluation after a move, for the side that makes it, on the scale of move ordering.
    fn eval_after(&mut self, ply: usize, mv: G::Move) -> i32 {
        let undo = self.play(ply, mv);
        let value = match self.game.outcome() {
            Some(outcome) => self.shared.eval.terminal_value(&self.game, outcome),
            None => self.static_eval(ply + 1),
        };
        self.game.undo(undo);
        -i32::from(value.get()) * self.shared.heuristics.eval_ordering_scale()
    }

    /// The next move, and whether it was deferred (simplified ABDADA). Deferred moves come after all others.
    #[inline]
    pub(super) fn next_move(&mut self, ply: usize, index: &mut usize, key: u64, depth: u32) -> Option<(u32, bool)> {
        let frame = &mut self.stack[ply];
        while *index < frame.picks.len() {
            let pick = ordering::next(&mut frame.picks, *index);
            *index += 1;
            let bits = ordering::bits(pick);
            let deferred = self
                .shared
                .abdada
                .as_ref()
                .is_some_and(|abdada| *index > 1 && depth >= DEFER_DEPTH && abdada.defer_move(key, bits, depth));
            if !deferred {
                return Some((bits, false));
            }
            frame.deferred.push(pick);
        }
        frame.deferred.pop().map(|pick| (ordering::bits(pick), true))
    }

    /// Updates history and killers after a beta cutoff by the move `bits`; `tried` moves were picked until then.
    #[inline]
    pub(super) fn update_history(&mut self, ply: usize, bits: u32, depth: u32, tried: usize) {
        let (side, shared) = (self.game.mover(), self.shared);
        let frame = &mut self.stack[ply];
        let tried = tried.min(frame.picks.len());
        let others = frame.picks[..tried].iter().map(|&pick| ordering::bits(pick)).filter(|&other| other != bits);
        for (bits, good) in others.map(|other| (other, false)).chain([(bits, true)]) {
            let mv = G::Move::from_bits(bits);
            self.history.update(side, shared.heuristics.history_key(&self.game, mv), depth, good);
        }
        let key = shared.heuristics.history_key(&self.game, G::Move::from_bits(bits));
        if frame.killers[0] != Some(key) {
            frame.killers = [Some(key), frame.killers[0]];
        }
    }
}
