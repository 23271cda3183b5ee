//! Solving one position after the other, each within its time.

use std::fmt;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

use cpu_time::ProcessTime;
use tesuji_engines::othello::{Aim, Solved, Solver};
use tesuji_othello::{Move, Othello};
use tesuji_search::Stop;

use crate::command::solve::summary::grouped;
use crate::think::interrupted;

/// What solves one position after the other.
pub(super) struct Desk {
    pub(super) solver: Solver,
    pub(super) aim: Aim,
    pub(super) best: bool,
    pub(super) limit: Option<Duration>,
    pub(super) stop: Stop,
}

/// A position that is solved.
pub(super) struct Answer {
    pub(super) solved: Solved,
    pub(super) best: Vec<Move>,
    pub(super) cost: Cost,
}

impl Desk {
    /// The answer, unless it takes too long.
    pub(super) fn solve(&mut self, game: &Othello) -> Option<Answer> {
        let (begun, cpu) = (Instant::now(), ProcessTime::now());
        let limit = self.limit;
        let stop = self.stop.clone();
        thread::scope(|scope| {
            let (done, wait) = mpsc::channel::<()>();
            if let Some(limit) = limit {
                let stop = stop.clone();
                scope.spawn(move || {
                    if wait.recv_timeout(limit) == Err(RecvTimeoutError::Timeout) {
                        stop.raise();
                    }
                });
            }
            let solved = self.solver.solve_until(game, self.aim, &stop);
            let answer = solved.and_then(|solved| {
                let best = match self.best {
                    true => self.solver.all_best_until(game, self.aim, &solved, &stop)?,
                    false => solved.best().into_iter().collect(),
                };
                let cost = Cost { nodes: solved.nodes, seconds: begun.elapsed(), cpu: cpu.elapsed() };
                Some(Answer { solved, best, cost })
            });
            drop(done);
            if limit.is_some() && !interrupted() {
                stop.lower();
            }
            answer
        })
    }
}

/// What solving has cost.
#[derive(Clone, Copy, Default)]
pub(super) struct Cost {
    pub(super) nodes: u64,
    pub(super) seconds: Duration,
    pub(super) cpu: Duration,
}

impl Cost {
    pub(super) fn add(&mut self, other: &Cost) {
        self.nodes += other.nodes;
        self.seconds += other.seconds;
        self.cpu += other.cpu;
    }
}

impl fmt::Display for Cost {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (seconds, cpu) = (self.seconds.as_secs_f64(), self.cpu.as_secs_f64());
        let rate = self.nodes as f64 / seconds.max(1e-9) / 1e6;
        write!(f, "{} nodes in {seconds:.2} s ({cpu:.2} s CPU), {rate:.1} M/s", grouped(self.nodes))
    }
}
