//! What a server is told when it starts.

use std::net::{Ipv4Addr, SocketAddr};
use std::path::PathBuf;
use std::time::Duration;

use tesuji_registry::{EngineBounds, TablebaseStatus};
use tesuji_task::cores;

use crate::cluster::WatchedCluster;

/// A server.
#[derive(Clone, Debug)]
pub struct Config {
    /// Where it listens.
    pub listen: SocketAddr,
    /// Names under which it may be addressed, besides `localhost` and its own addresses.
    pub hosts: Vec<String>,
    /// A folder to read the page from at every request, instead of the files compiled in.
    pub assets: Option<PathBuf>,
    /// A folder of tablebases; the default one when absent.
    pub table: Option<PathBuf>,
    /// A folder of a tournament to watch.
    pub tournament: Option<PathBuf>,
    /// A cluster to watch.
    pub cluster: Option<WatchedCluster>,
    /// What clients may ask for.
    pub limits: Limits,
}

impl Default for Config {
    fn default() -> Config {
        Config {
            listen: SocketAddr::from((Ipv4Addr::LOCALHOST, Config::PORT)),
            hosts: Vec::new(),
            assets: None,
            table: None,
            tournament: None,
            cluster: None,
            limits: Limits::default(),
        }
    }
}

impl Config {
    /// The usual port.
    pub const PORT: u16 = 7878;

    /// The folder of tablebases, if it is not the default one.
    pub(crate) fn table_folder(&self) -> Option<String> {
        self.table.as_ref().map(|table| table.display().to_string())
    }

    pub(crate) fn bounds(&self, default_time: Duration, tablebase: TablebaseStatus) -> EngineBounds {
        EngineBounds {
            time: self.limits.time,
            default_time,
            hash: self.limits.hash,
            threads: self.limits.threads,
            table: self.table_folder(),
            tablebase,
        }
    }
}

/// What clients may ask for. More is cut down and told, or refused.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Limits {
    /// Searches at a time.
    pub searches: usize,
    /// Threads of a search.
    pub threads: usize,
    /// Transposition table of a search, in MiB.
    pub hash: u64,
    /// Thinking time of a search.
    pub time: Duration,
    /// A search that has taken this long makes room when others wait.
    pub slice: Duration,
    /// Best moves told by an analysis.
    pub lines: usize,
    /// Moves of a game.
    pub moves: usize,
    /// Bytes of a request's body.
    pub body: usize,
    /// Open connections.
    pub connections: usize,
    /// The same of one client; those on this machine share one address, so that only the total holds for them.
    pub connections_per_client: usize,
    /// Searches that run or wait, of all clients.
    pub jobs: usize,
    /// The same of one client, unless it is on this machine.
    pub jobs_per_client: usize,
    /// Analyses of whole games at a time, which keep a thread each.
    pub game_analyses: usize,
    /// Time for the head of a request, for its body, and for taking a part of the answer.
    pub patience: Duration,
    /// Time to end requests when the server stops.
    pub farewell: Duration,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            searches: cores(),
            threads: 1,
            hash: 64,
            time: Duration::from_secs(60),
            slice: Duration::from_secs(2),
            lines: 256,
            moves: 10_000,
            body: 1 << 20,
            connections: 4096,
            connections_per_client: 256,
            jobs: 2048,
            jobs_per_client: 64,
            game_analyses: 16,
            patience: Duration::from_secs(10),
            farewell: Duration::from_secs(2),
        }
    }
}
