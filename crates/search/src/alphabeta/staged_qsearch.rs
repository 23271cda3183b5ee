//! Quiescence search with the staged move picker: tactical moves out of check, evasions in check.

use tesuji_game::{Game, Move};

use super::move_picker::MovePicker;
use super::result::{SearchResult, tt_cutoff};
use super::worker::{MAX_PLY, Worker};
use crate::{Eval, Heuristics, NodeContext, Value, ValuedMove};

/// Quiet evasions that are searched once a move does not lose by force.
const QUIET_EVASIONS: u32 = 2;

impl<G: Game, E: Eval<G>, H: Heuristics<G, E>> Worker<'_, G, E, H> {
    /// The quiescence value of the position, `qs_ply` plies into the quiescence search.
    pub(super) fn staged_qsearch(&mut self, ply: usize, qs_ply: u32, alpha: Value, beta: Value) -> SearchResult {
        // Step 1. Limits
        if self.tick() {
            return SearchResult::ABORTED;
        }
        self.seldepth = self.seldepth.max(ply);

        // Step 2. Repetition and draw by the length of the game
        let key = self.game.key();
        if let Some(result) = self.repetition(ply, key) {
            return result;
        }
        if let Some(result) = self.draw_by_length(ply) {
            return result;
        }

        // Step 3. Transposition table (TT) probe
        let shared = self.shared;
        let uses_tt = shared.heuristics.qsearch_tt() && !shared.strict;
        let entry = if uses_tt { self.probe_tt(ply, key) } else { None };
        let is_pv = beta > alpha.above();
        if let Some(entry) = &entry
            && !is_pv
            && tt_cutoff(entry, 0, alpha, beta, false)
        {
            return SearchResult::from_tt(entry);
        }

        // Step 4. Static evaluation and stand pat, results known without search, mate distance pruning
        let mut node = NodeContext::new(ply as u32, 0, is_pv, alpha, beta);
        node.qs_ply = qs_ply;
        node.tt_depth = entry.map(|entry| u32::from(entry.depth));
        node.in_check = shared.heuristics.in_check(&self.game);
        self.stack[ply].static_eval = None;
        if ply >= MAX_PLY {
            return SearchResult::estimate(self.static_eval(ply));
        }
        if !node.in_check {
            let value = self.static_eval(ply);
            self.stack[ply].static_eval = Some(value);
            let value = entry.map_or(value, |entry| entry.refine(value));
            node.static_eval = Some(value);
            if value >= beta && !is_pv && shared.heuristics.early_stand_pat() {
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
        let mut best = node.static_eval.map_or(ValuedMove::NONE, ValuedMove::leaf);
        if best.value >= beta {
            return SearchResult::estimate(best.value);
        }
        let mut result = SearchResult { solved: node.static_eval.is_none(), ..SearchResult::solved(best.value) };

        // Step 5. Move generation and ordering
        let is_legal = |bits: &u32| shared.heuristics.is_legal(&self.game, G::Move::from_bits(*bits));
        let is_tactical = |bits: &u32| shared.heuristics.is_tactical(&self.game, G::Move::from_bits(*bits));
        let tt_move = entry.and_then(|entry| entry.mv);
        let tt_move = tt_move.filter(|bits| node.in_check || is_tactical(bits)).filter(is_legal);
        let mut picker = MovePicker::new(None);
        let mut generated = false;
        let mut next = tt_move;
        let mut quiets = 0;

        // Step 6. Move loop
        self.path.push(&self.game);
        loop {
            node.alpha = node.alpha.max(best.value);
            if node.alpha >= beta {
                break;
            }
            let bits = match next.take() {
                Some(bits) => bits,
                None => {
                    if !generated {
                        generated = true;
                        self.generate_qsearch_moves(&node);
                    }
                    match self.next_pick(&mut picker, ply) {
                        Some(bits) if tt_move == Some(bits) => continue,
                        Some(bits) => bits,
                        None => break,
                    }
                }
            };
            let mv = G::Move::from_bits(bits);

            // Step 7. Pruning
            if best.value > Value::estimate(-i32::from(Value::LIMIT)) {
                let is_tactical = shared.heuristics.is_tactical(&self.game, mv);
                quiets += u32::from(!is_tactical);
                if quiets > QUIET_EVASIONS && !is_tactical
                    || is_tactical && shared.heuristics.qsearch_prunes(&self.game, mv, &node)
                {
                    result.solved = false;
                    continue;
                }
            }
            let undo = self.play(ply, mv);
            let child = self.staged_qsearch(ply + 1, qs_ply + 1, beta.to_child(), node.alpha.to_child());
            self.game.undo(undo);
            if self.aborted {
                break;
            }
            node.move_count += 1;
            result = result.with(child);
            best = best.join(ValuedMove::by(mv, child.value));
        }
        self.path.pop();
        if self.aborted {
            return SearchResult::ABORTED;
        }
        if best.value == Value::LEAST {
            // In check, without a move: the game is over, which `terminal_outcome` did not say.
            return SearchResult::solved(Value::loss(0));
        }
        let result = SearchResult { value: best.value, ..result };

        // Step 8. Transposition table store
        if uses_tt {
            let at = NodeContext { alpha, ..node };
            self.store_tt(&at, key, best, result, SearchResult::ABORTED);
        }
        result.leaving(ply)
    }

    fn generate_qsearch_moves(&mut self, node: &NodeContext) {
        let (ply, heuristics) = (node.ply as usize, self.shared.heuristics);
        if node.in_check {
            heuristics.moves(&mut self.game, node, &mut self.stack[ply].list);
            self.score_evasions(ply);
        } else {
            heuristics.tactical_moves(&mut self.game, &mut self.stack[ply].list);
            self.score_tactical_moves(ply);
        }
    }
}
