//! One move down the tree: how deep to look behind it, and by which windows.

use tesuji_game::Game;

use super::found::Found;
use super::worker::{LONGEST, Worker};
use crate::{Eval, Heuristics, NodeContext};

impl<G: Game, E: Eval<G>, C: Heuristics<G, E>> Worker<'_, G, E, C> {
    /// The value of the position that `mv` has just led to, seen by its mover; `at` is where it was played.
    ///
    /// The first move is searched in the whole window. Of the others it is only asked whether they are
    /// better, less deep at first if the craft says so, and what is better is searched again.
    #[inline]
    pub(super) fn descend<const OPEN: bool>(&mut self, mv: G::Move, at: &NodeContext) -> Found {
        let (craft, next) = (self.shared.craft, at.ply as usize + 1);
        self.nulled = false;
        let mut depth = at.depth - 1;
        if next < LONGEST {
            depth += craft.extend(&self.game, mv, at).min(2);
        }
        let (floor, ceiling) = (at.beta.ahead(), at.alpha.ahead());
        if at.tried == 0 {
            return self.node::<OPEN>(next, depth, floor, ceiling);
        }
        if OPEN {
            self.frames[next].line.clear();
        }
        let better = |found: Found| found.value.back() > at.alpha;
        let scout = at.alpha.above().ahead();
        let reduction = craft.reduce(&self.game, mv, at).min(depth);
        let mut found = self.node::<false>(next, depth - reduction, scout, ceiling);
        if reduction > 0 && better(found) && !self.halted {
            found = self.node::<false>(next, depth, scout, ceiling);
        }
        if OPEN && better(found) && found.value.back() < at.beta && !self.halted {
            found = self.node::<true>(next, depth, floor, ceiling);
        }
        found
    }

    /// A cut because even a move of nothing is good enough. It proves nothing.
    #[inline]
    pub(super) fn null_cut(&mut self, at: &NodeContext) -> Option<Found> {
        if at.beta.is_proven() || std::mem::take(&mut self.nulled) {
            return None;
        }
        let (undo, reduction) = self.shared.craft.null(&mut self.game, at)?;
        let ply = at.ply as usize;
        let [here, next] = &mut self.frames[ply..ply + 2] else {
            self.game.undo(undo);
            return None;
        };
        self.shared.eval.advance_null(&here.memo, &self.game, &mut next.memo);
        self.nulled = true;
        let depth = at.depth.saturating_sub(1 + reduction);
        let child = self.node::<false>(ply + 1, depth, at.beta.ahead(), at.beta.below().ahead());
        self.nulled = false;
        self.game.undo(undo);
        if self.halted {
            return Some(Found::NOTHING);
        }
        let value = child.value.back();
        let modest = if value.is_proven() { at.beta } else { value };
        (value >= at.beta).then_some(Found { value: modest, since: child.since, whole: false })
    }

    /// A cut because a shallow search is so far outside of the window (ProbCut). It proves nothing.
    #[inline]
    pub(super) fn probe_cut(&mut self, at: &NodeContext) -> Option<Found> {
        let probe = self.shared.craft.probe(&self.game, at)?;
        let (ply, depth) = (at.ply as usize, probe.depth.min(at.depth - 1));
        let nulled = self.nulled;
        let mut tries = [(probe.high, true), (probe.low, false)].into_iter();
        tries.find_map(|(bound, high)| {
            let value = if high { at.beta } else { at.alpha };
            if bound.is_proven() || value.is_proven() {
                return None;
            }
            self.nulled = nulled;
            let (alpha, beta) = if high { (bound.below(), bound) } else { (bound, bound.above()) };
            let found = self.node::<false>(ply, depth, alpha, beta);
            if self.halted {
                return Some(Found::NOTHING);
            }
            self.nulled = nulled;
            let cut = if high { found.value >= bound } else { found.value <= bound };
            cut.then_some(Found { value, since: found.since, whole: false })
        })
    }
}
