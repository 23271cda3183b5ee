//! What all requests share.

use std::net::{IpAddr, Ipv6Addr};
use std::ops::Deref;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use tesuji_registry::{EngineBounds, GameHandle, Registry};
use tokio::sync::Semaphore;

use crate::assets::Assets;
use crate::config::{Config, Limits};
use crate::error::ApiError;
use crate::games::GamesAnswer;
use crate::metrics::Metrics;
use crate::pool::Pool;
use crate::table::Builds;
use crate::tournament::WatchedTournament;

/// What all requests share; clones are the same.
#[derive(Clone)]
pub(crate) struct App(Arc<Shared>);

pub(crate) struct Shared {
    pub(crate) registry: Registry,
    pub(crate) config: Config,
    pub(crate) assets: Assets,
    pub(crate) pool: Pool,
    pub(crate) metrics: Metrics,
    /// Games that may be analysed beside those that are.
    pub(crate) game_analyses: Arc<Semaphore>,
    /// The tournament that is watched.
    pub(crate) tournament: Option<WatchedTournament>,
    /// Tablebases under construction.
    pub(crate) builds: Builds,
    /// Closed when the server stops.
    pub(crate) stopping: tokio::sync::watch::Receiver<bool>,
    /// What there is to say about the games, which does not change.
    games: OnceLock<GamesAnswer>,
}

/// A client: its address, or with IPv6 its network, of which every address is its own.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Client(IpAddr);

impl Client {
    pub(crate) fn new(address: IpAddr) -> Client {
        match address.to_canonical() {
            IpAddr::V6(address) if !address.is_loopback() => {
                Client(IpAddr::V6(Ipv6Addr::from_bits(address.to_bits() >> 64 << 64)))
            }
            address => Client(address),
        }
    }

    /// Whether it is on this machine.
    pub(crate) fn is_local(self) -> bool {
        self.0.is_loopback()
    }
}

impl App {
    pub(crate) fn new(
        registry: Registry,
        config: Config,
        tournament: Option<WatchedTournament>,
        stopping: tokio::sync::watch::Receiver<bool>,
    ) -> App {
        let assets = Assets::new(config.assets.clone());
        let pool = Pool::new(&config.limits);
        let game_analyses = Arc::new(Semaphore::new(config.limits.game_analyses));
        let metrics = Metrics::default();
        App(Arc::new(Shared {
            registry,
            config,
            assets,
            pool,
            metrics,
            game_analyses,
            tournament,
            builds: Builds::default(),
            stopping,
            games: OnceLock::new(),
        }))
    }

    pub(crate) fn limits(&self) -> &Limits {
        &self.config.limits
    }

    /// All games, and what this server allows.
    pub(crate) fn games(&self) -> &GamesAnswer {
        self.games.get_or_init(|| GamesAnswer::new(&self.registry, &self.config))
    }

    /// The game of a path.
    pub(crate) fn game(&self, name: &str) -> Result<GameHandle, ApiError> {
        let known = || self.registry.games().iter().map(|game| game.name()).collect::<Vec<_>>().join(", ");
        let found = self.registry.games().iter().find(|game| game.name() == name);
        found.cloned().ok_or_else(|| ApiError::not_found(format!("there is no such game; there are: {}", known())))
    }

    /// What an engine of this game may use.
    pub(crate) fn bounds(&self, game: &GameHandle, default_time: Duration) -> EngineBounds {
        let tablebase = self.builds.tablebase(game, self.config.table_folder().as_deref());
        self.config.bounds(default_time, tablebase)
    }
}

impl Deref for App {
    type Target = Shared;

    fn deref(&self) -> &Shared {
        &self.0
    }
}
