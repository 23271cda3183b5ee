//! The state of one search thread, and the condition that stops a search early.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::{Duration, Instant};

use tesuji_othello::{EdgeStability, stable_discs};
use tesuji_search::CancelToken;

use super::super::pattern::{MobilityPair, PatternEval};
use super::hash::HashTable;
use super::iterate::Selectivity;
use super::kernel::Kernel;
use super::local_cache::LocalCache;
use super::node::{PatternNode, ScoredMove, SearchNode};
use super::probcut::ProbCutMargins;
use super::split::{SplitCandidate, SplitPoint, SplitPool};

/// The least `alpha` at which counting stable discs pays, by the number of empties.
const STABILITY_THRESHOLD: [i32; 16] = [65, 65, 65, 65, 65, 22, 20, 18, 16, 14, 12, 10, 8, 6, 4, 2];

/// Polls of the stop condition between two reads of the clock.
const CLOCK_INTERVAL: u64 = 1 << 7;

/// One thread of a search.
pub(super) struct SearchThread<'a, K> {
    pub(super) kernel: K,
    pub(super) eval: &'a PatternEval,
    pub(super) tt: &'a HashTable,
    pub(super) margins: &'a ProbCutMargins,
    edges: &'static EdgeStability,
    condition: &'a StopCondition<'a>,
    /// How often the stop condition was polled.
    polls: u64,
    /// The pool of the parallel search.
    pub(super) split_pool: Option<&'a SplitPool>,
    /// The nearest split point above the current node.
    pub(super) split: Option<Arc<SplitPoint>>,
    /// The nodes of the current path that are, or may become, split points.
    pub(super) split_candidates: Vec<SplitCandidate>,
    pub(super) selectivity: Selectivity,
    pub(super) nodes: u64,
    /// The search was stopped early: its result is meaningless.
    pub(super) stopped: bool,
    pub(super) local_cache: LocalCache,
    /// The move stack: the moves of all nodes of the current path.
    pub(super) moves: Vec<ScoredMove>,
}

impl<'a, K: Kernel> SearchThread<'a, K> {
    pub(super) fn new(
        kernel: K,
        eval: &'a PatternEval,
        tt: &'a HashTable,
        margins: &'a ProbCutMargins,
        condition: &'a StopCondition<'a>,
    ) -> SearchThread<'a, K> {
        SearchThread {
            kernel,
            eval,
            tt,
            margins,
            edges: EdgeStability::table(),
            condition,
            polls: 0,
            split_pool: None,
            split: None,
            split_candidates: Vec::new(),
            selectivity: Selectivity::EXACT,
            nodes: 0,
            stopped: false,
            local_cache: LocalCache::new(),
            moves: Vec::with_capacity(1024),
        }
    }

    /// Stability cut-off: an upper bound of at most `alpha` from the stable discs of the opponent.
    #[inline(always)]
    pub(super) fn stability_cutoff(&self, node: &SearchNode, alpha: i32) -> Option<i32> {
        if alpha < STABILITY_THRESHOLD[(node.empties as usize).min(15)] {
            return None;
        }
        let stable = stable_discs(self.edges, node.other, node.own).count_ones() as i32;
        let bound = 64 - 2 * stable;
        (bound <= alpha).then_some(bound)
    }

    /// The static evaluation in whole discs.
    #[inline(always)]
    pub(super) fn evaluate(&self, position: &PatternNode) -> i32 {
        let SearchNode { own, other, empties, .. } = position.node;
        let mobility = MobilityPair { own: self.kernel.mobility(own, other), other: self.kernel.mobility(other, own) };
        self.eval.whole_discs(&position.indices, empties, mobility)
    }

    #[inline(always)]
    pub(super) fn legal_moves(&self, node: &SearchNode) -> u64 {
        if node.moves == 0 { self.kernel.mobility(node.own, node.other) } else { node.moves }
    }

    /// Polls the stop condition; the clock is read at every [`CLOCK_INTERVAL`]th call.
    #[inline(always)]
    pub(super) fn should_stop(&mut self) -> bool {
        self.polls += 1;
        self.condition.poll(self.polls, self.nodes);
        self.stopped = self.stopped || self.is_cancelled();
        self.stopped
    }

    /// Whether the whole search, or the split point it works for, is cancelled.
    #[inline(always)]
    pub(super) fn is_cancelled(&self) -> bool {
        self.condition.is_met() || self.split.as_ref().is_some_and(|split| split.is_cut_off())
    }
}

/// What stops all threads of a search: a cancellation token, a time limit or a node limit.
#[derive(Debug)]
pub(super) struct StopCondition<'a> {
    token: &'a CancelToken,
    start: Instant,
    time: Option<Duration>,
    /// The limit for the nodes of the main thread.
    nodes: Option<u64>,
    limit_reached: AtomicBool,
}

impl<'a> StopCondition<'a> {
    /// Without limits: only the token stops the search.
    pub(super) fn new(token: &'a CancelToken) -> StopCondition<'a> {
        let (start, limit_reached) = (Instant::now(), AtomicBool::new(false));
        StopCondition { token, start, time: None, nodes: None, limit_reached }
    }

    /// With a time limit from `start` on and a node limit.
    pub(super) fn limited(self, start: Instant, time: Option<Duration>, nodes: Option<u64>) -> StopCondition<'a> {
        StopCondition { start, time, nodes, ..self }
    }

    #[inline(always)]
    fn is_met(&self) -> bool {
        self.token.is_cancelled() || self.limit_reached.load(Relaxed)
    }

    #[inline(always)]
    fn poll(&self, polls: u64, nodes: u64) {
        if polls.is_multiple_of(CLOCK_INTERVAL) {
            self.check_limits(nodes);
        }
    }

    #[cold]
    fn check_limits(&self, nodes: u64) {
        let late = self.time.is_some_and(|time| self.start.elapsed() >= time);
        if late || self.nodes.is_some_and(|limit| nodes >= limit) {
            self.limit_reached.store(true, Relaxed);
        }
    }
}
