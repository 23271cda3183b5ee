//! A mate search at the root, beside a tree search.

use std::thread;
use std::time::Instant;

use tesuji_game::Record;
use tesuji_search::dfpn::{Dfpn, ForcedWin, ProofQuery, ProofResult};
use tesuji_search::{Bound, CancelToken, Choice, Engine, Limits, PvLine, ReportSource, SearchReport, Value};
use tesuji_shogi::{Move, Shogi};

use super::ChecksOnly;
use crate::{Spec, SpecError};

/// Nodes of the mate search by default: a second or two.
const NODES: u64 = 1_000_000;
/// Nodes of the mate search per playout, where playouts limit the search. It then comes first, so that the choice does
/// not depend on the speed of the machine, and takes a fraction of the time of a network.
const NODES_PER_PLAYOUT: u64 = 20;
/// The table of the mate search in MiB.
const HASH_MIB: usize = 16;

/// Plays a mate that df-pn proves; else what the engine inside chooses.
pub(super) struct RootMate {
    engine: Box<dyn Engine<Shogi>>,
    solver: Dfpn<ChecksOnly>,
    nodes: u64,
    playouts: Option<u64>,
    /// The first move of the mate that was played last.
    mate: Option<Move>,
}

impl RootMate {
    /// The engine with the mate search of a spec.
    pub(super) fn of_spec(spec: &Spec, engine: Box<dyn Engine<Shogi>>) -> Result<Box<dyn Engine<Shogi>>, SpecError> {
        let nodes = spec.number("mate", 0, 100_000_000)?.unwrap_or(NODES);
        if nodes == 0 {
            return Ok(engine);
        }
        let playouts = spec.number("playouts", 1, u64::MAX)?;
        Ok(Box::new(RootMate { engine, solver: Dfpn::new(ChecksOnly, HASH_MIB), nodes, playouts, mate: None }))
    }

    /// Reports and plays a mate.
    fn play(
        &mut self,
        win: ForcedWin<Move>,
        started: Instant,
        watch: &mut dyn FnMut(&SearchReport<Move>),
    ) -> Choice<Move> {
        let ForcedWin { line, plies, shortest } = win;
        let Some(&mv) = line.first() else { return Choice::Over };
        let (depth, reply) = (plies as u32, line.get(1).copied());
        let bound = if shortest || plies == 1 { Bound::Exact } else { Bound::Lower };
        let value = Value::win(plies.min(usize::from(u16::MAX)) as u16);
        let line = PvLine { value, bound, moves: line, rate: Some(1.0), prior: None, solved: true };
        let (nodes, time) = (self.solver.nodes(), started.elapsed());
        let source = ReportSource::Search;
        watch(&SearchReport { depth, seldepth: depth, nodes, time, hashfull: None, lines: vec![line], source });
        self.mate = Some(mv);
        Choice::Move { mv, reply }
    }
}

/// The mate at the end of the record, if df-pn finds one.
fn solve(
    solver: &mut Dfpn<ChecksOnly>,
    record: &Record<Shogi>,
    nodes: u64,
    stop: &CancelToken,
) -> Option<ForcedWin<Move>> {
    let limits = Limits { nodes: Some(nodes), ..Limits::default() };
    match solver.solve(&ProofQuery::of(record), &limits, stop) {
        ProofResult::Proven(win) => Some(win),
        ProofResult::Disproven | ProofResult::Unknown => None,
    }
}

impl Engine<Shogi> for RootMate {
    fn think(
        &mut self,
        record: &Record<Shogi>,
        limits: &Limits,
        stop: &CancelToken,
        watch: &mut dyn FnMut(&SearchReport<Move>),
    ) -> Choice<Move> {
        let started = limits.started.unwrap_or_else(Instant::now);
        self.mate = None;
        // Who asks for several lines wants more than a mate.
        if record.ending().is_some() || limits.lines > 1 {
            return self.engine.think(record, limits, stop, watch);
        }
        if let Some(playouts) = self.playouts.into_iter().chain(limits.nodes).min() {
            let nodes = self.nodes.min(playouts.saturating_mul(NODES_PER_PLAYOUT));
            return match solve(&mut self.solver, record, nodes, stop) {
                Some(win) => self.play(win, started, watch),
                None => self.engine.think(record, limits, stop, watch),
            };
        }
        let (search, mate) = (stop.child(), stop.child());
        let RootMate { engine, solver, nodes, .. } = self;
        let (choice, win) = thread::scope(|scope| {
            let solver = scope.spawn(|| {
                let win = solve(solver, record, *nodes, &mate);
                if win.is_some() {
                    search.cancel();
                }
                win
            });
            let choice = engine.think(record, limits, &search, watch);
            mate.cancel();
            (choice, solver.join().ok().flatten())
        });
        match win {
            Some(win) => self.play(win, started, watch),
            None => choice,
        }
    }

    fn forget(&mut self) {
        self.mate = None;
        self.solver.forget();
        self.engine.forget();
    }

    fn root_visits(&self) -> Vec<(Move, u32)> {
        self.mate.map_or_else(|| self.engine.root_visits(), |mv| vec![(mv, 1)])
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use tesuji_game::{Game, Notation};
    use tesuji_search::{Proven, Time};

    use super::*;
    use crate::HasEngines;

    /// A mate in five plies, too deep for a few playouts.
    const MATE: &str = "5+R1B1/9/6k1G/9/9/9/9/9/9 b RPb3g4s4n4l17p 1";

    fn think(spec: &str, position: &Shogi, limits: &Limits) -> (Choice<Move>, Option<SearchReport<Move>>, usize) {
        let mut engine = Shogi::engine(&Spec::parse(spec).expect(spec)).expect(spec);
        let mut last = None;
        let record = Record::new(position.clone());
        let choice = engine.think(&record, limits, &CancelToken::new(), &mut |report| last = Some(report.clone()));
        (choice, last, engine.root_visits().len())
    }

    #[test]
    fn a_mate_is_played_before_and_beside_the_search() {
        let position = Shogi::parse(MATE).expect("a position");
        let timed = Limits { time: Some(Time::Move(Duration::from_secs(20))), ..Limits::default() };
        for (spec, limits) in [("puct:playouts=50,hash=1,net=none", Limits::default()), ("puct:hash=1,net=none", timed)]
        {
            let (choice, report, visits) = think(spec, &position, &limits);
            let Choice::Move { mv, .. } = choice else { panic!("{choice:?}") };
            let line = report.expect("a report").lines.remove(0);
            assert_eq!((line.moves.first(), visits), (Some(&mv), 1), "{spec}");
            assert!(matches!(line.value.proven(), Some(Proven::Win(5..))), "{spec}: {}", line.value);
        }
        let (_, report, _) = think("puct:playouts=50,hash=1,net=none,mate=0", &position, &Limits::default());
        let line = report.expect("a report").lines.remove(0);
        assert_eq!(line.value.proven(), None, "the tree alone does not see it");
    }

    #[test]
    fn without_a_mate_the_search_chooses() {
        for spec in ["puct:playouts=20,hash=1", "puct:playouts=20,hash=1,mate=0"] {
            let (choice, _, visits) = think(spec, &Shogi::start(), &Limits::default());
            assert!(matches!(choice, Choice::Move { .. }) && visits > 1, "{spec}");
        }
        let wrong = Spec::parse("puct:mate=-1").and_then(|spec| Shogi::engine(&spec)).err();
        assert_eq!(
            wrong.map(|error| error.to_string()).as_deref(),
            Some("mate=-1: a whole number from 0 to 100000000")
        );
    }
}
