//! Before the first game: connections come, say their names, or go.

use std::io;
use std::net::{SocketAddr, TcpListener};
use std::thread;
use std::time::{Duration, Instant};

use tesuji_game::Notation;
use tesuji_protocol::reversi::{Command, Message};
use tesuji_search::CancelToken;
use thiserror::Error;

use super::member::{Contestant, Silence};
use super::{News, Terms};

/// How long somebody who has connected may take to say his name.
const SHY: Duration = Duration::from_secs(10);
/// How many may stand at the door without having said it.
const CROWD: usize = 64;
/// How often it is looked who has come.
const GLANCE: Duration = Duration::from_millis(5);
/// The longest name.
const LONGEST: usize = 64;

/// Why no game could begin.
#[derive(Debug, Error)]
pub enum Gathering {
    /// Not everybody came.
    #[error("only {came} of {wanted} players came within {wait:?}")]
    Few {
        /// How many came.
        came: usize,
        /// How many were waited for.
        wanted: usize,
        /// How long.
        wait: Duration,
    },
    /// Somebody wanted everything to end.
    #[error("stopped before the first game")]
    Stopped,
    /// Nobody can come.
    #[error("no connection can be taken: {0}")]
    Deaf(#[from] io::Error),
}

/// Waits until all players have come.
pub(super) fn gather<G: Notation>(
    listener: &TcpListener,
    terms: &Terms,
    stop: &CancelToken,
    tell: &mut dyn FnMut(News<'_, G>),
) -> Result<Vec<Contestant>, Gathering> {
    listener.set_nonblocking(true)?;
    let until = Instant::now() + terms.wait;
    let mut lobby = Lobby { came: Vec::new(), strangers: Vec::new() };
    while lobby.came.len() < terms.players {
        if stop.is_cancelled() {
            lobby.farewell();
            return Err(Gathering::Stopped);
        }
        if Instant::now() >= until {
            lobby.farewell();
            let came = lobby.came.len();
            return Err(Gathering::Few { came, wanted: terms.players, wait: terms.wait });
        }
        if !lobby.look(listener, terms.players, tell) {
            thread::sleep(GLANCE);
        }
    }
    Ok(lobby.came)
}

/// Who is there.
struct Lobby {
    came: Vec<Contestant>,
    /// Those who have not said their name yet, and since when.
    strangers: Vec<(Contestant, Instant)>,
}

impl Lobby {
    /// Sees who has come, gone or spoken; whether anything happened.
    fn look<G: Notation>(
        &mut self,
        listener: &TcpListener,
        wanted: usize,
        tell: &mut dyn FnMut(News<'_, G>),
    ) -> bool {
        let knocked = self.knock(listener, tell);
        self.came.retain_mut(|member| {
            // Nobody has been asked anything yet.
            member.hush();
            if member.gone() {
                tell(News::Left(&member.name));
            }
            !member.gone()
        });
        let now = Instant::now();
        let mut spoken = false;
        for (mut stranger, since) in std::mem::take(&mut self.strangers) {
            match stranger.overhear() {
                None if now.duration_since(since) < SHY => self.strangers.push((stranger, since)),
                None => refuse(stranger, "it did not say its name", tell),
                Some(Err(Silence::Gone)) => refuse(stranger, "it went away", tell),
                Some(Err(_)) => refuse(stranger, "it sent a line without an end", tell),
                Some(Ok(line)) => {
                    spoken = true;
                    match self.named(&line, wanted) {
                        Ok(name) => {
                            tell(News::Came(&name, stranger.peer()));
                            stranger.name = name;
                            self.came.push(stranger);
                        }
                        Err(why) => {
                            stranger.say(&Message::Bye(Vec::new()));
                            refuse(stranger, &why, tell);
                        }
                    }
                }
            }
        }
        knocked || spoken
    }

    /// Takes one connection, if there is one.
    fn knock<G: Notation>(&mut self, listener: &TcpListener, tell: &mut dyn FnMut(News<'_, G>)) -> bool {
        let Ok((stream, peer)) = listener.accept() else { return false };
        if self.strangers.len() >= CROWD {
            tell(News::Refused(peer, "too many stand at the door".to_owned()));
        } else if let Ok(stranger) = Contestant::new(stream) {
            self.strangers.push((stranger, Instant::now()));
        }
        true
    }

    /// The name that a first line gives, or why it does not.
    fn named(&self, line: &[u8], wanted: usize) -> Result<String, String> {
        match Command::parse(line) {
            Some(Command::Open(name)) if name.len() > LONGEST => {
                Err(format!("its name has {} letters", name.len()))
            }
            Some(Command::Open(name)) if self.came.iter().any(|member| member.name == name) => {
                Err(format!("there is a {name} already"))
            }
            Some(Command::Open(_)) if self.came.len() >= wanted => Err("everybody has come".to_owned()),
            Some(Command::Open(name)) => Ok(name),
            _ => Err("it did not begin with OPEN and a name".to_owned()),
        }
    }

    fn farewell(&mut self) {
        self.came.iter_mut().for_each(|member| member.say(&Message::Bye(Vec::new())));
    }
}

fn refuse<G: Notation>(stranger: Contestant, why: &str, tell: &mut dyn FnMut(News<'_, G>)) {
    let peer: SocketAddr = stranger.peer();
    drop(stranger);
    tell(News::Refused(peer, why.to_owned()));
}
