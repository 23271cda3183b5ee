//! An engine of our own as a player, in this process. It obeys its limits by itself; what it really used is
//! measured here, and a panic costs it the game and nobody else anything.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};

use cpu_time::ThreadTime;
use tesuji_engines::{EngineConstructor, EngineFactory, Spec, SpecError};
use tesuji_game::{Game, Record};
use tesuji_search::{Choice, Engine, Limits, Proven, SearchReport};

use super::{Answer, Fault, Player, Reply, Thought, Turn};

/// A player in this process.
pub struct Own<G: Game> {
    spec: Spec,
    make: EngineConstructor<G>,
    /// None after a panic, whose ruins nobody should think with.
    engine: Option<Box<dyn Engine<G>>>,
    /// Whether all thinking happens on the thread that asks, so that its CPU time is the engine's.
    alone: bool,
}

impl<G: Game> Own<G> {
    /// The engine of a spec.
    pub fn new(spec: &Spec, engines: &EngineFactory<G>) -> Result<Own<G>, SpecError> {
        let engine = (engines.make)(spec)?;
        let alone = spec.number("threads", 1, u64::MAX)?.is_none_or(|threads| threads == 1);
        Ok(Own { spec: spec.clone(), make: engines.make, engine: Some(engine), alone })
    }
}

impl<G: Game> Player<G> for Own<G> {
    fn begin(&mut self, _: &Record<G>) -> Result<(), Fault> {
        match &mut self.engine {
            Some(engine) => engine.forget(),
            None => {
                let made = (self.make)(&self.spec).map_err(|error| Fault::Start(error.to_string()))?;
                self.engine = Some(made);
            }
        }
        Ok(())
    }

    fn choose(&mut self, record: &Record<G>, turn: &Turn) -> Result<Answer<G::Move>, Fault> {
        let Some(mut engine) = self.engine.take() else {
            return Err(Fault::Crash("it had panicked before and no new game was begun".to_owned()));
        };
        let begun = Instant::now();
        let cpu = self.alone.then(ThreadTime::try_now).and_then(Result::ok);
        let limits = Limits { started: Some(begun), ..turn.limits.clone() };
        let mut last = None;
        let chosen = catch_unwind(AssertUnwindSafe(|| {
            let choice = engine.think(record, &limits, &turn.stop, &mut |report| {
                last = Some(report.clone());
            });
            (engine, choice)
        }));
        let used = begun.elapsed();
        let cpu = cpu.and_then(|cpu| cpu.try_elapsed().ok());
        let (engine, choice) = chosen.map_err(|panic| Fault::Crash(words_of(&*panic)))?;
        self.engine = Some(engine);
        let reply = match choice {
            Choice::Move { mv, .. } => Reply::Move(mv),
            Choice::Claim => Reply::Claim,
            Choice::Resign => Reply::Resign,
            Choice::Over => {
                let message = "the game goes on, and it found no move".to_owned();
                return Err(Fault::Illegal { text: String::new(), message });
            }
        };
        Ok(Answer { reply, thought: thought(last.as_ref(), cpu), used })
    }

    fn end(&mut self, _: &Record<G>) {}
}

/// What the last report says.
fn thought<M>(report: Option<&SearchReport<M>>, cpu: Option<Duration>) -> Thought {
    let value = report.and_then(|report| report.lines.first()).map(|line| line.value);
    let proven = value.and_then(|value| value.proven()).map(|proven| match proven {
        Proven::Win(plies) => i32::from(plies),
        Proven::Loss(plies) => -i32::from(plies),
    });
    Thought {
        value: value.filter(|value| !value.is_proven()).map(|value| f64::from(value.get())),
        proven,
        depth: report.map(|report| report.depth),
        nodes: report.map(|report| report.nodes),
        cpu,
    }
}

/// What a panic said.
fn words_of(panic: &(dyn Any + Send)) -> String {
    let said = panic.downcast_ref::<String>().map(String::as_str);
    let said = said.or_else(|| panic.downcast_ref::<&str>().copied());
    format!("panicked: {}", said.unwrap_or("without a word"))
}
