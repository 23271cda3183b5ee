//! From null windows to a score, the line of best play and all best moves.

use tesuji_othello::{Move, Square};

use super::kernel::Kernel;
use super::last::{NONE, ended};
use super::order::{judged, pick, ranked};
use super::spot::Spot;
use super::table::{Finding, Known, Reach};
use super::tree::list;
use super::walk::{EVALUATED, Walk};

impl<K: Kernel> Walk<'_, K> {
    /// The score `depth` plies ahead: exact between `alpha` and `beta`, and on the right side of them otherwise. `line`
    /// becomes best play from here: as far as it is known to be enough for a score above the window, none for one below.
    fn full(&mut self, spot: &Spot, depth: u32, alpha: i32, beta: i32, line: &mut Vec<Move>) -> i32 {
        self.full_but(spot, depth, alpha, beta, 0, line)
    }

    /// The same as if the squares of a set could not be played on.
    fn full_but(
        &mut self,
        spot: &Spot,
        depth: u32,
        alpha: i32,
        beta: i32,
        barred: u64,
        line: &mut Vec<Move>,
    ) -> i32 {
        self.nodes += 1;
        line.clear();
        let node = spot.node;
        if depth == 0 && node.empties > 0 {
            return self.judged(spot);
        }
        let base = self.steps.len();
        if !self.listed(spot, depth, barred) {
            if self.kernel.mobility(node.other, node.own) == 0 {
                return ended(node.own, node.other);
            }
            let score = -self.full(&spot.passed(), depth, -beta, -alpha, line);
            line.insert(0, Move::PASS);
            return score;
        }
        let before = self.nodes;
        let (mut best, mut chosen) = (NONE, self.steps[base].square);
        let mut below = Vec::new();
        for at in base..self.steps.len() {
            let step = pick(&mut self.steps[at..]);
            let after = spot.after(&step);
            let floor = alpha.max(best);
            let mut score = if best == NONE { beta } else { -self.ahead(&after, depth - 1, -floor - 1) };
            below.clear();
            if score > floor && (best == NONE || score < beta) {
                score = -self.full(&after, depth - 1, -beta, -floor, &mut below);
            }
            if score > floor {
                line.clear();
                line.extend(Square::new(step.square).map(Move::from));
                line.append(&mut below);
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
        if !self.stopped && barred == 0 {
            let (place, board) = (self.table.place(node.own, node.other), (node.own, node.other));
            let reach = Reach { depth: depth as u8, level: self.level };
            let finding = Finding { alpha: best, score: best, mv: chosen, reach, nodes: self.nodes - before };
            if best > alpha {
                self.table.put(place, board, &Finding { alpha: best - 1, ..finding });
            }
            if best < beta {
                self.table.put(place, board, &finding);
            }
        }
        best
    }

    /// One round: the score within these bounds, sought around a guess.
    pub(super) fn round(
        &mut self,
        spot: &Spot,
        reach: Reach,
        guess: i32,
        bounds: (i32, i32),
        barred: u64,
        line: &mut Vec<Move>,
    ) -> i32 {
        let depth = u32::from(reach.depth);
        self.level = reach.level;
        // Games end with an even difference.
        let guess = if depth >= spot.node.empties { (guess + 1).div_euclid(2) * 2 } else { guess };
        self.around(spot, depth, guess, bounds, barred, line)
    }

    /// The score `depth` plies ahead within these bounds, sought around a guess, as if the squares of a set could not be
    /// played on.
    fn around(
        &mut self,
        spot: &Spot,
        depth: u32,
        guess: i32,
        bounds: (i32, i32),
        barred: u64,
        line: &mut Vec<Move>,
    ) -> i32 {
        let (least, most) = bounds;
        let guess = guess.clamp(least + 1, most - 1);
        let (mut alpha, mut beta, mut step) = (guess - 1, guess + 1, 2);
        let (mut fell, mut rose) = (false, false);
        loop {
            let score = self.full_but(spot, depth, alpha, beta, barred, line);
            if self.stopped {
                return score;
            }
            if score <= alpha && alpha > least {
                fell = true;
                (alpha, beta) = ((score - step).max(least), score + 1);
            } else if score >= beta && beta < most {
                rose = true;
                (alpha, beta) = (score - 1, (score + step).min(most));
            } else {
                return score;
            }
            if fell && rose {
                // What was left out makes searches contradict each other: nothing is taken for granted.
                (alpha, beta) = bounds;
            }
            step *= 2;
        }
    }

    /// Lists and ranks the moves of a position behind those of others; whether there are any.
    fn listed(&mut self, spot: &Spot, depth: u32, barred: u64) -> bool {
        let (base, node) = (self.steps.len(), spot.node);
        let moves = self.kernel.mobility(node.own, node.other) & !barred;
        if list(self, &node, moves).is_some() {
            // Whoever can take everything need not look further.
            let taking = self.steps.len() - 1;
            self.steps.swap(base, taking);
            self.steps.truncate(base + 1);
            return true;
        }
        let place = self.table.place(node.own, node.other);
        let known = self.table.get(place, node.own, node.other).unwrap_or(Known::NOTHING);
        if node.empties >= EVALUATED {
            judged(self, base, &known, spot, depth);
        } else {
            ranked(self, base, &known);
        }
        self.steps.len() > base
    }

    /// Every move that leads to `score` or more, which the position must be worth; from a1 to h8.
    pub(super) fn keeping(&mut self, spot: &Spot, score: i32) -> Vec<Move> {
        let (base, node) = (self.steps.len(), spot.node);
        let moves = self.kernel.mobility(node.own, node.other);
        if moves == 0 {
            let passes = self.kernel.mobility(node.other, node.own) != 0;
            return passes.then_some(Move::PASS).into_iter().collect();
        }
        let mut found: Vec<Move> = Vec::new();
        let mut left = moves;
        while let Some(square) = Square::lowest(left) {
            left &= left - 1;
            self.steps.truncate(base);
            if list(self, &node, square.bit()).is_some() {
                found.push(Move::from(square));
                continue;
            }
            let after = spot.after(&self.steps[base]);
            if -self.ahead(&after, node.empties - 1, -score) >= score {
                found.push(Move::from(square));
            }
        }
        self.steps.truncate(base);
        found
    }
}
