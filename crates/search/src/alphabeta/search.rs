//! The search of one node: principal variation search (PVS) with the heuristics of the game.

use tesuji_game::{Game, Move, MoveList};

use super::abdada::DEFER_DEPTH;
use super::result::{SearchResult, tt_cutoff};
use super::worker::{MAX_PLY, Worker};
use crate::ordering::{self, KILLER};
use crate::tt::TtEntry;
use crate::{Bound, Eval, Heuristics, NodeContext, Value, ValuedMove};

impl<G: Game, E: Eval<G>, H: Heuristics<G, E>> Worker<'_, G, E, H> {
    /// The value of the position, `depth` plies deep: exact inside the window and a bound outside of it.
    ///
    /// `PV` nodes record their principal variation and are not cut off by the transposition table.
    pub(super) fn search<const PV: bool>(&mut self, ply: usize, depth: u32, alpha: Value, beta: Value) -> SearchResult {
        debug_assert!(alpha < beta, "{alpha} {beta}");
        if PV {
            self.stack[ply].pv.clear();
        }

        // Step 1. Quiescence search at depth 0
        if depth == 0 || ply >= MAX_PLY {
            return self.qsearch(ply, 0, alpha, beta);
        }

        // Step 2. Limits
        if self.tick() {
            return SearchResult::ABORTED;
        }
        let shared = self.shared;
        let key = self.game.key();

        // Step 3. Repetition and draw by the length of the game
        if let Some(result) = self.repetition(ply, key) {
            return result;
        }
        if let Some(result) = self.draw_by_length(ply) {
            return result;
        }

        // Step 4. Transposition table (TT) probe
        let entry = self.probe_tt(ply, key);
        if let Some(entry) = &entry
            && !PV
            && tt_cutoff(entry, depth, alpha, beta, shared.strict)
        {
            return SearchResult::from_tt(entry);
        }

        // Step 5. Results known without search
        let mut node = NodeContext::new(ply as u32, depth, PV, alpha, beta);
        if let Some(value) = shared.heuristics.known_result(&mut self.game, &node) {
            return SearchResult::solved(value);
        }

        // Step 6. Threat and static evaluation
        node.threat = shared.heuristics.threat(&mut self.game, &node).map(Move::to_bits);
        node.static_eval = H::NEEDS_STATIC_EVAL.then(|| self.static_eval(ply));

        if !PV {
            // Step 7. Reverse futility pruning, verified by a quiescence search
            if shared.heuristics.reverse_futility(&self.game, &node)
                && let Some(result) = self.shallow_cut(&node, 0, beta, true)
            {
                return result;
            }

            // Step 8. Razoring
            if shared.heuristics.razoring(&self.game, &node)
                && let Some(result) = self.shallow_cut(&node, 0, alpha, false)
            {
                return result;
            }

            // Step 9. ProbCut
            if let Some(probcut) = shared.heuristics.probcut(&self.game, &node) {
                for (bound, high) in [(probcut.fail_high, true), (probcut.fail_low, false)] {
                    if let Some(result) = self.shallow_cut(&node, probcut.depth, bound, high) {
                        return result;
                    }
                }
            }
        }

        self.path.push(&self.game);
        let result = self.search_moves::<PV>(&node, key, entry.and_then(|entry| entry.mv));
        self.path.pop();
        result.leaving(ply)
    }

    /// The null move and the moves of a node, whose position is on the path.
    fn search_moves<const PV: bool>(&mut self, at: &NodeContext, key: u64, tt_move: Option<u32>) -> SearchResult {
        let (ply, shared) = (at.ply as usize, self.shared);

        // Step 10. Null move
        if !PV && let Some(result) = self.null_move_cut(at) {
            return result;
        }

        // Step 11. Move generation, end of the game, mate distance pruning
        shared.heuristics.moves(&mut self.game, at, &mut self.stack[ply].list);
        if self.stack[ply].list.is_empty() {
            let outcome = self.game.outcome();
            let unanswered = if at.threat.is_some() { Value::loss(2) } else { Value::DRAW };
            return SearchResult::solved(
                outcome.map_or(unanswered, |outcome| shared.eval.terminal_value(&self.game, outcome)),
            );
        }
        if let Some(result) = SearchResult::by_mate_distance(at.alpha, at.beta) {
            return result;
        }
        let beta = at.beta.min(Value::win(1));

        // Step 12. Move ordering
        self.score_moves(at, tt_move);

        // Step 13. Move loop; steps 14 to 16 are in `search_move`
        let mut node = *at;
        let mut best = ValuedMove::NONE;
        let mut best_result = SearchResult::solved(Value::LEAST);
        let mut all = best_result;
        let mut index = 0;
        while let Some((bits, deferred)) = self.next_move(ply, &mut index, key, node.depth) {
            let mv = G::Move::from_bits(bits);
            let undo = self.play(ply, mv);
            let abdada = shared.abdada.as_ref().filter(|_| node.depth >= DEFER_DEPTH && !deferred);
            if let Some(abdada) = abdada {
                abdada.starting_search(key, bits, node.depth);
            }
            let child = self.search_move::<PV>(mv, &node);
            if let Some(abdada) = abdada {
                abdada.finished_search(key, bits, node.depth);
            }
            self.game.undo(undo);
            if self.aborted {
                return SearchResult::ABORTED;
            }
            node.move_count += 1;
            all = all.with(child);
            let candidate = ValuedMove::by(mv, child.value);
            if candidate.value <= best.value {
                continue;
            }
            best = best.join(candidate);
            best_result = child;
            if best.value > node.alpha {
                node.alpha = best.value;
                if PV {
                    self.update_pv(ply, mv);
                }
                if best.value >= beta {
                    self.update_history(ply, bits, node.depth, index);
                    break;
                }
            }
        }

        // Step 17. Transposition table store
        let cutoff = best.value >= beta;
        let result = SearchResult { value: best.value, ..if cutoff { best_result } else { all } };
        self.store_tt(at, key, best, result, best_result);
        result
    }

    /// The value of the position that `mv` has just led to, for its side to move; `at` is the node it was played at.
    ///
    /// PVS: the first move is searched with the full window, the others with a null window first.
    #[inline]
    pub(super) fn search_move<const PV: bool>(&mut self, mv: G::Move, at: &NodeContext) -> SearchResult {
        let (heuristics, ply) = (self.shared.heuristics, at.ply as usize + 1);
        self.after_null_move = false;

        // Step 14. Extensions
        let mut depth = at.depth - 1;
        if ply < MAX_PLY {
            depth += heuristics.extension(&self.game, mv, at).min(2);
        }
        let (alpha, beta) = (at.beta.to_child(), at.alpha.to_child());
        if at.move_count == 0 {
            return self.search::<PV>(ply, depth, alpha, beta);
        }
        if PV {
            self.stack[ply].pv.clear();
        }

        // Step 15. Late move reduction (LMR) and null-window search
        let fails_high = |result: SearchResult| result.value.to_parent() > at.alpha;
        let null_window = at.alpha.above().to_child();
        let reduction = heuristics.late_move_reduction(&self.game, mv, at).min(depth);
        let mut result = self.search::<false>(ply, depth - reduction, null_window, beta);
        if reduction > 0 && fails_high(result) && !self.aborted {
            result = self.search::<false>(ply, depth, null_window, beta);
        }

        // Step 16. PV re-search with the full window
        if PV && fails_high(result) && result.value.to_parent() < at.beta && !self.aborted {
            result = self.search::<true>(ply, depth, alpha, beta);
        }
        result
    }

    /// A cutoff because beta is reached even after a null move. It is never proven.
    #[inline]
    fn null_move_cut(&mut self, at: &NodeContext) -> Option<SearchResult> {
        if at.beta.is_proven() || std::mem::take(&mut self.after_null_move) {
            return None;
        }
        let (undo, reduction) = self.shared.heuristics.null_move(&mut self.game, at)?;
        let ply = at.ply as usize;
        let [here, next] = &mut self.stack[ply..ply + 2] else {
            self.game.undo(undo);
            return None;
        };
        self.shared.eval.advance_null(&here.accumulator, &self.game, &mut next.accumulator);
        self.after_null_move = true;
        let depth = at.depth.saturating_sub(1 + reduction);
        let child = self.search::<false>(ply + 1, depth, at.beta.to_child(), at.beta.below().to_child());
        self.after_null_move = false;
        self.game.undo(undo);
        if self.aborted {
            return Some(SearchResult::ABORTED);
        }
        let value = child.value.to_parent();
        let unproven = if value.is_proven() { at.beta } else { value };
        (value >= at.beta).then_some(SearchResult { value: unproven, path_ply: child.path_ply, solved: false })
    }

    /// A cutoff because a shallower null-window search of the same node reaches `bound`. It is never proven.
    #[inline]
    fn shallow_cut(&mut self, at: &NodeContext, depth: u32, bound: Value, high: bool) -> Option<SearchResult> {
        let value = if high { at.beta } else { at.alpha };
        if bound.is_proven() || value.is_proven() {
            return None;
        }
        let after_null_move = self.after_null_move;
        let (alpha, beta) = if high { (bound.below(), bound) } else { (bound, bound.above()) };
        let result = self.search::<false>(at.ply as usize, depth.min(at.depth - 1), alpha, beta);
        if self.aborted {
            return Some(SearchResult::ABORTED);
        }
        self.after_null_move = after_null_move;
        let cutoff = if high { result.value >= bound } else { result.value <= bound };
        cutoff.then_some(SearchResult { value, path_ply: result.path_ply, solved: false })
    }

    /// Stores a result that holds on every path: the whole result, or the lower bound that the best child gives.
    #[inline]
    pub(super) fn store_tt(
        &self,
        at: &NodeContext,
        key: u64,
        best: ValuedMove<G::Move>,
        result: SearchResult,
        best_result: SearchResult,
    ) {
        let Some(tt) = self.shared.tt else { return };
        let ply = at.ply as usize;
        let bound = match best.value {
            value if value >= at.beta => Bound::Lower,
            value if value > at.alpha => Bound::Exact,
            _ => Bound::Upper,
        };
        let mv = best.mv.filter(|_| bound != Bound::Upper).map(Move::to_bits);
        let entry = TtEntry { mv, value: best.value, depth: at.depth as u8, bound, solved: result.solved };
        if result.is_path_independent(ply) {
            tt.store(key, entry);
        } else if bound == Bound::Exact && best_result.is_path_independent(ply) {
            tt.store(key, TtEntry { bound: Bound::Lower, solved: best_result.solved, ..entry });
        }
    }

    /// Scores the generated moves: TT move, heuristics, history and killers, and the evaluation of what they lead to.
    fn score_moves(&mut self, at: &NodeContext, tt_move: Option<u32>) {
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
    fn next_move(&mut self, ply: usize, index: &mut usize, key: u64, depth: u32) -> Option<(u32, bool)> {
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

    /// Makes `mv` and the principal variation of the child the principal variation of this node.
    pub(super) fn update_pv(&mut self, ply: usize, mv: G::Move) {
        let [here, next] = &mut self.stack[ply..ply + 2] else { return };
        here.pv.clear();
        here.pv.push(mv);
        here.pv.extend_from_slice(&next.pv);
    }

    /// Updates history and killers after a beta cutoff by the move `bits`; `tried` moves were picked until then.
    #[inline]
    fn update_history(&mut self, ply: usize, bits: u32, depth: u32, tried: usize) {
        let (side, shared) = (self.game.mover(), self.shared);
        let frame = &mut self.stack[ply];
        let key = |bits: u32| shared.heuristics.history_key(&self.game, G::Move::from_bits(bits));
        for &pick in &frame.picks[..tried.min(frame.picks.len())] {
            let other = ordering::bits(pick);
            if other != bits {
                self.history.update(side, key(other), depth, false);
            }
        }
        let key = key(bits);
        self.history.update(side, key, depth, true);
        if frame.killers[0] != Some(key) {
            frame.killers = [Some(key), frame.killers[0]];
        }
    }
}
