//! The engine that was asked for, with the threads and the memory it may use.

use std::time::Duration;

use tesuji_engines::{EngineFactory, Spec};
use tesuji_game::Game;
use tesuji_search::{Engine, Limits, Time};

use crate::args::Spend;
use crate::failure::Failure;

/// An engine, and how long it may think.
pub(crate) struct Chosen<G: Game> {
    pub(crate) engine: Box<dyn Engine<G>>,
    pub(crate) limits: Limits,
    /// The spec as it was understood.
    pub(crate) spec: Spec,
}

impl<G: Game> Chosen<G> {
    /// The engine of this spec, or the game's default. Without any limit, from the flags or in the spec, it
    /// gets `usual` per move.
    pub(crate) fn new(
        engines: &EngineFactory<G>,
        spec: Option<&str>,
        spend: &Spend,
        usual: Duration,
    ) -> Result<Chosen<G>, Failure> {
        let wrong = |error| Failure::usage(format!("--engine: {error}"));
        let mut spec = Spec::parse(spec.unwrap_or(engines.default)).map_err(wrong)?;
        let limits = spend.limits(spec.is_limited(), usual);
        let threads = spend.threads.or_all().to_string();
        let hash = spend.hash.map(|mib| mib.to_string());
        engines.fill_setting(&mut spec, "threads", Some(threads));
        engines.fill_setting(&mut spec, "hash", hash);
        let engine = (engines.make)(&spec).map_err(wrong)?;
        Ok(Chosen { engine, limits, spec })
    }
}

impl Spend {
    /// What the flags allow: so much time as usual where neither they nor the engine's spec say when to stop.
    pub(crate) fn limits(&self, by_itself: bool, usual: Duration) -> Limits {
        let time = self.time.map(Time::Move).or(self.clock);
        let limited = [self.depth.is_some(), self.nodes.is_some(), time.is_some()];
        let free = !by_itself && !limited.contains(&true);
        Limits {
            depth: self.depth,
            nodes: self.nodes,
            time: time.or(free.then_some(Time::Move(usual))),
            lines: 1,
            ..Limits::default()
        }
    }
}
