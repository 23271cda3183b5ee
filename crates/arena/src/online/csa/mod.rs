//! A player on servers of the Computer Shogi Association, such as floodgate: one of our engines or another program, for
//! any number of games. Such a server closes the connection after each game.

mod clock;
mod game;
mod lag;
mod session;
mod thinking;

use std::net::SocketAddr;
use std::time::Duration;

use tesuji_game::{Formats, Record};
use tesuji_search::CancelToken;

use super::connection::Connection;
use crate::player::{Player, PlayerFault};
pub use game::{CsaNotation, CsaOnlineGame};
use lag::NetworkLag;
use session::CsaSession;

/// A client of CSA servers.
pub struct CsaClient<G: Formats> {
    settings: CsaSettings,
    notation: CsaNotation<G>,
    /// Absent while it thinks, and for good after it was lost with its thread.
    player: Option<Box<dyn Player<G>>>,
    make_player: PlayerMaker<G>,
    lag: NetworkLag,
    /// Games started.
    games: usize,
}

/// Makes the player anew after it was lost.
pub type PlayerMaker<G> = Box<dyn FnMut() -> Result<Box<dyn Player<G>>, String>>;

/// The settings of a client.
#[derive(Clone, Debug)]
pub struct CsaSettings {
    /// The name to log in with.
    pub name: String,
    /// The password, after the name of a game and a comma where the server expects that.
    pub password: String,
    /// The search depth limit besides the clock.
    pub depth: Option<u32>,
    /// How long the server may be silent.
    pub patience: Duration,
    /// An empty line is sent after this time without a line from us; none for never.
    pub keep_alive: Option<Duration>,
    /// Whether to send evaluation and line with each move.
    pub comments: bool,
    /// The number of games after which the client logs out; none for no limit.
    pub games: Option<usize>,
}

/// An event of a connection.
#[derive(Debug)]
pub enum CsaEvent<'a, G: Formats> {
    /// The connection is established.
    Connected(SocketAddr),
    /// A line was sent.
    Sent(&'a str),
    /// A line was received.
    Received(&'a str),
    /// Something unexpected that does not end the connection.
    Warning(String),
    /// A game starts.
    GameStarted(&'a CsaOnlineGame<G>),
    /// A game is over.
    GameEnded(&'a CsaOnlineGame<G>),
}

/// How a connection ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum CsaDisconnect {
    /// After a game: the server closed the connection, or we logged out.
    Finished,
    /// The connection was lost.
    Lost {
        /// Whether a game was under way.
        playing: bool,
        /// The reason.
        how: String,
    },
    /// The connection could not be established, or the login was refused.
    Unreachable(String),
    /// The player could not start a game, which was refused.
    PlayerFault(String),
    /// The client was cancelled.
    Cancelled,
}

impl<G: Formats> CsaClient<G> {
    /// A client whose player is prepared now, before any clock runs.
    ///
    /// # Errors
    /// The player does not start.
    pub fn new(
        settings: CsaSettings,
        notation: CsaNotation<G>,
        mut make_player: PlayerMaker<G>,
        cancel: &CancelToken,
    ) -> Result<CsaClient<G>, PlayerFault> {
        let mut player = make_player().map_err(PlayerFault::Start)?;
        player.begin(&Record::new(G::start()), cancel)?;
        Ok(CsaClient { settings, notation, player: Some(player), make_player, lag: NetworkLag::default(), games: 0 })
    }

    /// Games started so far.
    pub fn games(&self) -> usize {
        self.games
    }

    /// Connects to a server, logs in and plays until the connection ends or `cancel` is cancelled.
    pub fn connect(
        &mut self,
        host: &str,
        port: u16,
        cancel: &CancelToken,
        report: &mut dyn FnMut(CsaEvent<'_, G>),
    ) -> CsaDisconnect {
        if self.player.is_none() {
            match (self.make_player)() {
                Ok(player) => self.player = Some(player),
                Err(fault) => return CsaDisconnect::PlayerFault(fault),
            }
        }
        let stream = match Connection::open(host, port, cancel) {
            Some(Ok(stream)) => stream,
            Some(Err(error)) => return CsaDisconnect::Unreachable(error.to_string()),
            None => return CsaDisconnect::Cancelled,
        };
        match CsaSession::open(stream, self, cancel, report) {
            Ok(session) => session.run(),
            Err(error) => CsaDisconnect::Unreachable(error.to_string()),
        }
    }
}
