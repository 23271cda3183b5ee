//! One event as the tournament sees it, whatever its game; and what an arena has to be told about a game.

use std::sync::Arc;

use tesuji_engines::{EngineFactory, Spec, SpecError};
use tesuji_game::Formats;
use tesuji_search::CancelToken;
use thiserror::Error;

use crate::film::Film;
use crate::line::GameLine;
use crate::opening::OpeningError;
use crate::play::Solver;
use crate::player::{self, Player, Protocol};
use crate::schedule::Fixture;

/// Makes the player of a spec.
pub type Seat<G> = Arc<dyn Fn(&Spec) -> Result<Box<dyn Player<G>>, SpecError> + Send + Sync>;

/// What an arena has to know about a game beside its rules.
#[derive(Clone)]
pub struct GameSettings<G: Formats> {
    /// Its engines.
    pub engines: EngineFactory<G>,
    /// Makes a player.
    pub seat: Seat<G>,
    /// A game of so many plies is a draw.
    pub longest: Option<usize>,
    /// Random plies of an opening.
    pub plies: usize,
    /// The engine that finds openings fair; `None` accepts them all.
    pub judge: Option<&'static str>,
    /// How uneven an opening may be, in the unit of that engine's evaluation.
    pub bound: Option<i16>,
    /// What values are counted in.
    pub unit: &'static str,
    /// Whether a claim is granted.
    pub claim: Option<fn(&G, &G::Rules) -> bool>,
    /// The final score seen by the mover.
    pub margin: Option<fn(&G) -> Option<i32>>,
    /// A solver that knows how some games end.
    pub solver: Option<Solver<G>>,
}

impl<G: Formats> GameSettings<G> {
    /// A game with these engines and protocols, and nothing special about it.
    pub fn new(engines: EngineFactory<G>, protocols: &'static [Protocol]) -> GameSettings<G> {
        let own = engines.clone();
        let seat: Seat<G> = Arc::new(move |spec: &Spec| player::of_spec(spec, &own, protocols));
        GameSettings {
            engines,
            seat,
            longest: None,
            plies: 4,
            judge: None,
            bound: None,
            unit: "points",
            claim: None,
            margin: None,
            solver: None,
        }
    }
}

/// Why an event cannot be set up.
#[derive(Clone, PartialEq, Debug, Error)]
pub enum EventError {
    /// A player's engine is none.
    #[error("player {name:?}: {error}")]
    Player {
        /// Who.
        name: String,
        /// Why.
        error: SpecError,
    },
    /// The judge of openings is no engine.
    #[error("openings, judge: {0}")]
    Judge(SpecError),
    /// A file cannot be read.
    #[error("openings, file {path:?}: {message}")]
    File {
        /// Which one.
        path: String,
        /// Why.
        message: String,
    },
    /// There is no such event or game.
    #[error("{0}")]
    Other(String),
}

/// An event, whatever its game.
pub trait EventRunner: Send + Sync {
    /// The name of the game.
    fn game(&self) -> &'static str;

    /// What the players are called: `["black", "white"]`.
    fn sides(&self) -> [&'static str; 2];

    /// What values are counted in.
    fn unit(&self) -> &'static str;

    /// What its games depend on beside the settings.
    fn facts(&self) -> Vec<(String, String)>;

    /// A table where one game after the other is played; every worker has its own.
    fn table(&self) -> Box<dyn Board + '_>;

    /// The game as pictures.
    fn film(&self, game: &GameLine) -> Result<Film, String>;

    /// The game in one of its record formats, by name; its first when there is none.
    fn record(&self, game: &GameLine, format: Option<&str>) -> Result<Vec<u8>, String>;
}

/// Where a worker plays the games of an event.
pub trait Board {
    /// Plays a game.
    fn play(&mut self, fixture: &Fixture, stop: &CancelToken) -> GameRun;
}

/// How a game at a table went.
#[derive(Clone, PartialEq, Debug)]
pub enum GameRun {
    /// It was played.
    Played(Box<GameLine>),
    /// Somebody did not start.
    Unplayed {
        /// The number of the player.
        player: usize,
        /// What it said.
        message: String,
    },
    /// Everything was stopped.
    Abandoned,
    /// There is no opening for it.
    NoOpening(OpeningError),
    /// The arena itself has a defect.
    Broken(String),
}
