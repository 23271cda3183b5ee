//! Principal variation search (PVS) with aspiration windows: scores, principal variations and all best moves from the
//! null-window searches.

use tesuji_othello::{Move, Square};

use super::hash::{HashData, HashUpdate};
use super::iterate::SearchDraft;
use super::kernel::Kernel;
use super::last4::{NO_SCORE, final_score};
use super::midgame::EVAL_EMPTIES;
use super::move_ordering::{generate, score_by_evaluation, score_by_mobility, select_best};
use super::node::PatternNode;
use super::thread::SearchThread;

impl<K: Kernel> SearchThread<'_, K> {
    /// PVS to `depth` without the moves on `excluded` squares: fail-soft within `alpha` and `beta`. `pv` becomes the
    /// principal variation: for a score above the window the moves that prove it, for one below empty.
    fn pvs(
        &mut self,
        position: &PatternNode,
        depth: u32,
        alpha: i32,
        beta: i32,
        excluded: u64,
        pv: &mut Vec<Move>,
    ) -> i32 {
        self.nodes += 1;
        pv.clear();
        let node = position.node;
        if depth == 0 && node.empties > 0 {
            return self.evaluate(position);
        }
        let base = self.moves.len();
        if !self.push_moves(position, depth, excluded) {
            if self.kernel.mobility(node.other, node.own) == 0 {
                return final_score(node.own, node.other);
            }
            let score = -self.pvs(&position.passed(), depth, -beta, -alpha, 0, pv);
            pv.insert(0, Move::PASS);
            return score;
        }
        let nodes_before = self.nodes;
        let (mut best, mut best_move) = (NO_SCORE, self.moves[base].square);
        let mut child_pv = Vec::new();
        for at in base..self.moves.len() {
            let mv = select_best(&mut self.moves[at..]);
            let after = position.after(&mv);
            let floor = alpha.max(best);
            // The first move gets the full window, the others a null window first.
            let mut score = if best == NO_SCORE { beta } else { -self.nws(&after, depth - 1, -floor - 1) };
            child_pv.clear();
            if score > floor && (best == NO_SCORE || score < beta) {
                score = -self.pvs(&after, depth - 1, -beta, -floor, 0, &mut child_pv);
            }
            if score > floor {
                pv.clear();
                pv.extend(Square::new(mv.square).map(Move::from));
                pv.append(&mut child_pv);
            }
            if self.stopped {
                break;
            }
            if score > best {
                (best, best_move) = (score, mv.square);
            }
            if best >= beta {
                break;
            }
        }
        self.moves.truncate(base);
        if !self.stopped && excluded == 0 {
            let (bucket, board) = (self.tt.bucket(node.own, node.other), (node.own, node.other));
            let draft = SearchDraft { depth: depth as u8, selectivity: self.selectivity };
            let nodes = self.nodes - nodes_before;
            let update = HashUpdate { alpha: best, score: best, mv: best_move, draft, nodes };
            if best > alpha {
                self.tt.store(bucket, board, &HashUpdate { alpha: best - 1, ..update });
            }
            if best < beta {
                self.tt.store(bucket, board, &update);
            }
        }
        best
    }

    /// One iteration: the score within `bounds`, without the moves on `excluded` squares, searched with an aspiration
    /// window around `guess`.
    pub(super) fn aspiration_search(
        &mut self,
        position: &PatternNode,
        draft: SearchDraft,
        guess: i32,
        bounds: (i32, i32),
        excluded: u64,
        pv: &mut Vec<Move>,
    ) -> i32 {
        let depth = u32::from(draft.depth);
        self.selectivity = draft.selectivity;
        // Final scores are even.
        let guess = if depth >= position.node.empties { (guess + 1).div_euclid(2) * 2 } else { guess };
        let (least, most) = bounds;
        let guess = guess.clamp(least + 1, most - 1);
        let (mut alpha, mut beta, mut step) = (guess - 1, guess + 1, 2);
        let (mut failed_low, mut failed_high) = (false, false);
        loop {
            let score = self.pvs(position, depth, alpha, beta, excluded, pv);
            if self.stopped {
                return score;
            }
            if score <= alpha && alpha > least {
                failed_low = true;
                (alpha, beta) = ((score - step).max(least), score + 1);
            } else if score >= beta && beta < most {
                failed_high = true;
                (alpha, beta) = (score - 1, (score + step).min(most));
            } else {
                return score;
            }
            if failed_low && failed_high {
                // Selective searches may contradict each other: search the full window.
                (alpha, beta) = bounds;
            }
            step *= 2;
        }
    }

    /// Generates and scores the moves; whether there are any.
    fn push_moves(&mut self, position: &PatternNode, depth: u32, excluded: u64) -> bool {
        let (base, node) = (self.moves.len(), position.node);
        let moves = self.kernel.mobility(node.own, node.other) & !excluded;
        if generate(self, &node, moves).is_some() {
            // The last move captures all discs: no other is needed.
            let last = self.moves.len() - 1;
            self.moves.swap(base, last);
            self.moves.truncate(base + 1);
            return true;
        }
        let bucket = self.tt.bucket(node.own, node.other);
        let data = self.tt.probe(bucket, node.own, node.other).unwrap_or(HashData::EMPTY);
        if node.empties >= EVAL_EMPTIES {
            score_by_evaluation(self, base, &data, position, depth);
        } else {
            score_by_mobility(self, base, &data);
        }
        self.moves.len() > base
    }

    /// All moves with at least `score`, the exact score of the position, from a1 to h8.
    pub(super) fn all_best_moves(&mut self, position: &PatternNode, score: i32) -> Vec<Move> {
        let (base, node) = (self.moves.len(), position.node);
        let moves = self.kernel.mobility(node.own, node.other);
        if moves == 0 {
            let passes = self.kernel.mobility(node.other, node.own) != 0;
            return passes.then_some(Move::PASS).into_iter().collect();
        }
        let mut found: Vec<Move> = Vec::new();
        let mut left = moves;
        while let Some(square) = Square::lowest(left) {
            left &= left - 1;
            self.moves.truncate(base);
            if generate(self, &node, square.bit()).is_some() {
                found.push(Move::from(square));
                continue;
            }
            let after = position.after(&self.moves[base]);
            if -self.nws(&after, node.empties - 1, -score) >= score {
                found.push(Move::from(square));
            }
        }
        self.moves.truncate(base);
        found
    }
}
