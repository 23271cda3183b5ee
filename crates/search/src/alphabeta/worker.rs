//! One search thread: its position, its stack, and when to abort.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::time::{Duration, Instant};

use tesuji_game::{Game, Move, Path, Record};

use super::abdada::Abdada;
use super::move_picker::EARLIER;
use super::result::SearchResult;
use super::root::RootMove;
use crate::clock::TimeBudget;
use crate::ordering::{History, NO_ROW};
use crate::tt::{TranspositionTable, TtEntry};
use crate::{CancelToken, Eval, Heuristics, Proven, Value};

/// The longest line. Positions at this ply are evaluated statically.
pub(super) const MAX_PLY: usize = 240;

/// The most nodes between two clock checks.
const MAX_CHECK_INTERVAL: u64 = 2048;
/// The target time between two clock checks.
const CHECK_TIME: Duration = Duration::from_micros(500);

/// The state that all threads of one search share.
pub(super) struct SharedState<'a, E, H> {
    pub(super) eval: &'a E,
    pub(super) heuristics: &'a H,
    pub(super) tt: Option<&'a TranspositionTable>,
    pub(super) abdada: Option<Abdada>,
    /// Whether TT entries cut off only at their own depth.
    pub(super) strict: bool,
    pub(super) stop: &'a CancelToken,
    /// Set when the search is over.
    pub(super) abort: AtomicBool,
    /// Nodes of all threads, updated at every clock check.
    pub(super) nodes: AtomicU64,
    pub(super) node_limit: Option<u64>,
    pub(super) started: Instant,
    pub(super) budget: Option<TimeBudget>,
    /// The longest time between two clock checks of one thread, in microseconds.
    pub(super) max_pause: AtomicU64,
    /// The ply at which the game is drawn by its length; beyond every line if there is none.
    pub(super) draw_ply: usize,
}

/// A move on the current line, as the histories see it.
#[derive(Clone, Copy)]
pub(super) struct PlayedMove {
    pub(super) bits: u32,
    /// Its key in the continuation history, with its side.
    pub(super) key: u32,
    pub(super) is_tactical: bool,
}

/// The data of one ply, allocated once and reused by every node at that ply.
pub(super) struct StackFrame<G: Game, A> {
    pub(super) list: G::Moves,
    /// The moves with their ordering scores; see `ordering`.
    pub(super) picks: Vec<u64>,
    /// Moves that another thread is searching (simplified ABDADA).
    pub(super) deferred: Vec<u64>,
    pub(super) qsearch_moves: Vec<G::Move>,
    pub(super) killers: [Option<u32>; 2],
    /// Tactical moves that are searched after the quiet ones.
    pub(super) bad_captures: Vec<u64>,
    /// The moves that were searched, where moves are picked in stages.
    pub(super) tried: Vec<u32>,
    /// The move played here; none for a null move.
    pub(super) played: Option<PlayedMove>,
    /// The rows of the continuation history that belong to the moves before this node.
    pub(super) rows: [u32; EARLIER.len()],
    /// How many nodes at this ply were cut off since the grandparent was entered.
    pub(super) cutoffs: u32,
    /// The corrected static evaluation, where it was computed and there was no threat to answer.
    pub(super) static_eval: Option<Value>,
    /// The move left out of a search for a singular extension.
    pub(super) excluded: Option<u32>,
    /// Whether a beta cutoff is expected.
    pub(super) is_cut: bool,
    pub(super) accumulator: A,
    /// The principal variation from here.
    pub(super) pv: Vec<G::Move>,
}

/// One search thread.
pub(super) struct Worker<'a, G: Game, E: Eval<G>, H> {
    pub(super) shared: &'a SharedState<'a, E, H>,
    pub(super) history: &'a mut History,
    pub(super) game: G,
    /// The repetition stack: the positions from the start of the game to the node being expanded.
    pub(super) path: Path<G>,
    pub(super) stack: Vec<StackFrame<G, E::Accumulator>>,
    pub(super) roots: Vec<RootMove<G::Move>>,
    /// The best move of the unfinished iteration, once its first move is complete.
    pub(super) partial: Option<RootMove<G::Move>>,
    pub(super) nodes: u64,
    pub(super) seldepth: usize,
    /// The depth of the current iteration.
    pub(super) root_depth: u32,
    pub(super) aborted: bool,
    /// Whether the move before was a null move.
    pub(super) after_null_move: bool,
    nodes_shared: u64,
    next_check: u64,
    interval: u64,
    last_check: Duration,
    max_pause: Duration,
}

impl<'a, G: Game, E: Eval<G>, H: Heuristics<G, E>> Worker<'a, G, E, H> {
    /// A worker at the end of `record`.
    pub(super) fn new(
        shared: &'a SharedState<'a, E, H>,
        history: &'a mut History,
        record: &Record<G>,
        roots: Vec<RootMove<G::Move>>,
    ) -> Self {
        let mut stack: Vec<StackFrame<G, E::Accumulator>> = (0..=MAX_PLY + 1)
            .map(|_| StackFrame {
                list: G::Moves::default(),
                picks: Vec::new(),
                deferred: Vec::new(),
                qsearch_moves: Vec::new(),
                killers: [None; 2],
                bad_captures: Vec::new(),
                tried: Vec::new(),
                played: None,
                rows: [NO_ROW; EARLIER.len()],
                cutoffs: 0,
                static_eval: None,
                excluded: None,
                is_cut: false,
                accumulator: E::Accumulator::default(),
                pv: Vec::new(),
            })
            .collect();
        stack[0].accumulator = shared.eval.begin(record.now());
        Worker {
            shared,
            history,
            game: record.now().clone(),
            path: record.path().clone(),
            stack,
            roots,
            partial: None,
            nodes: 0,
            seldepth: 0,
            root_depth: 0,
            aborted: false,
            after_null_move: false,
            nodes_shared: 0,
            next_check: 1,
            interval: 1,
            last_check: shared.started.elapsed(),
            max_pause: Duration::ZERO,
        }
    }

    /// Counts a node. Returns whether the search is aborted.
    #[inline]
    pub(super) fn tick(&mut self) -> bool {
        self.nodes += 1;
        self.nodes >= self.next_check && self.check_limits()
    }

    /// Checks the limits and schedules the next check. The schedule does not change the result of the search.
    #[cold]
    fn check_limits(&mut self) -> bool {
        let shared = self.shared;
        let all = self.share_nodes();
        let now = shared.started.elapsed();
        let spent = now.saturating_sub(self.last_check);
        self.last_check = now;
        if spent > self.max_pause {
            self.max_pause = spent;
            shared.max_pause.fetch_max(spent.as_micros() as u64, Relaxed);
        }
        if spent < CHECK_TIME {
            self.interval = (self.interval * 2).min(MAX_CHECK_INTERVAL);
        } else if spent > CHECK_TIME * 2 {
            self.interval = (self.interval / 2).max(1);
        }
        let left = shared.node_limit.map_or(u64::MAX, |limit| limit.saturating_sub(all));
        self.next_check = self.nodes + self.interval.min(left);
        self.aborted = self.aborted
            || left == 0
            || shared.budget.is_some_and(|budget| budget.over(now, self.max_pause))
            || shared.stop.is_cancelled()
            || shared.abort.load(Relaxed);
        self.aborted
    }

    /// Adds this thread's new nodes to the shared count and returns the count.
    pub(super) fn share_nodes(&mut self) -> u64 {
        let new = self.nodes - self.nodes_shared;
        self.nodes_shared = self.nodes;
        self.shared.nodes.fetch_add(new, Relaxed) + new
    }

    /// Plays a move at `ply` and updates the accumulator.
    #[inline]
    pub(super) fn play(&mut self, ply: usize, mv: G::Move) -> G::Undo {
        if H::STAGED {
            let heuristics = self.shared.heuristics;
            let key = History::continuation_key(self.game.mover(), heuristics.continuation_key(&self.game, mv));
            let is_tactical = heuristics.is_tactical(&self.game, mv);
            self.stack[ply].played = Some(PlayedMove { bits: mv.to_bits(), key, is_tactical });
        }
        let undo = self.game.play(mv);
        if H::STAGED
            && let Some(tt) = self.shared.tt
        {
            tt.prefetch(self.game.key());
        }
        let [here, next] = &mut self.stack[ply..ply + 2] else { return undo };
        self.shared.eval.advance(&here.accumulator, mv, &undo, &self.game, &mut next.accumulator);
        undo
    }

    /// The static evaluation of the position at `ply`.
    #[inline]
    pub(super) fn static_eval(&self, ply: usize) -> Value {
        let value = self.shared.eval.value(&self.game, &self.stack[ply].accumulator);
        let Some(key) = self.shared.heuristics.correction_key(&self.game) else { return value };
        Value::estimate(i32::from(value.get()) + self.history.correction(self.game.mover(), key))
    }

    /// The result where the game ends by its length: a draw, unless the last move has ended it. It depends on the whole
    /// path and must not enter the transposition table.
    #[inline]
    pub(super) fn draw_by_length(&self, ply: usize) -> Option<SearchResult> {
        if ply < self.shared.draw_ply {
            return None;
        }
        let value = self.game.outcome().map(|outcome| self.shared.eval.terminal_value(&self.game, outcome));
        Some(SearchResult { value: value.unwrap_or(Value::DRAW), path_ply: -1, solved: true })
    }

    /// The TT entry of the position. A proven result beyond the draw by length is ignored.
    #[inline]
    pub(super) fn probe_tt(&self, ply: usize, key: u64) -> Option<TtEntry> {
        let entry = self.shared.tt?.probe(key)?;
        let (Some(Proven::Win(plies) | Proven::Loss(plies)), true) =
            (entry.value.proven(), self.shared.draw_ply < usize::MAX)
        else {
            return Some(entry);
        };
        (ply + usize::from(plies) <= self.shared.draw_ply).then_some(entry)
    }

    /// The result if the position has occurred on the path before: a draw, or a loss for perpetual check.
    ///
    /// A loss is proven only if the whole cycle lies inside the search tree. Otherwise the loser may have had an
    /// alternative before the root.
    #[inline]
    pub(super) fn repetition(&mut self, ply: usize, key: u64) -> Option<SearchResult> {
        let repetition = self.path.repetition_of(&self.game, key)?;
        let first = ply as i64 - repetition.since as i64;
        let lost = if first >= 0 { Value::loss(0) } else { Value::estimate(-i32::from(Value::LIMIT)) };
        let value = match repetition.checker {
            None => Value::DRAW,
            Some(side) if side == self.game.mover() => lost,
            Some(_) => -lost,
        };
        Some(SearchResult { value, path_ply: first.max(-1) as i16, solved: first >= 0 })
    }
}
