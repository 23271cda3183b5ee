//! A match server: a round-robin of connected players with colours swapped from round to round. A player that
//! disconnects, stalls or violates the protocol loses its games; the tournament goes on.

mod clocks;
mod game;
mod login;
mod player;
mod results;

use std::collections::VecDeque;
use std::io;
use std::net::{SocketAddr, TcpListener};
use std::sync::{Mutex, PoisonError, mpsc};
use std::thread;
use std::time::Duration;

use tesuji_game::Notation;
use tesuji_protocol::reversi::{Message, ServerStanding};
use tesuji_search::CancelToken;

use crate::schedule::circle;
use game::ServerGame;
pub use login::LoginError;
use player::ServerPlayer;
pub use results::{ServerGameOutcome, ServerGameResult, ServerReport, ServerTableRow, ServerWinner};

/// The settings of a server.
#[derive(Clone, Copy, Debug)]
pub struct ServerSettings {
    /// Players to wait for.
    pub players: usize,
    /// Round-robins to play.
    pub rounds: usize,
    /// Time of each side for a game.
    pub time: Duration,
    /// How far a clock may fall below zero; it is then set to this.
    pub byoyomi: Duration,
    /// How long to wait for the players.
    pub wait: Duration,
    /// Games at a time; a player plays at most one.
    pub concurrency: usize,
}

/// An event on the server.
#[derive(Debug)]
pub enum MatchServerEvent<'a, G: Notation> {
    /// A player logged in under this name.
    LoggedIn(&'a str, SocketAddr),
    /// A player left before the first game.
    Left(&'a str),
    /// A connection was refused, with the reason.
    Refused(SocketAddr, String),
    /// A game starts: its number and its round, from 1, and the names of black and white.
    GameStarted(usize, usize, [&'a str; 2]),
    /// A game is over.
    GameEnded(&'a ServerGameResult<G>),
}

/// A match server that listens.
#[derive(Debug)]
pub struct MatchServer<G> {
    listener: TcpListener,
    settings: ServerSettings,
    /// The discs of both sides.
    discs: fn(&G) -> [u32; 2],
}

impl<G: Notation> MatchServer<G> {
    /// Listens on `address`; port 0 takes any free port.
    pub fn new(address: SocketAddr, settings: ServerSettings, discs: fn(&G) -> [u32; 2]) -> io::Result<MatchServer<G>> {
        Ok(MatchServer { listener: TcpListener::bind(address)?, settings, discs })
    }

    /// The address it listens on.
    pub fn address(&self) -> io::Result<SocketAddr> {
        self.listener.local_addr()
    }

    /// Waits for the players, plays all games and sends everyone the final table. A game that is cancelled has no
    /// result.
    pub fn run(
        self,
        cancel: &CancelToken,
        report: &mut dyn FnMut(MatchServerEvent<'_, G>),
    ) -> Result<ServerReport<G>, LoginError> {
        let MatchServer { listener, settings, discs } = self;
        let players = login::wait_for_players(&listener, &settings, cancel, report)?;
        // Later connections are refused by the system.
        drop(listener);
        let players: Vec<Mutex<ServerPlayer>> = players.into_iter().map(Mutex::new).collect();
        let names: Vec<String> = players.iter().map(|player| locked(player).name.clone()).collect();
        let mut results = Vec::new();
        for round in 0..settings.rounds {
            for pairings in circle(names.len()) {
                let pairs = pairings.into_iter();
                let pairs = pairs.map(|[one, two]| if round % 2 == 0 { [one, two] } else { [two, one] });
                let round = Round { players: &players, names: &names, number: round + 1, settings, discs };
                let mut played = round.play(pairs.collect(), results.len() + 1, cancel, report);
                results.append(&mut played);
            }
        }
        let report = ServerReport::of(names, results, cancel.is_cancelled());
        let table: Vec<ServerStanding> = report.standings.iter().map(ServerTableRow::row).collect();
        for player in &players {
            locked(player).send(&Message::Bye(table.clone()));
        }
        Ok(report)
    }
}

/// The games of one round.
struct Round<'a, G> {
    players: &'a [Mutex<ServerPlayer>],
    names: &'a [String],
    /// From 1.
    number: usize,
    settings: ServerSettings,
    discs: fn(&G) -> [u32; 2],
}

impl<G: Notation> Round<'_, G> {
    /// Plays games, numbered from `first`, in which every player takes part at most once.
    fn play(
        &self,
        pairs: VecDeque<[usize; 2]>,
        first: usize,
        cancel: &CancelToken,
        report: &mut dyn FnMut(MatchServerEvent<'_, G>),
    ) -> Vec<ServerGameResult<G>> {
        let workers = self.settings.concurrency.clamp(1, pairs.len().max(1));
        let queue: VecDeque<(usize, [usize; 2])> = (first..).zip(pairs).collect();
        let queue = Mutex::new(queue);
        let (to, from) = mpsc::channel();
        let mut results: Vec<ServerGameResult<G>> = Vec::new();
        thread::scope(|scope| {
            for _ in 0..workers {
                let (to, queue) = (to.clone(), &queue);
                scope.spawn(move || {
                    while let Some((number, players)) = locked(queue).pop_front() {
                        if cancel.is_cancelled() || to.send(Err((number, players))).is_err() {
                            return;
                        }
                        // No other game of this round uses these players, so the locks are free.
                        let [mut black, mut white] = players.map(|player| locked(&self.players[player]));
                        let game = ServerGame::new([&mut black, &mut white], self.settings, self.discs, cancel);
                        let Some(outcome) = game.play() else { return };
                        let names = players.map(|player| self.names[player].clone());
                        let result = ServerGameResult { number, round: self.number, players, names, outcome };
                        if to.send(Ok(result)).is_err() {
                            return;
                        }
                    }
                });
            }
            drop(to);
            for message in from {
                match message {
                    Err((number, [black, white])) => {
                        let names = [self.names[black].as_str(), self.names[white].as_str()];
                        report(MatchServerEvent::GameStarted(number, self.number, names));
                    }
                    Ok(result) => {
                        report(MatchServerEvent::GameEnded(&result));
                        results.push(result);
                    }
                }
            }
        });
        results.sort_by_key(|result| result.number);
        results
    }
}

/// A panic while the lock was held leaves the value usable.
fn locked<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
