//! Measuring how far shallow searches are from deeper ones: positions are searched to every depth with nothing left
//! out, and the differences counted.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::thread;

use tesuji_game::Side;
use tesuji_learn::Samples;
use tesuji_othello::Othello;
use tesuji_search::CancelToken;

use super::super::pattern::{Bitboards, PatternEval, PatternModel, STAGES};
use super::super::search::{Goal, Selectivity, Solver};

/// With fewer empty squares nothing is ever left out.
const LEAST: u32 = 4;
/// What a search of one position needs.
const TABLE_MIB: usize = 4;

/// How far the positions are searched.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Depths {
    /// Plies ahead, at most.
    pub plies: u32,
    /// With so many empty squares or fewer also to the end of the game.
    pub end: u32,
}

/// The differences between two searches of the same positions, in discs.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Gap {
    /// How many positions there were.
    pub count: u64,
    /// What the deeper search found more than the shallow one, all together.
    pub sum: i64,
    /// The squares of that.
    pub squares: u64,
}

impl Gap {
    fn add(&mut self, difference: i32) {
        self.count += 1;
        self.sum += i64::from(difference);
        self.squares += u64::from(difference.unsigned_abs()).pow(2);
    }

    /// All differences of both.
    pub fn join(&mut self, other: &Gap) {
        self.count += other.count;
        self.sum += other.sum;
        self.squares += other.squares;
    }

    /// The mean difference.
    pub fn mean(&self) -> f64 {
        self.sum as f64 / self.count.max(1) as f64
    }

    /// The standard deviation from no difference, and not from the mean: whoever leaves a branch out does not know
    /// the mean.
    pub fn deviation(&self) -> f64 {
        self.mean_square().sqrt()
    }

    pub(super) fn mean_square(&self) -> f64 {
        self.squares as f64 / self.count.max(1) as f64
    }
}

/// All differences that were measured, by the number of empty squares, the deeper depth and the shallow one.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Study {
    /// Whole numbers, so that it does not matter which thread measured what.
    pub gaps: BTreeMap<[u32; 3], Gap>,
}

impl Study {
    /// Positions to measure on: so many of each stage, or as many as there are, no two of them the same. Which ones
    /// depends on the seed alone, and not on the order of the samples.
    pub fn positions(samples: &Samples<Bitboards>, per_stage: usize, seed: u64) -> Vec<Bitboards> {
        let model = PatternModel::new();
        let drawn = |stage| samples.draw(&model, stage, per_stage, seed);
        (0..STAGES).flat_map(drawn).map(|sample| sample.position).collect()
    }

    /// Searches positions with several threads, and tells after each how many are done. None if it was stopped.
    pub fn measure(
        eval: &PatternEval,
        positions: &[Bitboards],
        depths: Depths,
        threads: usize,
        stop: &CancelToken,
        tell: &(dyn Fn(usize) + Sync),
    ) -> Option<Study> {
        let (next, done) = (AtomicUsize::new(0), AtomicUsize::new(0));
        let work = || {
            let mut study = Study::default();
            while let Some(position) = positions.get(next.fetch_add(1, Relaxed)) {
                study.search(eval, position, depths, stop)?;
                tell(done.fetch_add(1, Relaxed) + 1);
            }
            Some(study)
        };
        let parts: Vec<Option<Study>> = thread::scope(|scope| {
            let others: Vec<_> = (1..threads).map(|_| scope.spawn(work)).collect();
            let own = work();
            [own].into_iter().chain(others.into_iter().map(|part| part.join().ok().flatten())).collect()
        });
        let mut all = Study::default();
        for part in parts {
            part?.gaps.iter().for_each(|(at, gap)| all.gaps.entry(*at).or_default().join(gap));
        }
        Some(all)
    }

    /// Searches one position to every depth.
    fn search(
        &mut self,
        eval: &PatternEval,
        &(own, other): &Bitboards,
        depths: Depths,
        stop: &CancelToken,
    ) -> Option<()> {
        let Some(game) = Othello::new(own, other, Side::First) else { return Some(()) };
        let empties = game.empties().count_ones();
        if empties < LEAST {
            return Some(());
        }
        // A table of its own: nothing that is found depends on the positions before.
        let mut solver = Solver::new(TABLE_MIB, eval.clone());
        let mut scores = vec![eval.discs(&game)];
        for depth in 1..=depths.plies.min(empties - 1) {
            scores.push(solver.search_depth(&game, depth, Selectivity::EXACT, stop)?.score);
        }
        let looks = scores.clone();
        for (depth, deep) in looks.into_iter().enumerate().skip(1) {
            self.compare(empties, depth as u32, deep, &scores[..depth]);
        }
        if empties <= depths.end {
            let deep = solver.solve_until(&game, Goal::Score, stop)?.score;
            self.compare(empties, empties, deep, &scores);
        }
        Some(())
    }

    /// Compares a deep search with those that are as odd or even, as the search does, and with no search at all.
    fn compare(&mut self, empties: u32, depth: u32, deep: i32, scores: &[i32]) {
        for (shallow, score) in scores.iter().enumerate() {
            let shallow = shallow as u32;
            if shallow == 0 || (depth - shallow).is_multiple_of(2) {
                self.gaps.entry([empties, depth, shallow]).or_default().add(deep - score);
            }
        }
    }
}
