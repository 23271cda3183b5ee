//! Who sits at the board: a person, or an engine with its clock.

use std::time::Duration;

use tesuji_engines::{EngineConstructor, Spec};
use tesuji_game::Game;
use tesuji_registry::{EngineRequest, SearchLimits};
use tesuji_search::{Engine, Limits, Time};

use super::HUMAN;
use crate::entry::{CliGame, Playable};
use crate::failure::Failure;

/// What an engine may think when nobody says otherwise.
const USUAL: Duration = Duration::from_secs(1);

/// One side of the board.
pub(super) struct Seat<G: Game> {
    /// What to call whoever sits here.
    pub(super) name: String,
    engine: Option<Player<G>>,
}

struct Player<G: Game> {
    spec: Spec,
    make: EngineConstructor<G>,
    /// At home while it is not thinking.
    engine: Option<Box<dyn Engine<G>>>,
    limits: Limits,
}

impl<G: Playable> Seat<G> {
    pub(super) fn new(shelf: &CliGame<G>, spec: &str, limits: &SearchLimits) -> Result<Seat<G>, Failure> {
        if spec == HUMAN {
            return Ok(Seat { name: "you".to_owned(), engine: None });
        }
        let request = EngineRequest { engine: Some(spec.to_owned()), limits: limits.clone() };
        let chosen = request.prepare(&shelf.engines, "engine", USUAL)?;
        let player = Player {
            spec: chosen.spec,
            make: shelf.engines.make,
            engine: Some(chosen.engine),
            limits: chosen.limits,
        };
        Ok(Seat { name: spec.to_owned(), engine: Some(player) })
    }
}

impl<G: Game> Seat<G> {
    pub(super) fn is_human(&self) -> bool {
        self.engine.is_none()
    }

    /// The engine that sits here, to think for a while; made anew if it got lost.
    pub(super) fn lend(&mut self) -> Option<Box<dyn Engine<G>>> {
        let player = self.engine.as_mut()?;
        player.engine.take().or_else(|| (player.make)(&player.spec).ok())
    }

    /// Takes the engine back.
    pub(super) fn back(&mut self, engine: Option<Box<dyn Engine<G>>>) {
        if let Some(player) = &mut self.engine {
            player.engine = engine;
        }
    }

    /// How long the engine may think now.
    pub(super) fn limits(&self) -> Limits {
        self.engine.as_ref().map_or_else(Limits::default, |player| player.limits.clone())
    }

    /// Time was used on a move.
    pub(super) fn spent(&mut self, used: Duration) {
        if let Some(player) = &mut self.engine
            && let Some(Time::Clock { left, increment, .. }) = &mut player.limits.time
        {
            *left = left.saturating_sub(used) + *increment;
        }
    }
}
