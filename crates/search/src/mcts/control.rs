//! When a tree search stops: playouts, time, cancellation, a proof, or an unassailable lead.

use std::sync::atomic::Ordering::Relaxed;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64};
use std::time::{Duration, Instant};

use tesuji_game::Move;

use super::{MctsOptions, SearchTree, final_move};
use crate::clock::{Lag, TimeBudget};
use crate::{CancelToken, Limits, ReportSource, SearchReport};

/// The limits and counters of one search, shared by its threads.
pub(super) struct SearchControl<'a> {
    cancel: &'a CancelToken,
    limits: &'a Limits,
    started: Instant,
    budget: Option<TimeBudget>,
    max_playouts: u64,
    claimed: AtomicU64,
    done: AtomicU64,
    stopped: AtomicBool,
    seldepth: AtomicU32,
    alone: bool,
    /// The longest time between two clock checks, in microseconds.
    max_pause: AtomicU64,
}

impl<'a> SearchControl<'a> {
    /// The control of one search; `single` if there is only one legal move.
    pub(super) fn new(limits: &'a Limits, cancel: &'a CancelToken, alone: bool, single: bool) -> SearchControl<'a> {
        let limited = limits.nodes.is_some() || limits.time.is_some() || limits.depth.is_some();
        let max_playouts = if single && limited { 1 } else { limits.nodes.unwrap_or(u64::MAX) };
        SearchControl {
            cancel,
            limits,
            started: limits.started.unwrap_or_else(Instant::now),
            budget: limits.time.map(|time| TimeBudget::new(time, Lag::known().margin())),
            max_playouts,
            claimed: AtomicU64::new(0),
            done: AtomicU64::new(0),
            stopped: AtomicBool::new(false),
            seldepth: AtomicU32::new(0),
            alone,
            max_pause: AtomicU64::new(0),
        }
    }

    /// Claims one playout; false if none is left.
    #[inline]
    pub(super) fn claim(&self) -> bool {
        if self.is_stopped() {
            return false;
        }
        if self.alone {
            let claimed = self.claimed.load(Relaxed);
            self.claimed.store(claimed + 1, Relaxed);
            return claimed < self.max_playouts;
        }
        self.claimed.fetch_add(1, Relaxed) < self.max_playouts
    }

    /// Returns the claim of an abandoned playout.
    pub(super) fn unclaim(&self) {
        self.claimed.fetch_sub(1, Relaxed);
    }

    /// Counts a completed playout.
    #[inline]
    pub(super) fn complete(&self) {
        if self.alone {
            self.done.store(self.done.load(Relaxed) + 1, Relaxed);
        } else {
            self.done.fetch_add(1, Relaxed);
        }
    }

    pub(super) fn update_seldepth(&self, depth: usize) {
        self.seldepth.fetch_max(depth as u32, Relaxed);
    }

    /// Stops the search.
    pub(super) fn stop(&self) {
        self.stopped.store(true, Relaxed);
    }

    #[inline]
    pub(super) fn is_stopped(&self) -> bool {
        self.stopped.load(Relaxed) || self.cancel.is_cancelled()
    }

    /// Looks at the clock after some work: whether the search must end. Every thread of a search ends with it, so the
    /// longest work of any of them counts as a pause. `since` is when the work began, and becomes now.
    pub(super) fn is_over(&self, since: &mut Instant) -> bool {
        let now = Instant::now();
        self.max_pause.fetch_max((now - *since).as_micros() as u64, Relaxed);
        *since = now;
        let spent = now.saturating_duration_since(self.started);
        if self.budget.is_some_and(|budget| budget.over(spent, self.pause())) {
            self.stop();
        }
        self.is_stopped()
    }

    fn pause(&self) -> Duration {
        Duration::from_micros(self.max_pause.load(Relaxed))
    }

    /// Records the delay of this search for later ones.
    pub(super) fn record_lag(&self) {
        if let Some(budget) = self.budget {
            Lag::record(self.pause().max(self.started.elapsed().saturating_sub(budget.hard)));
        }
    }

    fn exhausted(&self) -> bool {
        self.is_stopped() || self.claimed.load(Relaxed) >= self.max_playouts
    }

    /// Runs each worker on a thread until the search stops. A worker is called repeatedly for a batch of playouts, and
    /// calls [`SearchControl::is_over`] every few milliseconds. The last one runs on this thread, which also checks the
    /// limits and reports to `watch`.
    pub(super) fn run<M: Move, W: FnMut(&SearchControl<'_>) + Send>(
        &self,
        tree: &SearchTree<M>,
        options: &MctsOptions,
        mut workers: Vec<W>,
        watch: &mut dyn FnMut(&SearchReport<M>),
    ) {
        let Some(mut main) = workers.pop() else { return };
        let mut schedule = ReportSchedule::default();
        self.check(tree, options, &mut schedule);
        std::thread::scope(|scope| {
            for mut helper in workers {
                scope.spawn(move || {
                    while !self.exhausted() {
                        helper(self);
                    }
                });
            }
            while !self.exhausted() {
                main(self);
                self.check(tree, options, &mut schedule);
                if schedule.is_report_due(self.done.load(Relaxed), self.started.elapsed()) {
                    watch(&self.report(tree, options));
                }
            }
        });
    }

    /// Stops the search if a limit is reached or the choice can no longer change.
    fn check<M: Move>(&self, tree: &SearchTree<M>, options: &MctsOptions, schedule: &mut ReportSchedule) {
        let spent = self.budget.map(|budget| (self.started.elapsed(), budget));
        let enough = |(spent, budget): (Duration, TimeBudget)| {
            budget.over(spent, self.pause())
                || spent >= budget.soft && (spent >= budget.soft * 2 || !final_move::is_unstable(tree))
        };
        if tree.node(tree.root).proof().is_some() || spent.is_some_and(enough) {
            return self.stop();
        }
        let done = self.done.load(Relaxed);
        if done < schedule.next_check {
            return;
        }
        schedule.next_check = done + 64 + done / 32;
        let choosing = options.early_stop && self.limits.lines <= 1;
        if choosing && final_move::lead(tree).is_some_and(|lead| lead > self.left(done, spent)) {
            self.stop();
        }
        if let Some(depth) = self.limits.depth {
            let line = final_move::lines(tree, options.scale, 1).pop();
            // A full tree does not grow deeper.
            if line.is_some_and(|line| line.moves.len() >= depth as usize) || tree.hashfull() >= 1000 {
                self.stop();
            }
        }
    }

    /// The number of playouts that are still possible.
    fn left(&self, done: u64, spent: Option<(Duration, TimeBudget)>) -> u64 {
        let by_time = spent.filter(|_| done > 0).map_or(u64::MAX, |(spent, budget)| {
            let left = budget.soft.saturating_sub(spent).as_secs_f64();
            // A quarter more, because the speed varies.
            (done as f64 * 1.25 * left / spent.as_secs_f64().max(1e-6)) as u64
        });
        by_time.min(self.max_playouts.saturating_sub(done))
    }

    /// A report of the current state.
    pub(super) fn report<M: Move>(&self, tree: &SearchTree<M>, options: &MctsOptions) -> SearchReport<M> {
        let lines = final_move::lines(tree, options.scale, self.limits.lines);
        SearchReport {
            depth: lines.first().map_or(0, |line| line.moves.len() as u32),
            seldepth: self.seldepth.load(Relaxed),
            nodes: self.done.load(Relaxed),
            time: self.started.elapsed(),
            hashfull: Some(tree.hashfull()),
            lines,
            source: ReportSource::Search,
        }
    }
}

/// When to check the lead and when to report: at every doubling of the playouts, and once a second.
#[derive(Default)]
struct ReportSchedule {
    next_check: u64,
    next_report: u64,
    last_report: Duration,
}

impl ReportSchedule {
    fn is_report_due(&mut self, done: u64, now: Duration) -> bool {
        const INTERVAL: Duration = Duration::from_secs(1);
        const MIN_PLAYOUTS: u64 = 128;
        let due = done >= self.next_report.max(MIN_PLAYOUTS) || now >= self.last_report + INTERVAL;
        if due {
            self.next_report = done * 2;
            self.last_report = now;
        }
        due && done > 0
    }
}
