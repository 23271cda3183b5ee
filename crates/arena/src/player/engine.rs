//! An engine in this process as a player. It obeys its limits by itself; the time is measured here, and a panic costs
//! only its own game.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};

use cpu_time::ThreadTime;
use tesuji_engines::{EngineConstructor, EngineFactory, Spec, SpecError};
use tesuji_game::{Game, Record};
use tesuji_search::{CancelToken, Choice, Engine, Limits, Proven, SearchReport, ValueUnit};

use super::{MoveRequest, Player, PlayerAction, PlayerAnswer, PlayerFault, SearchInfo};

/// A player in this process.
pub struct EnginePlayer<G: Game> {
    spec: Spec,
    make: EngineConstructor<G>,
    /// None after a panic.
    engine: Option<Box<dyn Engine<G>>>,
    /// Whether the search runs on the calling thread, so that its CPU time is the engine's.
    single_threaded: bool,
    /// In which it counts.
    unit: ValueUnit,
}

impl<G: Game> EnginePlayer<G> {
    /// The engine of a spec.
    pub fn new(spec: &Spec, engines: &EngineFactory<G>) -> Result<EnginePlayer<G>, SpecError> {
        let engine = (engines.make)(spec)?;
        let single_threaded = spec.number("threads", 1, u64::MAX)?.is_none_or(|threads| threads == 1);
        let unit = engines.unit_of(spec);
        Ok(EnginePlayer { spec: spec.clone(), make: engines.make, engine: Some(engine), single_threaded, unit })
    }
}

impl<G: Game> Player<G> for EnginePlayer<G> {
    fn begin(&mut self, _: &Record<G>, _: &CancelToken) -> Result<(), PlayerFault> {
        match &mut self.engine {
            Some(engine) => engine.forget(),
            None => {
                let made = (self.make)(&self.spec).map_err(|error| PlayerFault::Start(error.to_string()))?;
                self.engine = Some(made);
            }
        }
        Ok(())
    }

    fn choose(&mut self, record: &Record<G>, request: &MoveRequest) -> Result<PlayerAnswer<G::Move>, PlayerFault> {
        let Some(mut engine) = self.engine.take() else {
            return Err(PlayerFault::Crash("it panicked before, and no new game was started".to_owned()));
        };
        let started = Instant::now();
        let cpu = self.single_threaded.then(ThreadTime::try_now).and_then(Result::ok);
        let limits = Limits { started: Some(started), ..request.limits.clone() };
        let mut last = None;
        let chosen = catch_unwind(AssertUnwindSafe(|| {
            let choice = engine.think(record, &limits, &request.cancel, &mut |report| {
                last = Some(report.clone());
            });
            (engine, choice)
        }));
        let used = started.elapsed();
        let cpu = cpu.and_then(|cpu| cpu.try_elapsed().ok());
        let (engine, choice) = chosen.map_err(|panic| PlayerFault::Crash(panic_message(&*panic)))?;
        self.engine = Some(engine);
        let action = match choice {
            Choice::Move { mv, .. } => PlayerAction::Move(mv),
            Choice::Claim => PlayerAction::Claim,
            Choice::Resign => PlayerAction::Resign,
            Choice::Over => {
                let message = "the game is not over, and it found no move".to_owned();
                return Err(PlayerFault::Illegal { text: String::new(), message });
            }
        };
        let line = expected_line(action, last.as_ref());
        Ok(PlayerAnswer { action, info: search_info(last.as_ref(), self.unit, cpu), line, used })
    }

    fn end(&mut self, _: &Record<G>) {}
}

/// The line of the last report behind the move that was chosen.
fn expected_line<M: Copy + PartialEq>(action: PlayerAction<M>, report: Option<&SearchReport<M>>) -> Vec<M> {
    let PlayerAction::Move(mv) = action else { return Vec::new() };
    let line = report.and_then(|report| report.lines.iter().find(|line| line.moves.first() == Some(&mv)));
    line.map_or_else(Vec::new, |line| line.moves[1..].to_vec())
}

/// The contents of the last report, of an engine that counts in `unit`.
fn search_info<M>(report: Option<&SearchReport<M>>, unit: ValueUnit, cpu: Option<Duration>) -> SearchInfo {
    let line = report.and_then(|report| report.lines.first());
    let proven = line.and_then(|line| line.value.proven()).map(|proven| match proven {
        Proven::Win(plies) => i32::from(plies),
        Proven::Loss(plies) => -i32::from(plies),
    });
    SearchInfo {
        value: line.and_then(|line| unit.estimate(line).number),
        rate: line.filter(|_| proven.is_none()).and_then(|line| line.rate),
        proven,
        depth: report.map(|report| report.depth),
        nodes: report.map(|report| report.nodes),
        cpu,
    }
}

/// The message of a panic.
fn panic_message(panic: &(dyn Any + Send)) -> String {
    let message = panic.downcast_ref::<String>().map(String::as_str);
    let message = message.or_else(|| panic.downcast_ref::<&str>().copied());
    format!("panicked: {}", message.unwrap_or("without a message"))
}
