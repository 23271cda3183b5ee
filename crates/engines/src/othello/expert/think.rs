//! One move: round after round until the time is up or there is nothing left to find.

use std::time::Instant;

use tesuji_othello::Move;
use tesuji_search::clock::TimeBudget;
use tesuji_search::{Bound, PvLine, SearchReport, Value};

use super::kernel::Kernel;
use super::level::Level;
use super::rounds::Round;
use super::spot::Spot;
use super::table::Reach;
use super::walk::Walk;
use super::watch::Watch;
use super::{Aim, Solver, Task};

/// One move to be found.
pub(super) struct Think<'a> {
    pub(super) spot: Spot,
    pub(super) moves: usize,
    pub(super) lines: usize,
    pub(super) rounds: Vec<Round>,
    pub(super) watch: &'a Watch<'a>,
    pub(super) begun: Instant,
    pub(super) budget: Option<TimeBudget>,
    pub(super) tell: &'a mut dyn FnMut(&SearchReport<Move>),
}

/// What is thought so far.
struct Thought {
    /// The best line of the last round that was complete.
    best: Vec<Move>,
    /// What it is worth.
    score: i32,
    /// The worth of each line that is asked for, the best not always first.
    guesses: Vec<i32>,
    /// Rounds that did not change the move.
    calm: u32,
    /// Whether the last round found it worth much less.
    falls: bool,
}

impl Task for Think<'_> {
    /// The best line of the last round that was complete.
    type Found = Vec<Move>;

    fn run<K: Kernel>(self, kernel: K, solver: &Solver) -> Vec<Move> {
        let Think { spot, moves, lines, rounds, watch, begun, budget, tell } = self;
        let mut thought = Thought { best: Vec::new(), score: 0, guesses: Vec::new(), calm: 0, falls: false };
        solver.together(kernel, &spot, watch, |walk| {
            thought.guesses = vec![walk.judged(&spot); lines];
            for Round { reach, aim } in rounds {
                let found = match aim {
                    Aim::Score => thought.scored(walk, &spot, reach),
                    Aim::Outcome => thought.decided(walk, &spot, reach),
                };
                if walk.stopped {
                    return;
                }
                let (nodes, time, depth) = (walk.nodes, begun.elapsed(), u32::from(reach.depth));
                tell(&SearchReport { depth, seldepth: depth, nodes, time, hashfull: None, lines: found });
                let enough =
                    |budget: TimeBudget| moves == 1 || budget.enough(time, thought.calm, thought.falls);
                if budget.is_some_and(enough) {
                    return;
                }
            }
        });
        thought.best
    }
}

impl Thought {
    /// A round that asks what the best lines are worth.
    fn scored<K: Kernel>(&mut self, walk: &mut Walk<'_, K>, spot: &Spot, reach: Reach) -> Vec<PvLine<Move>> {
        let mut found: Vec<(i32, Vec<Move>)> = Vec::with_capacity(self.guesses.len());
        let mut barred = 0;
        for guess in &mut self.guesses {
            let mut line = Vec::new();
            *guess = walk.round(spot, reach, *guess, (-65, 65), barred, &mut line);
            if walk.stopped {
                return Vec::new();
            }
            barred |= line.first().and_then(|mv| mv.square()).map_or(0, |square| square.bit());
            found.push((*guess, line));
        }
        found.sort_by_key(|(score, _)| std::cmp::Reverse(*score));
        let (score, line) = &found[0];
        self.falls = *score < self.score - 2;
        self.calm = if line.first() == self.best.first() { self.calm + 1 } else { 0 };
        (self.score, self.best) = (*score, line.clone());
        found.into_iter().map(|(score, moves)| told(score, moves)).collect()
    }

    /// A round that asks who wins. If it leaves anything out it only leads the next.
    fn decided<K: Kernel>(&mut self, walk: &mut Walk<'_, K>, spot: &Spot, reach: Reach) -> Vec<PvLine<Move>> {
        let mut line = Vec::new();
        let score = walk.round(spot, reach, self.score, (-1, 1), 0, &mut line);
        if walk.stopped || reach.level < Level::EXACT {
            return vec![told(self.score, self.best.clone())];
        }
        // Who has lost plays on for the discs.
        if score >= 0 {
            self.best = line;
        }
        let bound = [Bound::Upper, Bound::Exact, Bound::Lower][(score.signum() + 1) as usize];
        // Games end with an even difference.
        vec![PvLine { bound, ..told(2 * score.signum(), self.best.clone()) }]
    }
}

/// A line and its worth in hundredths of a disc: certain results on the same scale as estimates, so that what a move gave
/// away can be told wherever the one becomes the other.
pub(super) fn told(score: i32, moves: Vec<Move>) -> PvLine<Move> {
    PvLine { value: Value::estimate(100 * score), bound: Bound::Exact, moves, rate: None }
}
