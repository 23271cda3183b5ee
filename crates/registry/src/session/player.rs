//! A player of a session: a human, or an engine with its clock.

use std::time::Duration;

use tesuji_engines::{EngineConstructor, EngineFactory, Spec};
use tesuji_game::Game;
use tesuji_search::{Engine, Limits, Time, ValueUnit};

use super::{HUMAN, SessionPlayer};
use crate::{EngineRequest, Error, SearchLimits};

/// An engine without any limit gets this long per move.
const MOVE_TIME: Duration = Duration::from_secs(1);

/// A player.
pub(super) struct Participant<G: Game> {
    pub(super) name: String,
    engine: Option<EngineParticipant<G>>,
}

struct EngineParticipant<G: Game> {
    spec: Spec,
    make: EngineConstructor<G>,
    /// Absent while it searches.
    engine: Option<Box<dyn Engine<G>>>,
    /// In which it counts.
    unit: ValueUnit,
    limits: Limits,
}

impl<G: Game> Participant<G> {
    /// The player of a spec, which `field` of the request holds.
    pub(super) fn new(
        engines: &EngineFactory<G>,
        spec: &str,
        field: &'static str,
        limits: &SearchLimits,
    ) -> Result<Participant<G>, Error> {
        if spec == HUMAN {
            return Ok(Participant { name: "you".to_owned(), engine: None });
        }
        let request = EngineRequest { engine: Some(spec.to_owned()), limits: limits.clone() };
        let prepared = request.prepare(engines, field, MOVE_TIME)?;
        let engine = EngineParticipant {
            unit: engines.unit_of(&prepared.spec),
            spec: prepared.spec,
            make: engines.make,
            engine: Some(prepared.engine),
            limits: prepared.limits,
        };
        Ok(Participant { name: spec.to_owned(), engine: Some(engine) })
    }

    pub(super) fn is_human(&self) -> bool {
        self.engine.is_none()
    }

    pub(super) fn info(&self) -> SessionPlayer {
        SessionPlayer { name: self.name.clone(), is_human: self.is_human() }
    }

    /// The engine and the unit of its values, for one search. Created anew if the last search lost it.
    pub(super) fn take_engine(&mut self) -> Option<(Box<dyn Engine<G>>, ValueUnit)> {
        let player = self.engine.as_mut()?;
        let engine = player.engine.take().or_else(|| (player.make)(&player.spec).ok())?;
        Some((engine, player.unit))
    }

    /// Returns the engine after a search.
    pub(super) fn put_engine(&mut self, engine: Option<Box<dyn Engine<G>>>) {
        if let Some(player) = &mut self.engine {
            player.engine = engine;
        }
    }

    /// The limits of the next search.
    pub(super) fn limits(&self) -> Limits {
        self.engine.as_ref().map_or_else(Limits::default, |player| player.limits.clone())
    }

    /// Subtracts the time of a move from the clock.
    pub(super) fn use_time(&mut self, used: Duration) {
        if let Some(player) = &mut self.engine
            && let Some(Time::Clock { left, increment, .. }) = &mut player.limits.time
        {
            *left = left.saturating_sub(used) + *increment;
        }
    }
}
