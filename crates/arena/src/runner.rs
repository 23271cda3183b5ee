//! What the tournament needs of one event, whatever its game, and what the arena needs to know about a game.

use std::sync::Arc;

use tesuji_engines::{EngineFactory, Spec, SpecError};
use tesuji_game::Formats;
use tesuji_search::{CancelToken, ValueUnit};
use thiserror::Error;

use crate::journal_entry::GameEntry;
use crate::opening::OpeningError;
use crate::play::EndgameOracle;
use crate::player::{self, Player, PlayerProtocol};
use crate::replay::GameReplay;
use crate::schedule::ScheduledGame;

/// Makes the player of an engine spec.
pub type PlayerFactory<G> = Arc<dyn Fn(&Spec) -> Result<Box<dyn Player<G>>, SpecError> + Send + Sync>;

/// The final score of both sides; `None` while the game continues.
pub type FinalScore<G> = fn(&G) -> Option<[u32; 2]>;

/// What the arena needs to know about a game besides its rules.
#[derive(Clone)]
pub struct GameSettings<G: Formats> {
    /// Its engines.
    pub engines: EngineFactory<G>,
    /// Makes a player.
    pub make_player: PlayerFactory<G>,
    /// A game of this many plies is a draw.
    pub longest: Option<usize>,
    /// Random plies of an opening.
    pub plies: usize,
    /// The engine that judges whether an opening is fair; `None` accepts every opening.
    pub judge: Option<&'static str>,
    /// The largest absolute value of a fair opening, in the unit of the game.
    pub bound: Option<f64>,
    /// Whether the rules grant a claim of the mover.
    pub claim: Option<fn(&G, &G::Rules) -> bool>,
    /// The final score of both sides, the first player's first.
    pub final_score: Option<FinalScore<G>>,
    /// Knows the result of some games before they end.
    pub oracle: Option<EndgameOracle<G>>,
}

impl<G: Formats> GameSettings<G> {
    /// Defaults for a game with these engines and protocols.
    pub fn new(engines: EngineFactory<G>, protocols: &'static [PlayerProtocol]) -> GameSettings<G> {
        let own = engines.clone();
        let make_player: PlayerFactory<G> = Arc::new(move |spec: &Spec| player::of_spec(spec, &own, protocols));
        GameSettings {
            engines,
            make_player,
            longest: None,
            plies: 4,
            judge: None,
            bound: None,
            claim: None,
            final_score: None,
            oracle: None,
        }
    }
}

/// Why an event cannot be set up.
#[derive(Clone, PartialEq, Debug, Error)]
pub enum EventError {
    /// The engine spec of a player is invalid.
    #[error("player {name:?}: {error}")]
    Player {
        /// The player.
        name: String,
        /// The reason.
        error: SpecError,
    },
    /// The engine spec of the opening judge is invalid.
    #[error("openings, judge: {0}")]
    Judge(SpecError),
    /// The file of openings cannot be read.
    #[error("openings, file {path:?}: {message}")]
    File {
        /// The file.
        path: String,
        /// The reason.
        message: String,
    },
    /// A value has no meaning in the unit of the game.
    #[error("{setting} = {number}: values are in {}, here from 0 to {most}{}", unit.name, fractions(*unit))]
    Threshold {
        /// The setting.
        setting: &'static str,
        /// Its number.
        number: f64,
        /// The unit of the game.
        unit: ValueUnit,
        /// The largest number that makes sense.
        most: f64,
    },
    /// There is no such event or game.
    #[error("{0}")]
    Other(String),
}

/// A remark for settings that were written when values counted fractions of the unit.
fn fractions(unit: ValueUnit) -> String {
    if unit.steps == 1 { String::new() } else { format!(", not in steps of 1/{} as before version 2", unit.steps) }
}

/// Runs one event. Object-safe: the tournament does not know the type of the game.
pub trait EventRunner: Send + Sync {
    /// The name of the game.
    fn game(&self) -> &'static str;

    /// The names of the sides: `["black", "white"]`.
    fn sides(&self) -> [&'static str; 2];

    /// The unit of evaluations.
    fn unit(&self) -> ValueUnit;

    /// What the games depend on besides the configuration.
    fn facts(&self) -> Vec<(String, String)>;

    /// A worker that plays one game after the other; every thread has its own.
    fn worker(&self) -> Box<dyn GameWorker + '_>;

    /// The boards of a game, for display.
    fn replay(&self, game: &GameEntry) -> Result<GameReplay, String>;

    /// The game in the record format of this name; in the first format of the game when there is none.
    fn record(&self, game: &GameEntry, format: Option<&str>) -> Result<Vec<u8>, String>;
}

/// Plays the games of an event on one thread.
pub trait GameWorker {
    /// Plays a game.
    fn play(&mut self, game: &ScheduledGame, cancel: &CancelToken) -> GameRun;
}

/// What happened to a scheduled game.
#[derive(Clone, PartialEq, Debug)]
pub enum GameRun {
    /// It was played.
    Played(Box<GameEntry>),
    /// A player did not start.
    Unplayed {
        /// The number of the player.
        player: usize,
        /// The error message.
        message: String,
    },
    /// The run was cancelled.
    Abandoned,
    /// There is no opening for it.
    NoOpening(OpeningError),
    /// The arena itself panicked.
    Broken(String),
}
