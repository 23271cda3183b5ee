//! Solving one position after the other, each within its time.

use std::fmt;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

use cpu_time::ProcessTime;
use tesuji_engines::othello::{Goal, IterationReport, Solver, SolverResult};
use tesuji_othello::{Move, Othello};
use tesuji_search::CancelToken;

use super::tell;
use crate::command::solve::summary::grouped;
use crate::out::Progress;
use crate::think::interrupted;

/// What solves one position after the other.
pub(super) struct Desk {
    pub(super) solver: Solver,
    pub(super) aim: Goal,
    pub(super) best: bool,
    pub(super) limit: Option<Duration>,
    pub(super) stop: CancelToken,
}

/// A position that is solved.
pub(super) struct Answer {
    pub(super) solved: SolverResult,
    pub(super) best: Vec<Move>,
    pub(super) cost: Cost,
}

/// How often whoever watches is shown that time goes by.
const MOMENT: Duration = Duration::from_millis(250);

impl Desk {
    /// The answer; what was thought last, if it takes too long.
    pub(super) fn solve(
        &mut self,
        game: &Othello,
        progress: &Progress,
    ) -> Result<Answer, Option<IterationReport>> {
        let (begun, cpu) = (Instant::now(), ProcessTime::now());
        let Desk { solver, aim, best, limit, stop } = self;
        let (aim, limit) = (*aim, *limit);
        let mut last = None;
        let answer = thread::scope(|scope| {
            let (done, wait) = mpsc::channel::<()>();
            let stop = &*stop;
            scope.spawn(move || watch(&wait, limit, progress, stop));
            let solved = solver.solve_with_progress(game, aim, stop, &mut |glimpse| {
                progress.note(tell::seen(aim, game, glimpse));
                last = Some(*glimpse);
            });
            let answer = solved.and_then(|solved| {
                let best = match *best {
                    true => solver.all_best_until(game, aim, &solved, stop)?,
                    false => solved.best().into_iter().collect(),
                };
                let cost = Cost { nodes: solved.nodes, seconds: begun.elapsed(), cpu: cpu.elapsed() };
                Some(Answer { solved, best, cost })
            });
            drop(done);
            answer
        });
        if limit.is_some() && !interrupted() {
            stop.reset();
        }
        progress.note("");
        answer.ok_or(last)
    }
}

/// Shows that time goes by until the work is done, and stops it at its limit.
fn watch(done: &Receiver<()>, limit: Option<Duration>, progress: &Progress, stop: &CancelToken) {
    let begun = Instant::now();
    loop {
        let left = limit.map_or(MOMENT, |limit| limit.saturating_sub(begun.elapsed()));
        if done.recv_timeout(left.min(MOMENT)) != Err(RecvTimeoutError::Timeout) {
            return;
        }
        if limit.is_some_and(|limit| begun.elapsed() >= limit) {
            stop.cancel();
            return;
        }
        progress.tick();
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
