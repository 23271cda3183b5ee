//! Iterative deepening with aspiration windows, or with MTD(f).

use tesuji_game::{Game, Move, MoveList};

use super::RootDriver;
use super::result::SearchResult;
use super::root::RootMove;
use super::worker::Worker;
use crate::clock::TimeBudget;
use crate::{Bound, Eval, Heuristics, Proven, PvLine, ReportSource, SearchReport, Value};

/// The deepest iteration; a TT entry holds depths up to 255.
pub(super) const MAX_DEPTH: u32 = 200;

/// The limits of one thread's iterative deepening.
pub(super) struct DeepeningLimits {
    pub(super) depth: u32,
    /// Number of lines (multi-PV).
    pub(super) lines: usize,
    pub(super) driver: RootDriver,
    pub(super) budget: Option<TimeBudget>,
}

/// The result of one iteration for one line.
#[derive(Clone, Copy, Debug)]
struct IterationResult {
    result: SearchResult,
    /// Whether the search failed low.
    failed_low: bool,
}

impl<G: Game, E: Eval<G>, H: Heuristics<G, E>> Worker<'_, G, E, H> {
    /// Searches deeper and deeper until a limit is reached, and returns the principal variation. `watch` gets a report
    /// of every completed iteration.
    pub(super) fn iterative_deepening(
        &mut self,
        limits: &DeepeningLimits,
        mut watch: impl FnMut(&SearchReport<G::Move>),
    ) -> Option<Vec<G::Move>> {
        let mut completed = None;
        let mut previous: Vec<Vec<Value>> = vec![Vec::new(); limits.lines];
        let mut stable = 0;
        for depth in 1..=limits.depth {
            self.partial = None;
            let mut failed_low = false;
            let mut done = true;
            for (first, previous) in previous.iter().enumerate() {
                let iteration = self.iterate(depth, first, previous, limits.driver);
                if self.aborted {
                    // The first move of this iteration was the best of the last one, so a move that beat it is
                    // better. Before the first move is complete nothing is known.
                    return self.partial.take().map(|root| root.pv).or(completed);
                }
                failed_low |= first == 0 && iteration.failed_low;
                done &= is_final(iteration.result, depth);
            }
            self.roots[..limits.lines].sort_by_key(|root| std::cmp::Reverse(root.value));
            for (previous, root) in previous.iter_mut().zip(&self.roots) {
                previous.insert(0, root.value);
                previous.truncate(2);
            }
            let report = self.report(depth, limits.lines);
            let best = report.lines.first().map(|line| line.moves.clone());
            let same = |a: &Vec<G::Move>, b: &Vec<G::Move>| a.first() == b.first();
            let unchanged = completed.as_ref().zip(best.as_ref()).is_some_and(|(a, b)| same(a, b));
            stable = if unchanged { stable + 1 } else { 0 };
            completed = best;
            watch(&report);
            let in_time =
                limits.budget.is_none_or(|budget| !budget.enough(self.shared.started.elapsed(), stable, failed_low));
            if done || !in_time || self.shared.stop.is_cancelled() {
                break;
            }
        }
        completed
    }

    /// One iteration over the root moves from index `first` on. `previous` holds the values of the last iterations,
    /// the latest first.
    fn iterate(&mut self, depth: u32, first: usize, previous: &[Value], driver: RootDriver) -> IterationResult {
        let iteration = match driver {
            RootDriver::Pvs => self.aspiration_search(depth, first, previous),
            RootDriver::Mtdf => self.mtdf(depth, first, previous.first().copied().unwrap_or(Value::DRAW)),
        };
        if !self.aborted {
            self.roots[first].value = iteration.result.value;
            self.roots[first].solved = iteration.result.solved;
        }
        iteration
    }

    /// Aspiration window round the last two values (values tend to alternate from ply to ply), widened on the side
    /// where the search fails.
    fn aspiration_search(&mut self, depth: u32, first: usize, previous: &[Value]) -> IterationResult {
        let (mut alpha, mut beta) = (Value::LEAST, Value::MOST);
        let mut delta = 0;
        if let [last, before, ..] = *previous
            && !last.is_proven()
            && !before.is_proven()
        {
            let swing = i32::from(last.get()).abs_diff(i32::from(before.get())) as i32;
            delta = 4 + swing / 2;
            alpha = Value::estimate(i32::from(last.min(before).get()) - delta);
            beta = Value::estimate(i32::from(last.max(before).get()) + delta);
        }
        let mut failed_low = false;
        loop {
            let result = self.search_root(depth, alpha, beta, first);
            if self.aborted {
                return IterationResult { result, failed_low };
            }
            delta = delta.saturating_mul(4).max(16);
            let open = delta > i32::from(Value::LIMIT) / 8 || result.value.is_proven();
            if result.value <= alpha && alpha > Value::LEAST {
                failed_low = true;
                let wider = Value::estimate(i32::from(result.value.get()) - delta);
                alpha = if open { Value::LEAST } else { wider };
            } else if result.value >= beta && beta < Value::MOST {
                let wider = Value::estimate(i32::from(result.value.get()) + delta);
                beta = if open { Value::MOST } else { wider };
            } else {
                return IterationResult { result, failed_low };
            }
        }
    }

    /// MTD(f): null-window searches, each at the bound of the last one, until lower and upper bound meet.
    fn mtdf(&mut self, depth: u32, first: usize, guess: Value) -> IterationResult {
        let (mut lower, mut upper) = (SearchResult::solved(Value::LEAST), SearchResult::solved(Value::MOST));
        let mut guess = guess;
        loop {
            let beta = if guess == lower.value { guess.above() } else { guess };
            let result = self.search_root(depth, beta.below(), beta, first);
            if self.aborted {
                return IterationResult { result, failed_low: false };
            }
            guess = result.value;
            if guess < beta {
                upper = result;
            } else {
                lower = result;
            }
            if lower.value >= upper.value || guess >= Value::win(1) {
                return IterationResult { result: result.with(lower).with(upper), failed_low: false };
            }
        }
    }

    fn report(&mut self, depth: u32, lines: usize) -> SearchReport<G::Move> {
        let lines = self.roots[..lines].to_vec();
        SearchReport {
            depth,
            seldepth: self.seldepth.max(depth as usize) as u32,
            nodes: self.share_nodes(),
            time: self.shared.started.elapsed(),
            hashfull: self.shared.tt.map(|tt| tt.hashfull()),
            lines: lines.into_iter().map(|root| self.extend_pv(root, depth)).collect(),
            source: ReportSource::Search,
        }
    }

    /// The line of a root move, extended by the moves of the transposition table where the search cut it short.
    fn extend_pv(&self, root: RootMove<G::Move>, depth: u32) -> PvLine<G::Move> {
        let mut moves = root.pv;
        let mut game = self.game.clone();
        let mut keys = vec![game.key()];
        for &mv in &moves {
            game.play(mv);
            keys.push(game.key());
        }
        let mut list = G::Moves::default();
        while moves.len() < depth as usize
            && let Some(bits) = self.shared.tt.and_then(|tt| tt.probe(game.key())?.mv)
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
        PvLine { value: root.value, bound: Bound::Exact, moves, rate: None, prior: None, solved: root.solved }
    }
}

/// Whether deeper iterations cannot change the result: no evaluation went into it, or it is proven within the depth.
fn is_final(result: SearchResult, depth: u32) -> bool {
    let near = match result.value.proven() {
        Some(Proven::Win(plies) | Proven::Loss(plies)) => u32::from(plies) <= depth,
        None => false,
    };
    result.solved || near
}
