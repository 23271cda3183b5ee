//! The root node: its moves, and one search of them with one window.

use tesuji_game::{Game, Move};

use super::abdada::DEFER_DEPTH;
use super::result::SearchResult;
use super::worker::Worker;
use crate::{Eval, Heuristics, NodeContext, Value, ValuedMove};

/// A root move and its result in the current iteration.
#[derive(Clone, Debug)]
pub(super) struct RootMove<M> {
    pub(super) mv: M,
    /// [`Value::LEAST`] until it is known.
    pub(super) value: Value,
    /// Whether no evaluation went into the value.
    pub(super) solved: bool,
    /// The principal variation, this move included.
    pub(super) pv: Vec<M>,
}

impl<M: Copy> RootMove<M> {
    pub(super) fn new(mv: M) -> RootMove<M> {
        RootMove { mv, value: Value::LEAST, solved: false, pv: vec![mv] }
    }
}

impl<G: Game, E: Eval<G>, H: Heuristics<G, E>> Worker<'_, G, E, H> {
    /// Searches the root moves from index `first` on (multi-PV). The best of them is moved to `first`.
    pub(super) fn search_root(&mut self, depth: u32, alpha: Value, beta: Value, first: usize) -> SearchResult {
        if self.tick() {
            return SearchResult::ABORTED;
        }
        self.root_depth = depth;
        let key = self.game.key();
        let shared = self.shared;
        let mut node = NodeContext::new(0, depth, beta > alpha.above(), alpha, beta);
        node.in_check = shared.heuristics.in_check(&self.game);
        node.threat = shared.heuristics.threat(&mut self.game, &node).map(Move::to_bits);
        node.static_eval = H::NEEDS_STATIC_EVAL.then(|| self.static_eval(0));
        self.stack[0].static_eval = node.static_eval.filter(|_| !node.in_check);
        if H::STAGED {
            self.find_rows(0);
        }
        let at = node;
        self.roots[first..].iter_mut().for_each(|root| root.value = Value::LEAST);
        let mut best = ValuedMove::NONE;
        let mut best_result = SearchResult::solved(Value::LEAST);
        let mut all = best_result;
        let mut deferred = Vec::new();
        let mut order = first..self.roots.len();
        loop {
            let (index, was_deferred) = match order.next() {
                Some(index) => (index, false),
                None => match deferred.pop() {
                    Some(index) => (index, true),
                    None => break,
                },
            };
            let mv = self.roots[index].mv;
            let bits = mv.to_bits();
            let abdada = shared.abdada.as_ref().filter(|_| depth >= DEFER_DEPTH && !was_deferred);
            if abdada.is_some_and(|abdada| index > first && abdada.defer_move(key, bits, depth)) {
                deferred.push(index);
                continue;
            }
            if let Some(abdada) = abdada {
                abdada.starting_search(key, bits, depth);
            }
            node.history = self.history_of(0, mv);
            node.is_tactical = H::STAGED && shared.heuristics.is_tactical(&self.game, mv);
            let undo = self.play(0, mv);
            let child = if node.is_pv {
                self.search_move::<true>(mv, &node, 0)
            } else {
                self.stack[1].pv.clear();
                self.search_move::<false>(mv, &node, 0)
            };
            self.game.undo(undo);
            if let Some(abdada) = abdada {
                abdada.finished_search(key, bits, depth);
            }
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
            if best.value <= node.alpha && node.move_count > 1 {
                continue;
            }
            self.update_pv(0, mv);
            let root = &mut self.roots[index];
            root.value = best.value;
            root.pv.clone_from(&self.stack[0].pv);
            if best.value > node.alpha {
                node.alpha = best.value;
                if first == 0 && node.is_pv {
                    self.partial = Some(self.roots[index].clone());
                }
                if best.value >= beta.min(Value::win(1)) {
                    break;
                }
            }
        }
        // The sort is stable: moves that failed low keep the order of the last iteration.
        self.roots[first..].sort_by_key(|root| std::cmp::Reverse(root.value));
        let cutoff = best.value >= beta.min(Value::win(1));
        let result = SearchResult { value: best.value, ..if cutoff { best_result } else { all } };
        if first == 0 {
            self.store_tt(&at, key, best, result, best_result);
        }
        result
    }
}
