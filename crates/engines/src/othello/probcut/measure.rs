//! Measures the differences between shallow and deep searches: positions are searched to every depth without cuts.

use std::collections::BTreeMap;

use tesuji_game::Side;
use tesuji_learn::Samples;
use tesuji_othello::Othello;
use tesuji_search::CancelToken;
use tesuji_task::{Context, fold};

use super::super::pattern::{Bitboards, PatternEval, PatternModel, STAGES};
use super::super::search::{Goal, Selectivity, Solver};

/// With fewer empty squares the search makes no cuts.
const MIN_EMPTIES: u32 = 4;
/// Size of the transposition table of one position.
const TABLE_MIB: usize = 4;

/// The depths of the searches, and their memory.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct StudyDepths {
    /// The largest depth.
    pub plies: u32,
    /// Positions with at most this many empty squares are also solved.
    pub end: u32,
    /// Size of the transposition table in MiB; 4 if absent.
    pub hash: Option<usize>,
}

/// Sums over the score differences between two depths, in discs.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct DifferenceStats {
    /// Number of positions.
    pub count: u64,
    /// Sum of deep score minus shallow score.
    pub sum: i64,
    /// Sum of the squared differences.
    pub squares: u64,
}

impl DifferenceStats {
    fn add(&mut self, difference: i32) {
        self.count += 1;
        self.sum += i64::from(difference);
        self.squares += u64::from(difference.unsigned_abs()).pow(2);
    }

    /// Adds the differences of another set.
    pub fn merge(&mut self, other: &DifferenceStats) {
        self.count += other.count;
        self.sum += other.sum;
        self.squares += other.squares;
    }

    /// The mean difference.
    pub fn mean(&self) -> f64 {
        self.sum as f64 / self.count.max(1) as f64
    }

    /// The standard deviation around 0, not around the mean, since the search does not know the mean.
    pub fn deviation(&self) -> f64 {
        self.mean_square().sqrt()
    }

    pub(super) fn mean_square(&self) -> f64 {
        self.squares as f64 / self.count.max(1) as f64
    }
}

/// All differences, by number of empty squares, deep depth and shallow depth.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct DepthDifferences {
    /// Integer sums, so that the result does not depend on the threads.
    pub cells: BTreeMap<[u32; 3], DifferenceStats>,
}

impl DepthDifferences {
    /// Up to `per_stage` positions of each stage, no two equal. The choice depends on the seed and the positions only, not
    /// on their order.
    pub fn draw_positions(samples: &Samples<Bitboards>, per_stage: usize, seed: u64) -> Vec<Bitboards> {
        let model = PatternModel::new();
        let drawn = |stage| samples.draw(&model, stage, per_stage, seed);
        (0..STAGES).flat_map(drawn).map(|sample| sample.position).collect()
    }

    /// Searches positions on several threads. `None` when it was cancelled.
    pub fn measure(
        eval: &PatternEval,
        positions: &[Bitboards],
        depths: StudyDepths,
        threads: usize,
        context: Context<'_>,
    ) -> Option<DepthDifferences> {
        let counter = context.counter(positions.len() as u64);
        let parts = fold(threads, positions.iter().collect(), |position, part: &mut DepthDifferences| {
            if !context.is_cancelled() && part.search(eval, position, depths, context.cancel).is_some() {
                counter.add(1);
            }
        });
        if context.is_cancelled() {
            return None;
        }
        let mut all = DepthDifferences::default();
        for part in parts {
            part.cells.iter().for_each(|(at, cell)| all.cells.entry(*at).or_default().merge(cell));
        }
        Some(all)
    }

    /// Searches one position to every depth. `None` when it was cancelled.
    fn search(
        &mut self,
        eval: &PatternEval,
        &(own, other): &Bitboards,
        depths: StudyDepths,
        cancel: &CancelToken,
    ) -> Option<()> {
        let Some(game) = Othello::new(own, other, Side::First) else { return Some(()) };
        let empties = game.empties().count_ones();
        if empties < MIN_EMPTIES {
            return Some(());
        }
        // A new table, so that scores do not depend on positions before.
        let mut solver = Solver::new(depths.hash.unwrap_or(TABLE_MIB), eval.clone());
        let mut scores = vec![eval.discs(&game)];
        for depth in 1..=depths.plies.min(empties - 1) {
            scores.push(solver.search_depth(&game, depth, Selectivity::EXACT, cancel)?.score);
        }
        let by_depth = scores.clone();
        for (depth, deep) in by_depth.into_iter().enumerate().skip(1) {
            self.compare(empties, depth as u32, deep, &scores[..depth]);
        }
        if empties <= depths.end {
            let deep = solver.solve_until(&game, Goal::Score, cancel)?.score;
            self.compare(empties, empties, deep, &scores);
        }
        Some(())
    }

    /// Compares a deep search with the shallow ones of the same parity, as the search does, and with the static evaluation.
    fn compare(&mut self, empties: u32, depth: u32, deep: i32, scores: &[i32]) {
        for (shallow, score) in scores.iter().enumerate() {
            let shallow = shallow as u32;
            if shallow == 0 || (depth - shallow).is_multiple_of(2) {
                self.cells.entry([empties, depth, shallow]).or_default().add(deep - score);
            }
        }
    }
}
