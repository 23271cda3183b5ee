//! The search of one node: principal variation search (PVS) with the heuristics of the game.

use tesuji_game::{Game, Move, MoveList as _};

use super::abdada::DEFER_DEPTH;
use super::move_picker::MovePicker;
use super::result::{SearchResult, tt_cutoff};
use super::worker::{MAX_PLY, Worker};
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
        let excluded = self.stack[ply].excluded;
        let entry = self.probe_tt(ply, key);
        if let Some(entry) = &entry
            && !PV
            && excluded.is_none()
            && tt_cutoff(entry, depth, alpha, beta, shared.strict)
        {
            if H::STAGED
                && entry.value >= beta
                && let Some(mv) = entry.mv
            {
                self.find_rows(ply);
                self.learn_tt_cutoff(ply, mv, depth);
            }
            return SearchResult::from_tt(entry);
        }
        let tt_move = entry.and_then(|entry| entry.mv);

        // Step 5. Early reverse futility pruning, results known without search
        let mut node = NodeContext::new(ply as u32, depth, PV, alpha, beta);
        node.in_check = shared.heuristics.in_check(&self.game);
        node.tt_depth = entry.map(|entry| u32::from(entry.depth));
        node.tt_value = entry.map(|entry| entry.value);
        if H::STAGED {
            self.find_rows(ply);
            node.tt_is_tactical =
                tt_move.is_some_and(|bits| shared.heuristics.is_tactical(&self.game, G::Move::from_bits(bits)));
            if let Some(frame) = self.stack.get_mut(ply + 2) {
                frame.cutoffs = 0;
            }
            self.stack[ply].static_eval = None;
        }
        let is_early = shared.heuristics.early_stand_pat() && !node.in_check;
        if is_early {
            let value = self.static_eval(ply);
            self.stack[ply].static_eval = Some(value);
            node.improving = self.is_improving(ply);
            node.static_eval = Some(match &entry {
                Some(entry) if H::STAGED => entry.refine(value),
                _ => value,
            });
            if !PV && excluded.is_none() && shared.heuristics.reverse_futility(&self.game, &node) {
                return SearchResult::estimate(reverse_futility_value(&node));
            }
        }
        if let Some(value) = shared.heuristics.known_result(&mut self.game, &node) {
            return SearchResult::solved(value);
        }

        // Step 6. Threat and static evaluation
        node.is_cut = self.stack[ply].is_cut;
        node.threat = shared.heuristics.threat(&mut self.game, &node).map(Move::to_bits);
        if !is_early && (!H::STAGED || !node.in_check) {
            node.static_eval = H::NEEDS_STATIC_EVAL.then(|| self.static_eval(ply));
            self.stack[ply].static_eval = node.static_eval.filter(|_| !node.in_check);
            node.improving = self.is_improving(ply);
        }

        if !PV && excluded.is_none() {
            // Step 7. Reverse futility pruning, verified by a quiescence search
            if !is_early
                && shared.heuristics.reverse_futility(&self.game, &node)
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

        // Step 10. Internal iterative reduction (IIR)
        if node.depth >= self.shared.heuristics.iir_depth() && tt_move.is_none() && (PV || node.is_cut) {
            node.depth -= 1;
        }

        // Step 11. Singular extension: is the TT move much better than all others?
        let extension = match entry {
            Some(entry) if depth >= self.shared.heuristics.singular_depth() && ply > 0 && excluded.is_none() => {
                match self.singular_extension(&node, &entry) {
                    Ok(extension) => extension,
                    Err(cutoff) => return cutoff,
                }
            }
            _ => 0,
        };

        self.path.push(&self.game);
        let result = self.search_moves::<PV>(&node, key, tt_move, extension);
        self.path.pop();
        result.leaving(ply)
    }

    /// The null move and the moves of a node, whose position is on the path.
    ///
    /// `tt_extension` is what singular extension adds to the depth of the TT move.
    fn search_moves<const PV: bool>(
        &mut self,
        at: &NodeContext,
        key: u64,
        tt_move: Option<u32>,
        tt_extension: i32,
    ) -> SearchResult {
        let (ply, shared) = (at.ply as usize, self.shared);
        let excluded = self.stack[ply].excluded.take();

        // Step 12. Null move
        if !PV
            && excluded.is_none()
            && let Some(result) = self.null_move_cut(at)
        {
            return result;
        }

        // Step 13. ProbCut by captures
        let tt_move =
            tt_move.filter(|&bits| !H::STAGED || shared.heuristics.is_legal(&self.game, G::Move::from_bits(bits)));
        if H::STAGED
            && !PV
            && excluded.is_none()
            && let Some(result) = self.probcut_by_captures(at, key, tt_move)
        {
            return result;
        }

        // Step 14. Move generation and ordering, mate distance pruning
        let mut picker = MovePicker::new(tt_move);
        if H::STAGED {
            self.stack[ply].tried.clear();
        } else {
            if !self.generate_moves(at) {
                return self.without_moves(at);
            }
        }
        if let Some(result) = SearchResult::by_mate_distance(at.alpha, at.beta) {
            return result;
        }
        let beta = at.beta.min(Value::win(1));
        if !H::STAGED {
            self.score_moves(at, tt_move);
        }

        // Step 15. Move loop; steps 17 to 19 are in `search_move`
        let mut node = *at;
        let mut best = ValuedMove::NONE;
        let mut best_result = SearchResult::solved(Value::LEAST);
        let mut all = best_result;
        let mut index = 0;
        loop {
            let next = if H::STAGED {
                self.pick_move(&mut picker, at, key)
            } else {
                self.next_move(ply, &mut index, key, node.depth)
            };
            let Some((bits, deferred)) = next else { break };
            if excluded == Some(bits) {
                continue;
            }
            let mv = G::Move::from_bits(bits);

            // Step 16. Late move, futility, history and SEE pruning
            if H::STAGED {
                node.is_tactical = shared.heuristics.is_tactical(&self.game, mv);
                node.history = self.history_of(ply, mv);
                node.child_cutoffs = self.stack[ply + 1].cutoffs;
            }
            if node.move_count > 0 && best.value > Value::estimate(-i32::from(Value::LIMIT)) {
                if H::STAGED && !picker.skip_quiets && shared.heuristics.skip_quiets(&node) {
                    picker.skip_quiets = true;
                    all.solved = false;
                }
                if shared.heuristics.prune_move(&self.game, mv, &node) {
                    all.solved = false;
                    node.move_count += 1;
                    continue;
                }
            }
            let extension = if tt_move == Some(bits) { tt_extension } else { 0 };
            let undo = self.play(ply, mv);
            let abdada = shared.abdada.as_ref().filter(|_| node.depth >= DEFER_DEPTH && !deferred);
            if let Some(abdada) = abdada {
                abdada.starting_search(key, bits, node.depth);
            }
            let child = self.search_move::<PV>(mv, &node, extension);
            if let Some(abdada) = abdada {
                abdada.finished_search(key, bits, node.depth);
            }
            self.game.undo(undo);
            if self.aborted {
                return SearchResult::ABORTED;
            }
            node.move_count += 1;
            if H::STAGED {
                self.stack[ply].tried.push(bits);
            }
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
                    if H::STAGED {
                        self.learn_cutoff(ply, bits, node.depth);
                        self.stack[ply].cutoffs += 1;
                    } else {
                        self.update_history(ply, bits, node.depth, index);
                    }
                    break;
                }
            }
        }
        if H::STAGED {
            if node.move_count == 0 && excluded.is_none() {
                return self.without_moves(at);
            }
            if best.value <= at.alpha && excluded.is_none() {
                self.learn_fail_low(ply, node.depth);
            }
        }

        // Step 20. Transposition table store
        let cutoff = best.value >= beta;
        let result = SearchResult { value: best.value, ..if cutoff { best_result } else { all } };
        if excluded.is_none() {
            self.store_tt(at, key, best, result, best_result);
            self.learn_correction(at, best);
        }
        result
    }

    /// The result of a node without moves.
    #[cold]
    fn without_moves(&self, at: &NodeContext) -> SearchResult {
        let unanswered = if at.threat.is_some() { Value::loss(2) } else { Value::DRAW };
        let value = self.game.outcome().map(|outcome| self.shared.eval.terminal_value(&self.game, outcome));
        SearchResult::solved(value.unwrap_or(unanswered))
    }

    /// ProbCut: a cutoff because a capture reaches a bound well above beta in a shallower search. It is never proven.
    fn probcut_by_captures(&mut self, at: &NodeContext, key: u64, tt_move: Option<u32>) -> Option<SearchResult> {
        let (ply, heuristics) = (at.ply as usize, self.shared.heuristics);
        if at.in_check || at.beta.is_proven() {
            return None;
        }
        let (bound, depth) = heuristics.probcut_captures(at)?;
        let missing = i32::from(bound.get()) - at.static_eval.map_or(0, |value| i32::from(value.get()));
        let tt_move = tt_move.filter(|_| at.tt_is_tactical);
        let mut picker = MovePicker::new(None);
        heuristics.tactical_moves(&mut self.game, &mut self.stack[ply].list);
        self.score_tactical_moves(ply);
        let (alpha, beta) = (bound.to_child(), bound.below().to_child());
        let mut next = tt_move;
        loop {
            let bits = match next.take() {
                Some(bits) => bits,
                None => match self.next_pick(&mut picker, ply) {
                    Some(bits) if tt_move == Some(bits) => continue,
                    Some(bits) => bits,
                    None => return None,
                },
            };
            let mv = G::Move::from_bits(bits);
            if !heuristics.gains(&self.game, mv, missing) {
                continue;
            }
            let undo = self.play(ply, mv);
            self.after_null_move = false;
            self.stack[ply + 1].is_cut = !at.is_cut;
            let mut child = self.qsearch(ply + 1, 0, alpha, beta);
            if child.value.to_parent() >= bound && depth > 0 && !self.aborted {
                child = self.search::<false>(ply + 1, depth, alpha, beta);
            }
            self.game.undo(undo);
            if self.aborted {
                return Some(SearchResult::ABORTED);
            }
            let value = child.value.to_parent();
            if value < bound {
                continue;
            }
            let result = SearchResult { value, path_ply: child.path_ply, solved: false };
            let node = NodeContext { depth: depth + 1, ..*at };
            self.store_tt(&node, key, ValuedMove::by(mv, child.value), result, result);
            let margin = i32::from(bound.get()) - i32::from(at.beta.get());
            let value = if value.is_proven() { at.beta } else { Value::estimate(i32::from(value.get()) - margin) };
            return Some(SearchResult { value, ..result });
        }
    }

    /// Generates the moves of a node. Returns whether there are any.
    #[inline]
    fn generate_moves(&mut self, at: &NodeContext) -> bool {
        let list = &mut self.stack[at.ply as usize].list;
        self.shared.heuristics.moves(&mut self.game, at, list);
        !list.is_empty()
    }

    /// Whether the static evaluation at `ply` is better than at the mover's last turn.
    #[inline]
    fn is_improving(&self, ply: usize) -> bool {
        let Some(now) = self.stack[ply].static_eval else { return false };
        let earlier = |plies: usize| ply.checked_sub(plies).and_then(|ply| self.stack[ply].static_eval);
        earlier(2).or_else(|| earlier(4)).is_some_and(|before| now > before)
    }

    /// What singular extension adds to the depth of the TT move: the node is searched without it, less deep, against a
    /// bound below its value. `Err` is a cutoff because another move reaches beta as well (multi-cut).
    #[inline]
    fn singular_extension(&mut self, at: &NodeContext, entry: &TtEntry) -> Result<i32, SearchResult> {
        let (ply, Some(mv)) = (at.ply as usize, entry.mv) else { return Ok(0) };
        let is_candidate =
            entry.bound != Bound::Upper && u32::from(entry.depth) + 3 >= at.depth && !entry.value.is_proven();
        // The limit keeps a forced line from being extended for ever.
        if !is_candidate || at.beta.is_proven() || at.ply >= 2 * self.root_depth {
            return Ok(0);
        }
        let margin = self.shared.heuristics.singular_margin(at);
        let bound = Value::estimate(i32::from(entry.value.get()) - margin);
        let (after_null_move, static_eval) = (self.after_null_move, self.stack[ply].static_eval);
        self.stack[ply].excluded = Some(mv);
        let result = self.search::<false>(ply, (at.depth - 1) / 2, bound.below(), bound);
        self.stack[ply].excluded = None;
        self.stack[ply].static_eval = static_eval;
        self.after_null_move = after_null_move;
        if self.aborted {
            return Err(SearchResult::ABORTED);
        }
        if result.value < bound {
            let very = !at.is_pv && i32::from(result.value.get()) < i32::from(bound.get()) - margin;
            Ok(if very { 2 } else { 1 })
        } else if bound >= at.beta && !at.is_pv {
            Err(SearchResult { value: bound, path_ply: result.path_ply, solved: false })
        } else if entry.value >= at.beta {
            Ok(-1)
        } else {
            Ok(0)
        }
    }

    /// Correction history: learns how far the static evaluation was from the value found, where the value says so.
    #[inline]
    fn learn_correction(&mut self, at: &NodeContext, best: ValuedMove<G::Move>) {
        let Some(static_eval) = self.stack[at.ply as usize].static_eval else { return };
        let Some(key) = self.shared.heuristics.correction_key(&self.game) else { return };
        let informative = match best.value {
            value if value >= at.beta => value > static_eval,
            value if value <= at.alpha => value < static_eval,
            _ => true,
        };
        if informative && !best.value.is_proven() {
            let error = i32::from(best.value.get()) - i32::from(static_eval.get());
            let now = self.history.correction(self.game.mover(), key);
            self.history.update_correction(self.game.mover(), key, at.depth, now + error);
        }
    }

    /// The value of the position that `mv` has just led to, for its side to move; `at` is the node it was played at.
    ///
    /// PVS: the first move is searched with the full window, the others with a null window first.
    #[inline]
    pub(super) fn search_move<const PV: bool>(
        &mut self,
        mv: G::Move,
        at: &NodeContext,
        tt_extension: i32,
    ) -> SearchResult {
        let (heuristics, ply) = (self.shared.heuristics, at.ply as usize + 1);
        self.after_null_move = false;

        // Step 17. Extensions
        let mut depth = at.depth - 1;
        if ply < MAX_PLY {
            let extension = heuristics.extension(&self.game, mv, at).min(2) as i32;
            depth = depth.saturating_add_signed(extension.max(tt_extension) + tt_extension.min(0));
        }
        let (alpha, beta) = (at.beta.to_child(), at.alpha.to_child());
        if at.move_count == 0 {
            self.stack[ply].is_cut = !PV && !at.is_cut;
            return self.search::<PV>(ply, depth, alpha, beta);
        }
        if PV {
            self.stack[ply].pv.clear();
        }

        // Step 18. Late move reduction (LMR) and null-window search
        let fails_high = |result: SearchResult| result.value.to_parent() > at.alpha;
        let null_window = at.alpha.above().to_child();
        let reduction = heuristics.late_move_reduction(&self.game, mv, at).min(depth);
        self.stack[ply].is_cut = reduction > 0 || !at.is_cut;
        let mut result = self.search::<false>(ply, depth - reduction, null_window, beta);
        if reduction > 0 && fails_high(result) && !self.aborted {
            self.stack[ply].is_cut = !at.is_cut;
            let change = heuristics.research_depth(at, depth, result.value.to_parent());
            let again = depth.saturating_add_signed(change);
            if again > depth - reduction {
                result = self.search::<false>(ply, again, null_window, beta);
            }
        }

        // Step 19. PV re-search with the full window
        if PV && fails_high(result) && result.value.to_parent() < at.beta && !self.aborted {
            self.stack[ply].is_cut = false;
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
        (here.played, next.is_cut) = (None, !at.is_cut);
        if H::STAGED
            && let Some(tt) = self.shared.tt
        {
            tt.prefetch(self.game.key());
        }
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

    /// Makes `mv` and the principal variation of the child the principal variation of this node.
    pub(super) fn update_pv(&mut self, ply: usize, mv: G::Move) {
        let [here, next] = &mut self.stack[ply..ply + 2] else { return };
        here.pv.clear();
        here.pv.push(mv);
        here.pv.extend_from_slice(&next.pv);
    }
}

/// What reverse futility pruning returns: between beta and the static evaluation.
#[inline]
fn reverse_futility_value(at: &NodeContext) -> Value {
    let beta = i32::from(at.beta.get());
    let value = at.static_eval.map_or(beta, |value| i32::from(value.get()));
    Value::estimate(beta + (value - beta) / 3)
}
