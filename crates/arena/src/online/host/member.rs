//! A player at the server: what it says when it is asked, and what it says when it is not.

use std::io;
use std::net::{SocketAddr, TcpStream};
use std::sync::mpsc::{Receiver, RecvTimeoutError, TryRecvError, sync_channel};
use std::time::{Duration, Instant};

use tesuji_protocol::reversi::Message;
use tesuji_search::CancelToken;

use crate::lines::{Heard, Sound};
use crate::online::wire::Wire;

/// Lines that may wait to be read.
const WAITING: usize = 16;
/// Lines that nobody asked for, after which somebody is not a player any more.
const UNASKED: usize = 1000;
/// How soon it is noticed that everything is to stop.
const GLANCE: Duration = Duration::from_millis(50);

/// A player who has come.
#[derive(Debug)]
pub(super) struct Contestant {
    pub(super) name: String,
    wire: Wire,
    from: Receiver<Heard>,
    unasked: usize,
    gone: bool,
}

/// Why there is no line.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Silence {
    /// None came in time.
    Late,
    /// None will ever come.
    Gone,
    /// A line that never ends; nothing behind it is read.
    Endless,
    /// Everything is to stop.
    Stopped,
}

impl Contestant {
    /// Somebody who has not said his name yet.
    pub(super) fn new(stream: TcpStream) -> io::Result<Contestant> {
        let (to, from) = sync_channel(WAITING);
        // The end is told by the end of the channel.
        let wire = Wire::new(stream, move |heard| heard.is_some_and(|heard| to.send(heard).is_ok()))?;
        Ok(Contestant { name: String::new(), wire, from, unasked: 0, gone: false })
    }

    pub(super) fn peer(&self) -> SocketAddr {
        self.wire.peer()
    }

    /// Whether nothing can be played with him any more.
    pub(super) fn gone(&self) -> bool {
        self.gone
    }

    /// Ends the connection.
    pub(super) fn dismiss(&mut self) {
        self.gone = true;
        self.wire.close();
    }

    pub(super) fn say(&mut self, message: &Message) {
        if !self.gone && self.wire.say(message).is_err() {
            self.dismiss();
        }
    }

    /// A line that has come already.
    pub(super) fn overhear(&mut self) -> Option<Result<Vec<u8>, Silence>> {
        match self.from.try_recv() {
            Ok(Heard { sound: Sound::Line(line), .. }) => Some(Ok(line)),
            Ok(Heard { sound: Sound::TooLong, .. }) => Some(Err(Silence::Endless)),
            Err(TryRecvError::Empty) => None,
            Err(TryRecvError::Disconnected) => Some(Err(Silence::Gone)),
        }
    }

    /// Throws away what was said while somebody else was asked: an answer to an earlier question, or noise.
    pub(super) fn hush(&mut self) {
        while let Some(heard) = self.overhear() {
            self.unasked += 1;
            if heard.is_err() || self.unasked > UNASKED {
                return self.dismiss();
            }
        }
    }

    /// The next line and when it was read, which was no later than `until`.
    pub(super) fn hear(&mut self, until: Instant, stop: &CancelToken) -> Result<(Vec<u8>, Instant), Silence> {
        if self.gone {
            return Err(Silence::Gone);
        }
        let heard = loop {
            let left = until.saturating_duration_since(Instant::now());
            match self.from.recv_timeout(left.min(GLANCE)) {
                Ok(heard) => break heard,
                Err(RecvTimeoutError::Disconnected) => return Err(Silence::Gone),
                Err(RecvTimeoutError::Timeout) if stop.is_cancelled() => return Err(Silence::Stopped),
                Err(RecvTimeoutError::Timeout) if left.is_zero() => return Err(Silence::Late),
                Err(RecvTimeoutError::Timeout) => {}
            }
        };
        match heard.sound {
            _ if heard.at > until => Err(Silence::Late),
            Sound::Line(line) => Ok((line, heard.at)),
            Sound::TooLong => Err(Silence::Endless),
        }
    }
}
