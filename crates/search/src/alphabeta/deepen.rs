//! Iterative deepening: one ply more each time, until there is no reason to go on.

use tesuji_game::{Game, Move, MoveList};

use super::Driver;
use super::found::Found;
use super::root::RootMove;
use super::worker::Worker;
use crate::clock::Budget;
use crate::{Bound, Eval, Heuristics, Line, Proven, Report, Value};

/// The deepest iteration; a table entry tells depths up to 255.
pub(super) const DEEPEST: u32 = 200;

/// When and how to deepen.
pub(super) struct Plan {
    pub(super) depth: u32,
    pub(super) lines: usize,
    pub(super) driver: Driver,
    pub(super) budget: Option<Budget>,
}

impl<G: Game, E: Eval<G>, C: Heuristics<G, E>> Worker<'_, G, E, C> {
    /// Deepens until the plan is fulfilled or the search halted, and gives the best line found. `watch` hears
    /// of every iteration completed.
    pub(super) fn deepen(
        &mut self,
        plan: &Plan,
        mut watch: impl FnMut(&Report<G::Move>),
    ) -> Option<Vec<G::Move>> {
        let mut settled = None;
        let mut guesses: Vec<Vec<Value>> = vec![Vec::new(); plan.lines];
        let mut calm = 0;
        for depth in 1..=plan.depth {
            self.partial = None;
            let mut fell = false;
            let mut done = true;
            for (first, guesses) in guesses.iter().enumerate() {
                let iterated = self.iterate(depth, first, guesses, plan.driver);
                if self.halted {
                    // The first move of this iteration was the best of the last one. What beat it is better
                    // still; before it is done nothing is known.
                    return self.partial.take().map(|root| root.line).or(settled);
                }
                fell |= first == 0 && iterated.fell;
                done &= is_final(iterated.found, depth);
            }
            self.roots[..plan.lines].sort_by_key(|root| std::cmp::Reverse(root.value));
            for (guesses, root) in guesses.iter_mut().zip(&self.roots) {
                guesses.insert(0, root.value);
                guesses.truncate(2);
            }
            let report = self.report(depth, plan.lines);
            let best = report.lines.first().map(|line| line.moves.clone());
            let same = |a: &Vec<G::Move>, b: &Vec<G::Move>| a.first() == b.first();
            let steady = settled.as_ref().zip(best.as_ref()).is_some_and(|(a, b)| same(a, b));
            calm = if steady { calm + 1 } else { 0 };
            settled = best;
            watch(&report);
            let timely = plan.budget.is_none_or(|budget| {
                self.roots.len() > 1 && !budget.enough(self.shared.begun.elapsed(), calm, fell)
            });
            if done || !timely || self.shared.stop.is_cancelled() {
                break;
            }
        }
        settled
    }

    fn report(&mut self, depth: u32, lines: usize) -> Report<G::Move> {
        let lines = self.roots[..lines].to_vec();
        Report {
            depth,
            deepest: self.deepest.max(depth as usize) as u32,
            nodes: self.tell_nodes(),
            time: self.shared.begun.elapsed(),
            full: self.shared.table.map(|table| table.full()),
            lines: lines.into_iter().map(|root| self.line(root, depth)).collect(),
        }
    }

    /// The line of a root move, continued by what the table knows where the search cut it short.
    fn line(&self, root: RootMove<G::Move>, depth: u32) -> Line<G::Move> {
        let mut moves = root.line;
        let mut game = self.game.clone();
        let mut keys = vec![game.key()];
        for &mv in &moves {
            game.play(mv);
            keys.push(game.key());
        }
        let mut list = G::Moves::default();
        while moves.len() < depth as usize
            && let Some(bits) = self.shared.table.and_then(|table| table.probe(game.key())?.mv)
        {
            let mv = G::Move::from_bits(bits);
            game.moves(&mut list);
            if !list.has(mv) {
                break;
            }
            game.play(mv);
            moves.push(mv);
            if keys.contains(&game.key()) {
                break;
            }
            keys.push(game.key());
        }
        Line { value: root.value, bound: Bound::Exact, moves, rate: None }
    }
}

/// Whether deeper iterations would find the same: nothing was estimated, or the result is proven and nearer
/// than the depth.
fn is_final(found: Found, depth: u32) -> bool {
    let near = match found.value.proven() {
        Some(Proven::Win(plies) | Proven::Loss(plies)) => u32::from(plies) <= depth,
        None => false,
    };
    found.whole || near
}
