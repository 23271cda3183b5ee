//! Before the first game: players connect and log in.

use std::io;
use std::net::TcpListener;
use std::thread;
use std::time::{Duration, Instant};

use tesuji_game::Notation;
use tesuji_protocol::reversi::{Command, Message};
use tesuji_search::CancelToken;
use thiserror::Error;

use super::player::{ReceiveError, ServerPlayer};
use super::{MatchServerEvent, ServerSettings};

/// The time limit of a login.
const LOGIN_TIMEOUT: Duration = Duration::from_secs(10);
/// Connections that may be waiting to log in.
const MAX_PENDING: usize = 64;
/// How often connections are checked.
const POLL: Duration = Duration::from_millis(5);
/// The longest name.
const MAX_NAME: usize = 64;

/// Why no game could start.
#[derive(Debug, Error)]
pub enum LoginError {
    /// Too few players logged in.
    #[error("only {came} of {wanted} players came within {wait:?}")]
    TooFew {
        /// Players that logged in.
        came: usize,
        /// Players that were expected.
        wanted: usize,
        /// How long the server waited.
        wait: Duration,
    },
    /// The server was cancelled.
    #[error("stopped before the first game")]
    Cancelled,
    /// The listener failed.
    #[error("no connection can be accepted: {0}")]
    Io(#[from] io::Error),
}

/// Waits until all players have logged in.
pub(super) fn wait_for_players<G: Notation>(
    listener: &TcpListener,
    settings: &ServerSettings,
    cancel: &CancelToken,
    report: &mut dyn FnMut(MatchServerEvent<'_, G>),
) -> Result<Vec<ServerPlayer>, LoginError> {
    listener.set_nonblocking(true)?;
    let until = Instant::now() + settings.wait;
    let mut logins = Logins { players: Vec::new(), pending: Vec::new() };
    while logins.players.len() < settings.players {
        if cancel.is_cancelled() {
            logins.dismiss();
            return Err(LoginError::Cancelled);
        }
        if Instant::now() >= until {
            logins.dismiss();
            let came = logins.players.len();
            return Err(LoginError::TooFew { came, wanted: settings.players, wait: settings.wait });
        }
        if !logins.poll(listener, settings.players, report) {
            thread::sleep(POLL);
        }
    }
    Ok(logins.players)
}

/// The connections so far.
struct Logins {
    players: Vec<ServerPlayer>,
    /// Connections that have not logged in yet, and since when.
    pending: Vec<(ServerPlayer, Instant)>,
}

impl Logins {
    /// Handles new, closed and pending connections; whether anything happened.
    fn poll<G: Notation>(
        &mut self,
        listener: &TcpListener,
        wanted: usize,
        report: &mut dyn FnMut(MatchServerEvent<'_, G>),
    ) -> bool {
        let accepted = self.accept(listener, report);
        self.players.retain_mut(|player| {
            player.drain();
            if player.gone() {
                report(MatchServerEvent::Left(&player.name));
            }
            !player.gone()
        });
        let now = Instant::now();
        let mut received = false;
        for (mut player, since) in std::mem::take(&mut self.pending) {
            match player.try_receive() {
                None if now.duration_since(since) < LOGIN_TIMEOUT => self.pending.push((player, since)),
                None => refuse(player, "it did not log in", report),
                Some(Err(ReceiveError::Gone)) => refuse(player, "it disconnected", report),
                Some(Err(_)) => refuse(player, "it sent a line without an end", report),
                Some(Ok(line)) => {
                    received = true;
                    match self.login(&line, wanted) {
                        Ok(name) => {
                            report(MatchServerEvent::LoggedIn(&name, player.peer()));
                            player.name = name;
                            self.players.push(player);
                        }
                        Err(why) => {
                            player.send(&Message::Bye(Vec::new()));
                            refuse(player, &why, report);
                        }
                    }
                }
            }
        }
        accepted || received
    }

    /// Accepts one connection, if there is one.
    fn accept<G: Notation>(&mut self, listener: &TcpListener, report: &mut dyn FnMut(MatchServerEvent<'_, G>)) -> bool {
        let Ok((stream, peer)) = listener.accept() else { return false };
        if self.pending.len() >= MAX_PENDING {
            report(MatchServerEvent::Refused(peer, "too many connections wait to log in".to_owned()));
        } else if let Ok(player) = ServerPlayer::new(stream) {
            self.pending.push((player, Instant::now()));
        }
        true
    }

    /// The name of a valid login, or why it is refused.
    fn login(&self, line: &[u8], wanted: usize) -> Result<String, String> {
        match Command::parse(line) {
            Some(Command::Open(name)) if name.len() > MAX_NAME => Err(format!("its name has {} letters", name.len())),
            Some(Command::Open(name)) if self.players.iter().any(|player| player.name == name) => {
                Err(format!("there is a {name} already"))
            }
            Some(Command::Open(_)) if self.players.len() >= wanted => Err("all players have logged in".to_owned()),
            Some(Command::Open(name)) => Ok(name),
            _ => Err("it did not begin with OPEN and a name".to_owned()),
        }
    }

    fn dismiss(&mut self) {
        self.players.iter_mut().for_each(|player| player.send(&Message::Bye(Vec::new())));
    }
}

fn refuse<G: Notation>(player: ServerPlayer, why: &str, report: &mut dyn FnMut(MatchServerEvent<'_, G>)) {
    let peer = player.peer();
    drop(player);
    report(MatchServerEvent::Refused(peer, why.to_owned()));
}
