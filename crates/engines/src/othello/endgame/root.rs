//! From null windows to an exact score, the line of best play and all best moves.

use tesuji_othello::{Move, Square};

use super::kernel::Kernel;
use super::last::{NONE, ended};
use super::order::{pick, ranked};
use super::rank::Rank;
use super::table::Known;
use super::tree::{Node, Step};
use super::walk::Walk;

impl<K: Kernel, R: Rank> Walk<'_, K, R> {
    /// The score: exact between `alpha` and `beta`, and on the right side of them otherwise. `line` becomes best
    /// play from here; only a score within the window has one.
    pub(super) fn full(&mut self, node: Node, alpha: i32, beta: i32, line: &mut Vec<Move>) -> i32 {
        self.nodes += 1;
        line.clear();
        let base = self.steps.len();
        if !self.listed(&node) {
            if self.kernel.mobility(node.other, node.own) == 0 {
                return ended(node.own, node.other);
            }
            let score = -self.full(node.passed(), -beta, -alpha, line);
            line.insert(0, Move::PASS);
            return score;
        }
        let before = self.nodes;
        let (mut best, mut chosen) = (NONE, self.steps[base].square);
        let mut below = Vec::new();
        for at in base..self.steps.len() {
            let step = pick(&mut self.steps[at..]);
            let floor = alpha.max(best);
            let mut score = if best == NONE { beta } else { -self.null(step.after, -floor - 1) };
            if score > floor && (best == NONE || score < beta) {
                score = -self.full(step.after, -beta, -floor, &mut below);
                if score > floor {
                    line.clear();
                    line.extend(Square::new(step.square).map(Move::from));
                    line.append(&mut below);
                }
            }
            if self.stopped {
                break;
            }
            if score > best {
                (best, chosen) = (score, step.square);
            }
            if best >= beta {
                break;
            }
        }
        self.steps.truncate(base);
        if !self.stopped {
            let (place, board) = (self.table.place(node.own, node.other), (node.own, node.other));
            let spent = self.nodes - before;
            if best > alpha {
                self.table.put(place, board, best - 1, best, chosen, spent);
            }
            if best < beta {
                self.table.put(place, board, best, best, chosen, spent);
            }
        }
        best
    }

    /// Lists and ranks the moves of a position behind those of others; whether there are any.
    fn listed(&mut self, node: &Node) -> bool {
        let base = self.steps.len();
        let mut moves = self.kernel.mobility(node.own, node.other);
        while let Some(square) = Square::lowest(moves) {
            moves &= moves - 1;
            let after = node.after(square, self.kernel.flips(node.own, node.other, square));
            self.steps.push(Step { after, square: square.index() as u8, rank: 0 });
        }
        let place = self.table.place(node.own, node.other);
        let known = self.table.get(place, node.own, node.other).unwrap_or(Known::NOTHING);
        ranked(self, base, &known);
        self.steps.len() > base
    }

    /// Every move that leads to `score` or more, which the position must be worth; from a1 to h8.
    pub(super) fn keeping(&mut self, node: Node, score: i32) -> Vec<Move> {
        let base = self.steps.len();
        if !self.listed(&node) {
            let passes = self.kernel.mobility(node.other, node.own) != 0;
            return passes.then_some(Move::PASS).into_iter().collect();
        }
        let steps = self.steps.split_off(base);
        let mut found: Vec<Move> = Vec::new();
        for step in steps {
            if -self.null(step.after, -score) >= score {
                found.extend(Square::new(step.square).map(Move::from));
            }
        }
        found.sort_unstable();
        found
    }
}
