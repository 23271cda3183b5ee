//! A player on a match server: one of our engines or another program, for any number of games per connection.

mod reconnect;
mod session;
mod time;

use std::net::SocketAddr;
use std::time::Duration;

use tesuji_game::{Game, MoveList, Notation, Record};
use tesuji_protocol::reversi::{GameEnd, GameStart, ServerMove, ServerStanding};
use tesuji_search::CancelToken;

use super::connection::Connection;
use crate::player::{Player, PlayerFault};
pub use reconnect::ReconnectDelays;
use session::ClientSession;

/// A client of match servers.
pub struct Client<G: Notation> {
    settings: ClientSettings,
    /// Absent while it thinks, and for good after a panic.
    player: Option<Box<dyn Player<G>>>,
}

/// The settings of a client.
#[derive(Clone, Debug)]
pub struct ClientSettings {
    /// The name to log in with.
    pub name: String,
    /// The search depth limit besides the clock.
    pub depth: Option<u32>,
    /// How long the server may be silent.
    pub patience: Duration,
}

/// An event of a connection.
#[derive(Debug)]
pub enum ClientEvent<'a, G: Notation> {
    /// The connection is established.
    Connected(SocketAddr),
    /// A line was sent.
    Sent(&'a str),
    /// A line was received.
    Received(&'a str),
    /// Something unexpected that does not end the connection.
    Warning(String),
    /// A game starts.
    GameStarted(&'a GameStart),
    /// A game is over.
    GameEnded(&'a OnlineGame<G>),
}

/// How a connection ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Disconnect {
    /// The server said goodbye, with its table.
    Bye(Vec<ServerStanding>),
    /// The connection was lost.
    Lost {
        /// Whether a game was under way.
        playing: bool,
        /// The reason.
        how: String,
    },
    /// The connection could not be established.
    Unreachable(String),
    /// The client was cancelled.
    Cancelled,
}

impl<G: Notation> Client<G> {
    /// A client that plays with `player`, which is prepared now, before any clock runs.
    pub fn new(
        settings: ClientSettings,
        mut player: Box<dyn Player<G>>,
        cancel: &CancelToken,
    ) -> Result<Client<G>, PlayerFault> {
        player.begin(&Record::new(G::start()), cancel)?;
        Ok(Client { settings, player: Some(player) })
    }

    /// Connects to a server and plays until it says goodbye, the connection is lost or `cancel` is cancelled.
    pub fn connect(
        &mut self,
        host: &str,
        port: u16,
        cancel: &CancelToken,
        report: &mut dyn FnMut(ClientEvent<'_, G>),
    ) -> Disconnect {
        let stream = match Connection::open(host, port, cancel) {
            Some(Ok(stream)) => stream,
            Some(Err(error)) => return Disconnect::Unreachable(error.to_string()),
            None => return Disconnect::Cancelled,
        };
        match ClientSession::open(stream, &self.settings, &mut self.player, cancel, report) {
            Ok(session) => session.run(),
            Err(error) => Disconnect::Unreachable(error.to_string()),
        }
    }
}

/// A game on a server, on our board.
#[derive(Clone, Debug)]
pub struct OnlineGame<G: Game> {
    /// Its number in this connection, from 1.
    pub number: usize,
    /// How it began.
    pub start: GameStart,
    /// The moves, without the passes after which no side could move.
    pub record: Record<G>,
    /// Our clock in milliseconds, as the server reported it last.
    pub left: i64,
    /// How it ended, if the server reported it.
    pub end: Option<GameEnd>,
}

impl<G: Notation> OnlineGame<G> {
    fn new(number: usize, start: GameStart) -> OnlineGame<G> {
        let left = start.time;
        OnlineGame { number, start, record: Record::new(G::start()), left, end: None }
    }

    /// Plays a move. When no side can move, a pass changes nothing.
    fn play(&mut self, play: ServerMove) -> Result<(), String> {
        if self.record.ending().is_some() && play == ServerMove::Pass {
            return Ok(());
        }
        self.record.push_text(&play.to_string()).map_err(|refusal| refusal.to_string())
    }

    /// The move when there is no choice: the only legal one, or the pass that ends a game.
    fn forced(&self) -> Option<ServerMove> {
        if self.record.ending().is_some() {
            return Some(ServerMove::Pass);
        }
        let mut moves = self.moves();
        let only = moves.next();
        only.filter(|_| moves.next().is_none())
    }

    /// The first legal move, as a fallback.
    fn any(&self) -> ServerMove {
        self.moves().next().unwrap_or(ServerMove::Pass)
    }

    /// A move in the notation of the protocol.
    fn notation(&self, mv: G::Move) -> Option<ServerMove> {
        ServerMove::parse(&self.record.now().print_move(mv))
    }

    fn moves(&self) -> impl Iterator<Item = ServerMove> {
        let mut list = G::Moves::default();
        self.record.now().clone().moves(&mut list);
        let moves: Vec<ServerMove> = list.each().filter_map(|mv| self.notation(mv)).collect();
        moves.into_iter()
    }
}
