//! Quiescence search: resolves captures, checks and the like before the static evaluation.

use tesuji_game::{Game, Move};

use super::result::{SearchResult, tt_cutoff};
use super::worker::{MAX_PLY, Worker};
use crate::{Eval, Heuristics, NodeContext, Value, ValuedMove};

impl<G: Game, E: Eval<G>, H: Heuristics<G, E>> Worker<'_, G, E, H> {
    /// The quiescence value of the position, `qs_ply` plies into the quiescence search.
    pub(super) fn qsearch(&mut self, ply: usize, qs_ply: u32, alpha: Value, beta: Value) -> SearchResult {
        debug_assert!(alpha < beta, "{alpha} {beta}");
        if H::STAGED {
            return self.staged_qsearch(ply, qs_ply, alpha, beta);
        }

        // Step 1. Limits
        if self.tick() {
            return SearchResult::ABORTED;
        }
        self.seldepth = self.seldepth.max(ply);

        // Step 2. Repetition and draw by the length of the game
        if G::RECURS {
            let key = self.game.key();
            if let Some(result) = self.repetition(ply, key) {
                return result;
            }
        }
        if let Some(result) = self.draw_by_length(ply) {
            return result;
        }

        // Step 3. Transposition table (TT) probe
        let tt_key = (self.shared.heuristics.qsearch_tt() && !self.shared.strict).then(|| self.game.key());
        let entry = tt_key.and_then(|key| self.probe_tt(ply, key));
        if let Some(entry) = &entry
            && alpha.above() == beta
            && tt_cutoff(entry, 0, alpha, beta, false)
        {
            return SearchResult::from_tt(entry);
        }

        // Step 4. Results known without search, end of the game, mate distance pruning
        let shared = self.shared;
        let mut node = NodeContext::new(ply as u32, 0, beta > alpha.above(), alpha, beta);
        node.qs_ply = qs_ply;
        node.tt_depth = entry.map(|entry| u32::from(entry.depth));
        node.in_check = shared.heuristics.in_check(&self.game);
        if self.shared.heuristics.early_stand_pat() && !node.in_check && !node.is_pv {
            let value = self.static_eval(ply);
            if value >= beta {
                return SearchResult::estimate(value);
            }
        }
        if let Some(value) = shared.heuristics.known_result(&mut self.game, &node) {
            return SearchResult::solved(value);
        }
        if let Some(outcome) = shared.heuristics.terminal_outcome(&mut self.game) {
            return SearchResult::solved(shared.eval.terminal_value(&self.game, outcome));
        }
        if let Some(result) = SearchResult::by_mate_distance(alpha, beta) {
            return result;
        }

        // Step 5. Static evaluation, unless there is a threat to answer
        if ply >= MAX_PLY {
            return SearchResult::estimate(self.static_eval(ply));
        }
        node.threat = shared.heuristics.threat(&mut self.game, &node).map(Move::to_bits);
        node.static_eval = node.threat.is_none().then(|| self.static_eval(ply));

        // Step 6. Move generation and stand pat
        let moves = &mut self.stack[ply].qsearch_moves;
        moves.clear();
        let stand_pat = shared.heuristics.qsearch_moves(&mut self.game, &node, moves);
        let count = moves.len();
        if count == 0 && node.threat.is_some() && !stand_pat {
            return SearchResult::solved(Value::loss(2));
        }
        let static_eval = node.static_eval.unwrap_or_else(|| self.static_eval(ply));
        if count == 0 {
            return SearchResult::estimate(static_eval);
        }
        let mut best = if stand_pat { ValuedMove::leaf(static_eval) } else { ValuedMove::NONE };
        let mut result = SearchResult { solved: !stand_pat, ..SearchResult::solved(static_eval) };

        // Step 7. Move loop
        self.path.push(&self.game);
        for index in 0..count {
            node.alpha = node.alpha.max(best.value);
            if node.alpha >= beta {
                break;
            }
            let mv = self.stack[ply].qsearch_moves[index];
            let undo = self.play(ply, mv);
            let child = self.qsearch(ply + 1, qs_ply + 1, beta.to_child(), node.alpha.to_child());
            self.game.undo(undo);
            if self.aborted {
                break;
            }
            result = result.with(child);
            best = best.join(ValuedMove::by(mv, child.value));
        }
        self.path.pop();
        let result = SearchResult { value: best.value, ..result };

        // Step 8. Transposition table store
        if let Some(key) = tt_key.filter(|_| !self.aborted) {
            let at = NodeContext { alpha, ..node };
            self.store_tt(&at, key, best, result, SearchResult::ABORTED);
        }
        result.leaving(ply)
    }
}
