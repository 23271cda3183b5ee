//! One thread's part of a search: its position, its frames, and when to give up.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::time::{Duration, Instant};

use tesuji_game::{Game, Record};

use super::busy::Busy;
use super::found::Found;
use super::root::RootMove;
use super::trail::RepetitionStack;
use crate::clock::Budget;
use crate::order::History;
use crate::table::{Entry, Table};
use crate::{CancelToken, Eval, Heuristics, Proven, Value};

/// No line is longer than this; deeper positions are judged as they stand.
pub(super) const LONGEST: usize = 240;

/// The most nodes between two looks at the clock.
const RARELY: u64 = 2048;
/// How long to go without a look at the clock, roughly.
const OFTEN: Duration = Duration::from_micros(500);

/// What all threads of one search share.
pub(super) struct Shared<'a, E, C> {
    pub(super) eval: &'a E,
    pub(super) craft: &'a C,
    pub(super) table: Option<&'a Table>,
    pub(super) busy: Option<Busy>,
    pub(super) strict: bool,
    pub(super) stop: &'a CancelToken,
    /// Raised when the search is over, for whatever reason.
    pub(super) halt: AtomicBool,
    /// Nodes of all threads, brought up to date at every look at the clock.
    pub(super) nodes: AtomicU64,
    pub(super) node_limit: Option<u64>,
    pub(super) begun: Instant,
    pub(super) budget: Option<Budget>,
    /// The longest time that a thread did not get round to look at the clock, in microseconds.
    pub(super) pause: AtomicU64,
    /// The ply at which the game is drawn for its length alone; beyond every line when there is none.
    pub(super) last: usize,
}

/// What one ply needs, made once and used again by every node at that height.
pub(super) struct Frame<G: Game, M> {
    pub(super) list: G::Moves,
    /// The moves in the order of their promise; see `order`.
    pub(super) picks: Vec<u64>,
    /// Moves left for later because another thread is at them.
    pub(super) late: Vec<u64>,
    /// Moves to be looked at before the position is judged.
    pub(super) noisy: Vec<G::Move>,
    pub(super) killers: [Option<u32>; 2],
    pub(super) memo: M,
    /// The best line from here on.
    pub(super) line: Vec<G::Move>,
}

/// One thread's search.
pub(super) struct Worker<'a, G: Game, E: Eval<G>, C> {
    pub(super) shared: &'a Shared<'a, E, C>,
    pub(super) history: &'a mut History,
    pub(super) game: G,
    pub(super) trail: RepetitionStack<G>,
    pub(super) frames: Vec<Frame<G, E::Memo>>,
    pub(super) roots: Vec<RootMove<G::Move>>,
    /// The best move of an iteration that is still going on, once its first move is done.
    pub(super) partial: Option<RootMove<G::Move>>,
    pub(super) nodes: u64,
    pub(super) deepest: usize,
    pub(super) halted: bool,
    /// Whether the move before was one of nothing.
    pub(super) nulled: bool,
    told: u64,
    look_at: u64,
    interval: u64,
    looked: Duration,
    /// The longest time between two looks.
    pause: Duration,
}

impl<'a, G: Game, E: Eval<G>, C: Heuristics<G, E>> Worker<'a, G, E, C> {
    /// A worker at the end of `record`.
    pub(super) fn new(
        shared: &'a Shared<'a, E, C>,
        history: &'a mut History,
        record: &Record<G>,
        roots: Vec<RootMove<G::Move>>,
    ) -> Self {
        let mut frames: Vec<Frame<G, E::Memo>> = (0..=LONGEST + 1)
            .map(|_| Frame {
                list: G::Moves::default(),
                picks: Vec::new(),
                late: Vec::new(),
                noisy: Vec::new(),
                killers: [None; 2],
                memo: E::Memo::default(),
                line: Vec::new(),
            })
            .collect();
        frames[0].memo = shared.eval.begin(record.now());
        Worker {
            shared,
            history,
            game: record.now().clone(),
            trail: RepetitionStack::new(record),
            frames,
            roots,
            partial: None,
            nodes: 0,
            deepest: 0,
            halted: false,
            nulled: false,
            told: 0,
            look_at: 1,
            interval: 1,
            looked: shared.begun.elapsed(),
            pause: Duration::ZERO,
        }
    }

    /// Counts a node; tells whether the search is to be abandoned.
    #[inline]
    pub(super) fn tick(&mut self) -> bool {
        self.nodes += 1;
        self.nodes >= self.look_at && self.look()
    }

    /// Looks whether to go on, and decides when to look again. When that is does not change what is found.
    #[cold]
    fn look(&mut self) -> bool {
        let shared = self.shared;
        let new = self.nodes - self.told;
        self.told = self.nodes;
        let all = shared.nodes.fetch_add(new, Relaxed) + new;
        let now = shared.begun.elapsed();
        let spent = now.saturating_sub(self.looked);
        self.looked = now;
        if spent > self.pause {
            self.pause = spent;
            shared.pause.fetch_max(spent.as_micros() as u64, Relaxed);
        }
        if spent < OFTEN {
            self.interval = (self.interval * 2).min(RARELY);
        } else if spent > OFTEN * 2 {
            self.interval = (self.interval / 2).max(1);
        }
        let left = shared.node_limit.map_or(u64::MAX, |limit| limit.saturating_sub(all));
        self.look_at = self.nodes + self.interval.min(left);
        self.halted = self.halted
            || left == 0
            || shared.budget.is_some_and(|budget| budget.over(now, self.pause))
            || shared.stop.is_cancelled()
            || shared.halt.load(Relaxed);
        self.halted
    }

    /// Tells the others how many nodes there were, and how many there are by all.
    pub(super) fn tell_nodes(&mut self) -> u64 {
        let new = self.nodes - self.told;
        self.told = self.nodes;
        self.shared.nodes.fetch_add(new, Relaxed) + new
    }

    /// Plays a move at `ply`, the judgement kept in step.
    #[inline]
    pub(super) fn step(&mut self, ply: usize, mv: G::Move) -> G::Undo {
        let undo = self.game.play(mv);
        let [here, next] = &mut self.frames[ply..ply + 2] else { return undo };
        self.shared.eval.advance(&here.memo, mv, &undo, &self.game, &mut next.memo);
        undo
    }

    /// The static value of the position at `ply`.
    #[inline]
    pub(super) fn judgement(&self, ply: usize) -> Value {
        self.shared.eval.value(&self.game, &self.frames[ply].memo)
    }

    /// The verdict where the rules end a game for its length alone: a draw, unless the last move has ended it.
    /// It rests on the whole way, so that no table may keep it.
    #[inline]
    pub(super) fn drawn_out(&self, ply: usize) -> Option<Found> {
        if ply < self.shared.last {
            return None;
        }
        let value = self.game.outcome().map(|outcome| self.shared.eval.over(&self.game, outcome));
        Some(Found { value: value.unwrap_or(Value::DRAW), since: -1, whole: true })
    }

    /// What the table knows of the position. A result that the length of the game leaves no time for is none.
    #[inline]
    pub(super) fn known(&self, ply: usize, key: u64) -> Option<Entry> {
        let entry = self.shared.table?.probe(key)?;
        let (Some(Proven::Win(plies) | Proven::Loss(plies)), true) =
            (entry.value.proven(), self.shared.last < usize::MAX)
        else {
            return Some(entry);
        };
        (ply + usize::from(plies) <= self.shared.last).then_some(entry)
    }

    /// The verdict when the position has stood on the path before: a draw, or a loss for who gave check all
    /// the way.
    ///
    /// The way round must lie within the tree to prove anything: only there was everything else tried that
    /// the loser might have played instead.
    #[inline]
    pub(super) fn repeated(&mut self, ply: usize, key: u64) -> Option<Found> {
        let repetition = self.trail.repetition(&self.game, key)?;
        let first = ply as i64 - repetition.since as i64;
        let lost = if first >= 0 { Value::loss(0) } else { Value::estimate(-i32::from(Value::LIMIT)) };
        let value = match repetition.checker {
            None => Value::DRAW,
            Some(side) if side == self.game.mover() => lost,
            Some(_) => -lost,
        };
        Some(Found { value, since: first.max(-1) as i16, whole: first >= 0 })
    }
}
