//! An engine with limits of its own, from its spec.

use std::time::Duration;

use tesuji_game::{Game, Record};
use tesuji_search::clock::TimeBudget;
use tesuji_search::{CancelToken, Choice, Engine, Limits, ReportSource, SearchReport, Time};

use crate::{Spec, SpecError};

/// The limits of a spec: `depth`, `nodes` or `playouts`, `time`.
pub(crate) fn limits(spec: &Spec) -> Result<Limits, SpecError> {
    Ok(Limits {
        depth: spec.number("depth", 1, 200)?.map(|depth| depth as u32),
        nodes: spec.number("nodes", 1, u64::MAX)?.or(spec.number("playouts", 1, u64::MAX)?),
        time: spec.duration("time")?.map(Time::Move),
        lines: 1,
        ignore_book: false,
        started: None,
    })
}

/// An engine with limits of its own. The tighter of those and the caller's apply.
pub(crate) struct Limited<G: Game> {
    engine: Box<dyn Engine<G>>,
    limits: Limits,
}

impl<G: Game> Limited<G> {
    /// The engine of a spec, with the limits of the spec.
    pub(crate) fn of_spec(spec: &Spec, engine: impl Engine<G> + 'static) -> Result<Box<dyn Engine<G>>, SpecError> {
        let limits = limits(spec)?;
        tracing::info!(game = G::NAME, engine = %spec, "engine created");
        Ok(Box::new(Limited { engine: Box::new(engine), limits }))
    }
}

impl<G: Game> Engine<G> for Limited<G> {
    fn think(
        &mut self,
        record: &Record<G>,
        limits: &Limits,
        stop: &CancelToken,
        watch: &mut dyn FnMut(&SearchReport<G::Move>),
    ) -> Choice<G::Move> {
        let limits = tighter(&self.limits, limits);
        let Limits { depth, nodes, time, .. } = &limits;
        tracing::debug!(game = G::NAME, ply = record.plies().len(), ?depth, ?nodes, ?time, "search started");
        let mut last = None;
        let choice = self.engine.think(record, &limits, stop, &mut |report| {
            let SearchReport { depth, seldepth, nodes, time, .. } = report;
            tracing::debug!(depth, seldepth, nodes, ?time, "iteration finished");
            last = (report.source == ReportSource::Search).then_some((*depth, *nodes, *time));
            watch(report);
        });
        match last {
            Some((depth, nodes, time)) => tracing::info!(depth, nodes, ?time, "search finished"),
            None => tracing::info!("move found without a search"),
        }
        choice
    }

    fn forget(&mut self) {
        self.engine.forget();
    }

    fn root_visits(&self) -> Vec<(G::Move, u32)> {
        self.engine.root_visits()
    }
}

/// The tighter of both.
fn tighter(own: &Limits, given: &Limits) -> Limits {
    Limits {
        depth: own.depth.into_iter().chain(given.depth).min(),
        nodes: own.nodes.into_iter().chain(given.nodes).min(),
        time: match (own.time, given.time) {
            (Some(own), Some(given)) => Some(shorter(own, given)),
            (own, given) => own.or(given),
        },
        lines: given.lines.max(1),
        ignore_book: own.ignore_book || given.ignore_book,
        started: given.started,
    }
}

fn shorter(a: Time, b: Time) -> Time {
    if soft_limit(b) < soft_limit(a) { b } else { a }
}

/// The time for this move under a time control. The time per move of a spec and a game clock limit each other.
fn soft_limit(time: Time) -> Duration {
    TimeBudget::new(time, Duration::ZERO).soft
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(text: &str) -> Limits {
        limits(&Spec::parse(text).expect(text)).expect(text)
    }

    #[test]
    fn the_tighter_limit_applies() {
        let both = tighter(&of("x:depth=3,nodes=50"), &of("x:depth=8,nodes=20,time=1s"));
        assert_eq!((both.depth, both.nodes), (Some(3), Some(20)));
        assert_eq!(both.time, Some(Time::Move(Duration::from_secs(1))));
        let both = tighter(&of("x:time=1s"), &of("x:time=2s"));
        assert_eq!(both.time, Some(Time::Move(Duration::from_secs(1))));
        let both = tighter(&of("x:playouts=7"), &Limits::default());
        assert_eq!((both.nodes, both.time, both.lines), (Some(7), None, 1));
    }

    #[test]
    fn a_time_per_move_and_a_game_clock_limit_each_other() {
        let seconds = Duration::from_secs;
        let clock = |left| Time::Clock { left: seconds(left), increment: seconds(0), byoyomi: seconds(0) };
        let second = Time::Move(seconds(1));
        assert_eq!(shorter(second, clock(300)), second);
        assert_eq!(shorter(second, clock(2)), clock(2));
        assert_eq!(shorter(clock(2), second), clock(2));
    }
}
