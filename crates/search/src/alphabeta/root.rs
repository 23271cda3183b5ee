//! The root: its moves, and the drivers that call the search below them with one window after another.

use tesuji_game::{Game, Move};

use super::Driver;
use super::busy::SHALLOWEST;
use super::found::Found;
use super::worker::Worker;
use crate::table::Entry;
use crate::{Best, Bound, Eval, Heuristics, NodeContext, Value};

/// A move at the root and what the current iteration knows of it.
#[derive(Clone, Debug)]
pub(super) struct RootMove<M> {
    pub(super) mv: M,
    /// Below everything until it is known.
    pub(super) value: Value,
    /// The moves expected, this one included.
    pub(super) line: Vec<M>,
}

impl<M: Copy> RootMove<M> {
    pub(super) fn new(mv: M) -> RootMove<M> {
        RootMove { mv, value: Value::LEAST, line: vec![mv] }
    }
}

/// What one iteration found for one line.
#[derive(Clone, Copy, Debug)]
pub(super) struct Iterated {
    pub(super) found: Found,
    /// Whether the value fell below what was expected.
    pub(super) fell: bool,
}

impl<G: Game, E: Eval<G>, C: Heuristics<G, E>> Worker<'_, G, E, C> {
    /// Searches the root moves from `first` on; the best of them stands at `first` afterwards. `guesses` are
    /// the values of the last iterations, the latest first.
    pub(super) fn iterate(
        &mut self,
        depth: u32,
        first: usize,
        guesses: &[Value],
        driver: Driver,
    ) -> Iterated {
        let iterated = match driver {
            Driver::Pvs => self.aspire(depth, first, guesses),
            Driver::Mtdf => self.close_in(depth, first, guesses.first().copied().unwrap_or(Value::DRAW)),
        };
        if !self.halted {
            self.roots[first].value = iterated.found.value;
        }
        iterated
    }

    /// Aspiration: a window round the last two values, since values tend to swing from ply to ply, opened
    /// on the side where it fails.
    fn aspire(&mut self, depth: u32, first: usize, guesses: &[Value]) -> Iterated {
        let (mut low, mut high) = (Value::LEAST, Value::MOST);
        let mut step = 0;
        if let [last, before, ..] = *guesses
            && !last.is_proven()
            && !before.is_proven()
        {
            let swing = i32::from(last.get()).abs_diff(i32::from(before.get())) as i32;
            step = 4 + swing / 2;
            low = Value::estimate(i32::from(last.min(before).get()) - step);
            high = Value::estimate(i32::from(last.max(before).get()) + step);
        }
        let mut fell = false;
        loop {
            let found = self.root(depth, low, high, first);
            if self.halted {
                return Iterated { found, fell };
            }
            step = step.saturating_mul(4).max(16);
            let far = step > i32::from(Value::LIMIT) / 8 || found.value.is_proven();
            if found.value <= low && low > Value::LEAST {
                fell = true;
                let wider = Value::estimate(i32::from(found.value.get()) - step);
                low = if far { Value::LEAST } else { wider };
            } else if found.value >= high && high < Value::MOST {
                let wider = Value::estimate(i32::from(found.value.get()) + step);
                high = if far { Value::MOST } else { wider };
            } else {
                return Iterated { found, fell };
            }
        }
    }

    /// MTD(f): null windows only, each at the bound that the last one gave, until the bounds meet.
    fn close_in(&mut self, depth: u32, first: usize, guess: Value) -> Iterated {
        let (mut low, mut high) = (Found::truth(Value::LEAST), Found::truth(Value::MOST));
        let mut guess = guess;
        loop {
            let beta = if guess == low.value { guess.above() } else { guess };
            let found = self.root(depth, beta.below(), beta, first);
            if self.halted {
                return Iterated { found, fell: false };
            }
            guess = found.value;
            if guess < beta {
                high = found;
            } else {
                low = found;
            }
            if low.value >= high.value || guess >= Value::win(1) {
                return Iterated { found: found.with(low).with(high), fell: false };
            }
        }
    }

    /// One search of the root moves from `first` on, in one window.
    fn root(&mut self, depth: u32, alpha: Value, beta: Value, first: usize) -> Found {
        if self.tick() {
            return Found::NOTHING;
        }
        let key = self.game.key();
        let shared = self.shared;
        let value = C::STATIC.then(|| self.judgement(0));
        let mut situation = NodeContext {
            ply: 0,
            depth,
            beyond: 0,
            tried: 0,
            open: beta > alpha.above(),
            alpha,
            beta,
            value,
        };
        self.roots[first..].iter_mut().for_each(|root| root.value = Value::LEAST);
        let mut best = Best::NONE;
        let mut lead = Found::truth(Value::LEAST);
        let mut all = lead;
        let mut late = Vec::new();
        let mut order = first..self.roots.len();
        loop {
            let (index, was_late) = match order.next() {
                Some(index) => (index, false),
                None => match late.pop() {
                    Some(index) => (index, true),
                    None => break,
                },
            };
            let mv = self.roots[index].mv;
            let bits = mv.to_bits();
            let busy = shared.busy.as_ref().filter(|_| depth >= SHALLOWEST && !was_late);
            if busy.is_some_and(|busy| index > first && busy.has(key, bits, depth)) {
                late.push(index);
                continue;
            }
            if let Some(busy) = busy {
                busy.note(key, bits, depth);
            }
            let undo = self.step(0, mv);
            let child = if situation.open {
                self.descend::<true>(mv, &situation)
            } else {
                self.frames[1].line.clear();
                self.descend::<false>(mv, &situation)
            };
            self.game.undo(undo);
            if let Some(busy) = busy {
                busy.strike(key, bits, depth);
            }
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
            if best.value <= situation.alpha && situation.tried > 1 {
                continue;
            }
            self.lead_line(0, mv);
            let root = &mut self.roots[index];
            root.value = best.value;
            root.line.clone_from(&self.frames[0].line);
            if best.value > situation.alpha {
                situation.alpha = best.value;
                if first == 0 && situation.open {
                    self.partial = Some(self.roots[index].clone());
                }
                if best.value >= beta.min(Value::win(1)) {
                    break;
                }
            }
        }
        // Moves not known to be better keep the order of the last iteration.
        self.roots[first..].sort_by_key(|root| std::cmp::Reverse(root.value));
        let bound = match best.value {
            value if value >= beta => Bound::Lower,
            value if value > alpha => Bound::Exact,
            _ => Bound::Upper,
        };
        let cut = best.value >= beta.min(Value::win(1));
        let found = Found { value: best.value, ..if cut { lead } else { all } };
        if first == 0 {
            let mv = best.mv.filter(|_| bound != Bound::Upper).map(Move::to_bits);
            let entry = Entry { mv, value: best.value, depth: depth as u8, bound, whole: found.whole };
            self.note(0, key, entry, found, lead);
        }
        found
    }
}
