//! A player on somebody's match server: one of ours or another program, any number of games per visit.

mod bout;
mod session;
mod time;

use std::net::SocketAddr;
use std::time::Duration;

use tesuji_game::{Notation, Record};
use tesuji_protocol::reversi::{GameStart, ServerStanding};
use tesuji_search::CancelToken;

use super::wire::Wire;
use crate::player::{Fault, Player};
pub use bout::OnlineGame;
use session::Session;

/// Somebody who visits servers.
pub struct Client<G: Notation> {
    want: Want,
    /// Gone while it thinks, and for good if it breaks.
    player: Option<Box<dyn Player<G>>>,
}

/// How a guest plays.
#[derive(Clone, Debug)]
pub struct Want {
    /// The name to play under.
    pub name: String,
    /// Plies to look ahead, if the clock allows.
    pub depth: Option<u32>,
    /// How long a server may say nothing at all.
    pub patience: Duration,
}

/// What happens during a visit.
#[derive(Debug)]
pub enum ClientEvent<'a, G: Notation> {
    /// There is a connection.
    Connected(SocketAddr),
    /// We said a line.
    Said(&'a str),
    /// The server said one.
    Heard(&'a str),
    /// Something is odd and was survived.
    Odd(String),
    /// A game begins.
    Begins(&'a GameStart),
    /// A game is over.
    Ended(&'a OnlineGame<G>),
}

/// How a visit ended. Servers end in many ways, and none of them is an error of ours.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Leaving {
    /// The server said farewell, with its table.
    Farewell(Vec<ServerStanding>),
    /// The connection ended without a word; whether in the middle of a game, and how.
    Lost {
        /// Whether a game was on.
        playing: bool,
        /// How.
        how: String,
    },
    /// There never was a connection.
    Unreachable(String),
    /// We wanted to stop.
    Stopped,
}

impl<G: Notation> Client<G> {
    /// A guest who plays by `player`; it is made ready, so that no clock runs while it is.
    pub fn new(want: Want, mut player: Box<dyn Player<G>>) -> Result<Client<G>, Fault> {
        player.begin(&Record::new(G::start()))?;
        Ok(Client { want, player: Some(player) })
    }

    /// Visits a server and stays until it says farewell, the connection ends or `stop` is raised.
    pub fn visit(
        &mut self,
        host: &str,
        port: u16,
        stop: &CancelToken,
        tell: &mut dyn FnMut(ClientEvent<'_, G>),
    ) -> Leaving {
        let stream = match Wire::connect(host, port) {
            Ok(stream) => stream,
            Err(error) => return Leaving::Unreachable(error.to_string()),
        };
        match Session::open(stream, &self.want, &mut self.player, stop, tell) {
            Ok(session) => session.run(),
            Err(error) => Leaving::Unreachable(error.to_string()),
        }
    }
}
