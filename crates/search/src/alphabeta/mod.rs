//! Alpha-beta: iterative deepening over one recursive function.

use std::time::Instant;

use tesuji_game::{Game, MoveList, Path, Record};

use crate::{Best, Bound, Choice, Craft, Engine, Eval, Limits, Line, Plain, Report, Stop, Value};

/// Means of a search that do not change what it finds, only how soon.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Means {
    /// Size of the table.
    pub hash_mib: usize,
    /// Threads that search together; one is deterministic.
    pub threads: usize,
}

impl Default for Means {
    fn default() -> Means {
        Means { hash_mib: 64, threads: 1 }
    }
}

/// An engine that searches by alpha-beta.
#[derive(Debug)]
pub struct AlphaBeta<E, C = Plain> {
    eval: E,
    craft: C,
    means: Means,
}

impl<E, C> AlphaBeta<E, C> {
    /// An engine of this evaluation and craft.
    pub fn new(eval: E, craft: C, means: Means) -> AlphaBeta<E, C> {
        AlphaBeta { eval, craft, means }
    }

    /// Its means.
    pub fn means(&self) -> Means {
        self.means
    }
}

impl<G: Game, E: Eval<G>, C: Craft<G, E>> Engine<G> for AlphaBeta<E, C> {
    fn think(
        &mut self,
        record: &Record<G>,
        limits: &Limits,
        stop: &Stop,
        watch: &mut dyn FnMut(&Report<G::Move>),
    ) -> Choice<G::Move> {
        if record.ending().is_some() {
            return Choice::Over;
        }
        let begun = limits.begun.unwrap_or_else(Instant::now);
        let mut choice = Choice::Over;
        let mut walk =
            Walk { eval: &self.eval, craft: &self.craft, stop, path: record.path().clone(), nodes: 0 };
        let mut game = record.now().clone();
        let memo = self.eval.begin(&game);
        for depth in 1..=limits.depth.unwrap_or(4) {
            let best = walk.best(&mut game, &memo, depth, Value::LEAST, Value::MOST, true);
            let (Some(mv), false) = (best.mv, stop.raised()) else { break };
            choice = Choice::Move { mv, reply: None };
            let line = Line { value: best.value, bound: Bound::Exact, moves: vec![mv], rate: None };
            let report = Report {
                depth,
                deepest: depth,
                nodes: walk.nodes,
                time: begun.elapsed(),
                full: None,
                lines: vec![line],
            };
            watch(&report);
        }
        choice
    }
}

struct Walk<'a, G: Game, E, C> {
    eval: &'a E,
    craft: &'a C,
    stop: &'a Stop,
    path: Path<G>,
    nodes: u64,
}

impl<G: Game, E: Eval<G>, C: Craft<G, E>> Walk<'_, G, E, C> {
    fn best(
        &mut self,
        game: &mut G,
        memo: &E::Memo,
        depth: u32,
        alpha: Value,
        beta: Value,
        root: bool,
    ) -> Best<G::Move> {
        self.nodes += 1;
        if !root {
            if let Some(recurrence) = self.path.recurrence() {
                return Best::leaf(match recurrence.checker {
                    Some(side) if side == game.mover() => Value::loss(0),
                    Some(_) => Value::win(0),
                    None => Value::DRAW,
                });
            }
            if let Some(value) = self.craft.verdict(game) {
                return Best::leaf(value);
            }
        }
        let mut list = G::Moves::default();
        game.moves(&mut list);
        if list.is_empty() {
            let outcome = game.outcome();
            return Best::leaf(outcome.map_or(Value::DRAW, |outcome| self.eval.over(game, outcome)));
        }
        if depth == 0 || self.stop.raised() {
            return Best::leaf(self.eval.value(game, memo));
        }
        let mut best = Best::NONE;
        let mut next = E::Memo::default();
        let mut moves: Vec<G::Move> = list.each().collect();
        moves.sort_by_key(|&mv| std::cmp::Reverse(self.craft.hint(game, mv)));
        for mv in moves {
            let undo = game.play(mv);
            self.eval.advance(memo, mv, &undo, game, &mut next);
            self.path.push(game);
            let floor = if best.value > alpha { best.value } else { alpha };
            let child = self.best(game, &next, depth - 1, beta.ahead(), floor.ahead(), false);
            self.path.pop();
            game.undo(undo);
            best = best.join(Best::by(mv, child.value));
            if best.value >= beta {
                break;
            }
        }
        best
    }
}
