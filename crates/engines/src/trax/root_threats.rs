//! The threat search at the root, before the alpha-beta search.

use std::time::{Duration, Instant};

use tesuji_game::Record;
use tesuji_search::clock::TimeBudget;
use tesuji_search::dfpn::{Dfpn, ForcedWin, ProofQuery, ProofResult};
use tesuji_search::{Bound, CancelToken, Choice, Engine, Limits, PvLine, ReportSource, SearchReport, Time, Value};
use tesuji_trax::{Move, Trax, Variant};

use super::AttacksOnly;

/// Percent of the time that the threat search may take by default. Where there is nothing to find, it mostly ends much
/// earlier.
pub(super) const PERCENT: u32 = 12;
/// A node of the threat search, with all attacks of a position, takes as long as so many nodes of the alpha-beta search.
const NODE_COST: u64 = 64;
/// The table in MiB.
const HASH_MIB: usize = 8;

/// Plays a win by attacks alone if there is one; else what the engine inside chooses.
///
/// A search with a limit of depth is made without it, since such a limit asks for a weak player.
pub(super) struct RootThreats<E> {
    engine: E,
    solver: Dfpn<AttacksOnly>,
    percent: u32,
}

impl<E> RootThreats<E> {
    /// This engine with a threat search before it, which may take so much of the time.
    pub(super) fn new(engine: E, percent: u32) -> RootThreats<E> {
        RootThreats { engine, solver: Dfpn::new(AttacksOnly, HASH_MIB), percent }
    }

    /// A win by attacks within a part of the limits.
    fn solve<V: Variant>(
        &mut self,
        record: &Record<Trax<V>>,
        limits: &Limits,
        started: Instant,
        stop: &CancelToken,
    ) -> Option<ForcedWin<Move>> {
        let share = |time: Time| TimeBudget::new(time, Duration::ZERO).soft * self.percent / 100;
        let own = Limits {
            nodes: limits.nodes.map(|nodes| (nodes / (NODE_COST * 100) * u64::from(self.percent)).max(1)),
            time: limits.time.map(|time| Time::Move(share(time))),
            started: Some(started),
            ..Limits::default()
        };
        match self.solver.solve(&ProofQuery::of(record), &own, stop) {
            ProofResult::Proven(win) => Some(win),
            ProofResult::Disproven | ProofResult::Unknown => None,
        }
    }
}

impl<V: Variant, E: Engine<Trax<V>>> Engine<Trax<V>> for RootThreats<E> {
    fn think(
        &mut self,
        record: &Record<Trax<V>>,
        limits: &Limits,
        stop: &CancelToken,
        watch: &mut dyn FnMut(&SearchReport<Move>),
    ) -> Choice<Move> {
        // Who asks for several lines wants more than a win.
        let wanted = limits.depth.is_none() && limits.lines <= 1 && (limits.nodes.is_some() || limits.time.is_some());
        if !wanted || record.ending().is_some() {
            return self.engine.think(record, limits, stop, watch);
        }
        let started = limits.started.unwrap_or_else(Instant::now);
        match self.solve(record, limits, started, stop) {
            Some(win) => report(win, self.solver.nodes(), started, watch),
            None => {
                let spent = self.solver.nodes() * NODE_COST;
                let nodes = limits.nodes.map(|nodes| nodes.saturating_sub(spent).max(1));
                let left = Limits { nodes, started: Some(started), ..limits.clone() };
                self.engine.think(record, &left, stop, watch)
            }
        }
    }

    fn forget(&mut self) {
        self.solver.forget();
        self.engine.forget();
    }
}

/// Reports a win and plays it.
fn report(
    win: ForcedWin<Move>,
    nodes: u64,
    started: Instant,
    watch: &mut dyn FnMut(&SearchReport<Move>),
) -> Choice<Move> {
    let ForcedWin { line, plies, shortest } = win;
    let Some(&mv) = line.first() else { return Choice::Over };
    let (depth, reply) = (plies as u32, line.get(1).copied());
    let bound = if shortest || plies == 1 { Bound::Exact } else { Bound::Lower };
    let value = Value::win(plies.min(usize::from(u16::MAX)) as u16);
    let line = PvLine { value, bound, moves: line, rate: None, prior: None, solved: true };
    let source = ReportSource::Search;
    let report = SearchReport {
        depth,
        seldepth: depth,
        nodes,
        time: started.elapsed(),
        hashfull: None,
        lines: vec![line],
        source,
    };
    watch(&report);
    Choice::Move { mv, reply }
}
