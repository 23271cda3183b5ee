//! `GET /api/v1/games`.

use axum::extract::State;
use axum::response::Response;
use schemars::JsonSchema;
use serde::Serialize;
use tesuji_registry::{GameHandle, GamePage, Registry};

use crate::body::ok;
use crate::config::Config;
use crate::state::App;

/// All games, and what this server allows.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub(crate) struct GamesAnswer {
    /// The version of the program.
    pub(crate) version: String,
    /// The games.
    pub(crate) games: Vec<GamePage>,
    /// Whether there is a tournament to watch.
    pub(crate) tournament: bool,
    /// What requests may ask for.
    pub(crate) limits: LimitsAnswer,
}

/// What requests may ask for.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub(crate) struct LimitsAnswer {
    /// Thinking time in milliseconds.
    pub(crate) time_ms: u64,
    /// Best moves of an analysis.
    pub(crate) lines: usize,
    /// Transposition table in MiB.
    pub(crate) hash: u64,
    /// Threads of a search.
    pub(crate) threads: usize,
    /// Moves of a game.
    pub(crate) moves: usize,
    /// Bytes of a body.
    pub(crate) body: usize,
}

impl GamesAnswer {
    pub(crate) fn new(registry: &Registry, config: &Config) -> GamesAnswer {
        let limits = &config.limits;
        GamesAnswer {
            version: env!("CARGO_PKG_VERSION").to_owned(),
            games: registry.games().iter().map(|game: &GameHandle| game.page()).collect(),
            tournament: config.tournament.is_some(),
            limits: LimitsAnswer {
                time_ms: limits.time.as_millis() as u64,
                lines: limits.lines,
                hash: limits.hash,
                threads: limits.threads,
                moves: limits.moves,
                body: limits.body,
            },
        }
    }
}

pub(crate) async fn games(State(app): State<App>) -> Response {
    ok(app.games())
}
