//! When to stop growing: play-outs, time, `stop`, a proof, or a lead that cannot be caught up.

use std::sync::atomic::Ordering::Relaxed;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64};
use std::time::{Duration, Instant};

use tesuji_game::Move;

use super::{Settings, Tree, choose};
use crate::clock::{Budget, Lag};
use crate::{CancelToken, Limits, Report};

/// What all threads of one search ask before they go on.
pub(super) struct Pace<'a> {
    stop: &'a CancelToken,
    limits: &'a Limits,
    begun: Instant,
    budget: Option<Budget>,
    most: u64,
    claimed: AtomicU64,
    done: AtomicU64,
    halted: AtomicBool,
    deepest: AtomicU32,
    alone: bool,
    /// The longest time between two looks at the clock, in microseconds.
    pause: AtomicU64,
}

impl<'a> Pace<'a> {
    /// The pace of one search; `single` when there is but one move to choose from.
    pub(super) fn new(limits: &'a Limits, stop: &'a CancelToken, alone: bool, single: bool) -> Pace<'a> {
        let limited = limits.nodes.is_some() || limits.time.is_some() || limits.depth.is_some();
        let most = if single && limited { 1 } else { limits.nodes.unwrap_or(u64::MAX) };
        Pace {
            stop,
            limits,
            begun: limits.begun.unwrap_or_else(Instant::now),
            budget: limits.time.map(|time| Budget::new(time, Lag::known().margin())),
            most,
            claimed: AtomicU64::new(0),
            done: AtomicU64::new(0),
            halted: AtomicBool::new(false),
            deepest: AtomicU32::new(0),
            alone,
            pause: AtomicU64::new(0),
        }
    }

    /// Whether one more play-out may begin; it then counts as claimed.
    #[inline]
    pub(super) fn claim(&self) -> bool {
        if self.over() {
            return false;
        }
        if self.alone {
            let claimed = self.claimed.load(Relaxed);
            self.claimed.store(claimed + 1, Relaxed);
            return claimed < self.most;
        }
        self.claimed.fetch_add(1, Relaxed) < self.most
    }

    /// Gives a claim back that came to nothing.
    pub(super) fn unclaim(&self) {
        self.claimed.fetch_sub(1, Relaxed);
    }

    /// A play-out is done.
    #[inline]
    pub(super) fn count(&self) {
        if self.alone {
            self.done.store(self.done.load(Relaxed) + 1, Relaxed);
        } else {
            self.done.fetch_add(1, Relaxed);
        }
    }

    pub(super) fn reached(&self, deepest: usize) {
        self.deepest.fetch_max(deepest as u32, Relaxed);
    }

    /// Ends the search from inside: nothing is left to find.
    pub(super) fn halt(&self) {
        self.halted.store(true, Relaxed);
    }

    #[inline]
    pub(super) fn over(&self) -> bool {
        self.halted.load(Relaxed) || self.stop.is_cancelled()
    }

    /// Remembers how late the answer is, for later searches.
    pub(super) fn learn(&self) {
        if let Some(budget) = self.budget {
            let pause = Duration::from_micros(self.pause.load(Relaxed));
            Lag::tell(pause.max(self.begun.elapsed().saturating_sub(budget.hard)));
        }
    }

    fn exhausted(&self) -> bool {
        self.over() || self.claimed.load(Relaxed) >= self.most
    }

    /// Runs `hands` side by side until the search is over, the first of them on this thread, which also
    /// looks at the clock and tells `watch` the news. A hand is called again and again for a short bout.
    pub(super) fn run<M: Move, H: FnMut() + Send>(
        &self,
        tree: &Tree<M>,
        settings: &Settings,
        mut hands: Vec<H>,
        watch: &mut dyn FnMut(&Report<M>),
    ) {
        let Some(mut first) = hands.pop() else { return };
        let mut news = News::default();
        self.look(tree, settings, &mut news);
        std::thread::scope(|scope| {
            for mut hand in hands {
                scope.spawn(move || {
                    while !self.exhausted() {
                        hand();
                    }
                });
            }
            let mut looked = Instant::now();
            while !self.exhausted() {
                first();
                let now = Instant::now();
                self.pause.fetch_max((now - looked).as_micros() as u64, Relaxed);
                looked = now;
                self.look(tree, settings, &mut news);
                if news.due(self.done.load(Relaxed), self.begun.elapsed()) {
                    watch(&self.report(tree, settings));
                }
            }
        });
    }

    /// Ends the search when there is a reason to.
    fn look<M: Move>(&self, tree: &Tree<M>, settings: &Settings, news: &mut News) {
        let spent = self.budget.map(|budget| (self.begun.elapsed(), budget));
        let enough = |(spent, budget): (Duration, Budget)| {
            budget.over(spent, Duration::from_micros(self.pause.load(Relaxed)))
                || spent >= budget.soft && (spent >= budget.soft * 2 || !choose::wavering(tree))
        };
        if tree.node(tree.root).proof().is_some() || spent.is_some_and(enough) {
            return self.halt();
        }
        let done = self.done.load(Relaxed);
        if done < news.next_look {
            return;
        }
        news.next_look = done + 64 + done / 32;
        let choosing = settings.early_stop && self.limits.lines <= 1;
        if choosing && choose::lead(tree).is_some_and(|lead| lead > self.left(done, spent)) {
            self.halt();
        }
        if let Some(depth) = self.limits.depth {
            let line = choose::lines(tree, settings.scale, 1).pop();
            // A full tree grows no deeper.
            if line.is_some_and(|line| line.moves.len() >= depth as usize) || tree.full() >= 1000 {
                self.halt();
            }
        }
    }

    /// How many play-outs may still come.
    fn left(&self, done: u64, spent: Option<(Duration, Budget)>) -> u64 {
        let by_time = spent.filter(|_| done > 0).map_or(u64::MAX, |(spent, budget)| {
            let left = budget.soft.saturating_sub(spent).as_secs_f64();
            // A quarter more, because speed is not even.
            (done as f64 * 1.25 * left / spent.as_secs_f64().max(1e-6)) as u64
        });
        by_time.min(self.most.saturating_sub(done))
    }

    /// The news as they stand.
    pub(super) fn report<M: Move>(&self, tree: &Tree<M>, settings: &Settings) -> Report<M> {
        let lines = choose::lines(tree, settings.scale, self.limits.lines);
        Report {
            depth: lines.first().map_or(0, |line| line.moves.len() as u32),
            deepest: self.deepest.load(Relaxed),
            nodes: self.done.load(Relaxed),
            time: self.begun.elapsed(),
            full: Some(tree.full()),
            lines,
        }
    }
}

/// When to tell something: at every doubling, and once a second.
#[derive(Default)]
struct News {
    next_look: u64,
    next_done: u64,
    last: Duration,
}

impl News {
    fn due(&mut self, done: u64, now: Duration) -> bool {
        const OFTEN: Duration = Duration::from_secs(1);
        const FEW: u64 = 128;
        let due = done >= self.next_done.max(FEW) || now >= self.last + OFTEN;
        if due {
            self.next_done = done * 2;
            self.last = now;
        }
        due && done > 0
    }
}
