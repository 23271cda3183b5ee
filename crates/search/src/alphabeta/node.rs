//! The search of one node: principal variation search over the moves, best promise first.

use tesuji_game::{Game, Move, MoveList};

use super::busy::SHALLOWEST;
use super::found::{Found, decides};
use super::worker::{LONGEST, Worker};
use crate::order::{self, KILLER};
use crate::table::Entry;
use crate::{Best, Bound, Eval, Heuristics, NodeContext, Value};

impl<G: Game, E: Eval<G>, C: Heuristics<G, E>> Worker<'_, G, E, C> {
    /// The value of the position, `depth` plies deep, exact within the window and a bound outside of it.
    /// `OPEN` nodes are those of principal variations: they tell their line, and the table does not cut them
    /// short.
    pub(super) fn node<const OPEN: bool>(
        &mut self,
        ply: usize,
        depth: u32,
        alpha: Value,
        beta: Value,
    ) -> Found {
        debug_assert!(alpha < beta, "{alpha} {beta}");
        if OPEN {
            self.frames[ply].line.clear();
        }
        if depth == 0 || ply >= LONGEST {
            return self.quiesce(ply, 0, alpha, beta);
        }
        if self.tick() {
            return Found::NOTHING;
        }
        let shared = self.shared;
        let key = self.game.key();
        if let Some(found) = self.repeated(ply, key) {
            return found;
        }
        if let Some(found) = self.drawn_out(ply) {
            return found;
        }
        let entry = self.known(ply, key);
        if let Some(entry) = &entry
            && !OPEN
            && decides(entry, depth, alpha, beta, shared.strict)
        {
            return Found::stored(entry);
        }
        let mut situation =
            NodeContext { ply: ply as u32, depth, beyond: 0, tried: 0, open: OPEN, alpha, beta, value: None };
        if let Some(value) = shared.craft.verdict(&mut self.game, &situation) {
            return Found::truth(value);
        }
        situation.value = C::STATIC.then(|| self.judgement(ply));
        if !OPEN && let Some(found) = self.probe_cut(&situation) {
            return found;
        }
        self.trail.push(&self.game, key);
        let found = self.expand::<OPEN>(&situation, key, entry.and_then(|entry| entry.mv));
        self.trail.pop(&self.game, key);
        found.leaving(ply)
    }

    /// The moves of a node whose position is on the trail.
    fn expand<const OPEN: bool>(&mut self, at: &NodeContext, key: u64, known: Option<u32>) -> Found {
        let (ply, shared) = (at.ply as usize, self.shared);
        if !OPEN && let Some(found) = self.null_cut(at) {
            return found;
        }
        self.game.moves(&mut self.frames[ply].list);
        if self.frames[ply].list.is_empty() {
            let outcome = self.game.outcome();
            return Found::truth(
                outcome.map_or(Value::DRAW, |outcome| shared.eval.over(&self.game, outcome)),
            );
        }
        if let Some(found) = Found::by_distance(at.alpha, at.beta) {
            return found;
        }
        let ceiling = at.beta.min(Value::win(1));
        self.order(ply, known);
        let mut situation = *at;
        let mut best = Best::NONE;
        let mut lead = Found::truth(Value::LEAST);
        let mut all = lead;
        let mut index = 0;
        while let Some((bits, late)) = self.next(ply, &mut index, key, situation.depth) {
            let mv = G::Move::from_bits(bits);
            let undo = self.step(ply, mv);
            let noted = shared.busy.as_ref().filter(|_| situation.depth >= SHALLOWEST && !late);
            if let Some(busy) = noted {
                busy.note(key, bits, situation.depth);
            }
            let child = self.descend::<OPEN>(mv, &situation);
            if let Some(busy) = noted {
                busy.strike(key, bits, situation.depth);
            }
            self.game.undo(undo);
            if self.halted {
                return Found::NOTHING;
            }
            situation.tried += 1;
            all = all.with(child);
            let told = Best::by(mv, child.value);
            if told.value <= best.value {
                continue;
            }
            best = best.join(told);
            lead = child;
            if best.value > situation.alpha {
                situation.alpha = best.value;
                if OPEN {
                    self.lead_line(ply, mv);
                }
                if best.value >= ceiling {
                    self.reward(ply, bits, situation.depth, index);
                    break;
                }
            }
        }
        let cut = best.value >= ceiling;
        let rests = if cut { lead } else { all };
        let bound = match best.value {
            value if value >= at.beta => Bound::Lower,
            value if value > at.alpha => Bound::Exact,
            _ => Bound::Upper,
        };
        let found = Found { value: best.value, ..rests };
        let entry = Entry {
            mv: best.mv.filter(|_| bound != Bound::Upper).map(Move::to_bits),
            value: best.value,
            depth: at.depth as u8,
            bound,
            whole: found.whole,
        };
        self.note(ply, key, entry, found, lead);
        found
    }

    /// Stores what holds on every path: all of it, or the bound that the best child gives by itself.
    #[inline]
    pub(super) fn note(&self, ply: usize, key: u64, entry: Entry, found: Found, lead: Found) {
        let Some(table) = self.shared.table else { return };
        if found.is_clean(ply) {
            table.store(key, entry);
        } else if entry.bound == Bound::Exact && lead.is_clean(ply) {
            table.store(key, Entry { bound: Bound::Lower, whole: lead.whole, ..entry });
        }
    }

    /// Lists the moves of a frame with their promise.
    fn order(&mut self, ply: usize, known: Option<u32>) {
        let side = self.game.mover();
        let frame = &mut self.frames[ply];
        let killers = frame.killers;
        frame.picks.clear();
        frame.late.clear();
        for mv in frame.list.each() {
            let bits = mv.to_bits();
            let promise = if known == Some(bits) {
                i32::MAX
            } else {
                let killer = if killers.contains(&Some(bits)) { KILLER } else { 0 };
                let learned = self.history.worth(side, bits) + killer;
                self.shared.craft.hint(&self.game, mv).saturating_add(learned).min(i32::MAX - 1)
            };
            frame.picks.push(order::pick(promise, bits));
        }
    }

    /// The next move to try, and whether it had been left for later. A move that another thread is at waits
    /// until the others are done; by then the table knows it.
    #[inline]
    fn next(&mut self, ply: usize, index: &mut usize, key: u64, depth: u32) -> Option<(u32, bool)> {
        let frame = &mut self.frames[ply];
        while *index < frame.picks.len() {
            let pick = order::next(&mut frame.picks, *index);
            *index += 1;
            let bits = order::bits(pick);
            let deferred = self
                .shared
                .busy
                .as_ref()
                .is_some_and(|busy| *index > 1 && depth >= SHALLOWEST && busy.has(key, bits, depth));
            if !deferred {
                return Some((bits, false));
            }
            frame.late.push(pick);
        }
        frame.late.pop().map(|pick| (order::bits(pick), true))
    }

    /// The child's line behind `mv` is the best line of this node.
    pub(super) fn lead_line(&mut self, ply: usize, mv: G::Move) {
        let [here, next] = &mut self.frames[ply..ply + 2] else { return };
        here.line.clear();
        here.line.push(mv);
        here.line.extend_from_slice(&next.line);
    }

    /// A move has cut: it and those tried in vain before it are remembered.
    #[inline]
    fn reward(&mut self, ply: usize, bits: u32, depth: u32, tried: usize) {
        let side = self.game.mover();
        let frame = &mut self.frames[ply];
        for &pick in &frame.picks[..tried.min(frame.picks.len())] {
            let other = order::bits(pick);
            if other != bits {
                self.history.learn(side, other, depth, false);
            }
        }
        self.history.learn(side, bits, depth, true);
        if frame.killers[0] != Some(bits) {
            frame.killers = [Some(bits), frame.killers[0]];
        }
    }
}
