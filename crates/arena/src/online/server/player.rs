//! The connection of a player to the server.

use std::io;
use std::net::{SocketAddr, TcpStream};
use std::sync::mpsc::{Receiver, RecvTimeoutError, TryRecvError, sync_channel};
use std::time::{Duration, Instant};

use tesuji_protocol::reversi::Message;
use tesuji_search::CancelToken;

use crate::line_reader::{LineRead, ReceivedLine};
use crate::online::connection::Connection;

/// Lines that may wait to be read.
const QUEUE: usize = 16;
/// Unsolicited lines after which a player is disconnected.
const MAX_UNSOLICITED: usize = 1000;
/// How often cancellation is checked.
const POLL: Duration = Duration::from_millis(50);

/// A connected player.
#[derive(Debug)]
pub(super) struct ServerPlayer {
    pub(super) name: String,
    connection: Connection,
    lines: Receiver<ReceivedLine>,
    unsolicited: usize,
    gone: bool,
}

/// Why no line was received.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum ReceiveError {
    /// The deadline passed.
    Late,
    /// The connection is closed.
    Gone,
    /// The line is too long; nothing after it is read.
    TooLong,
    /// The server was cancelled.
    Cancelled,
}

impl ServerPlayer {
    /// A player that has not logged in yet.
    pub(super) fn new(stream: TcpStream) -> io::Result<ServerPlayer> {
        let (to, lines) = sync_channel(QUEUE);
        // The end of the connection is seen as the end of the channel.
        let connection = Connection::new(stream, move |line| line.is_some_and(|line| to.send(line).is_ok()))?;
        Ok(ServerPlayer { name: String::new(), connection, lines, unsolicited: 0, gone: false })
    }

    pub(super) fn peer(&self) -> SocketAddr {
        self.connection.peer()
    }

    /// Whether the connection is closed.
    pub(super) fn gone(&self) -> bool {
        self.gone
    }

    /// Closes the connection.
    pub(super) fn disconnect(&mut self) {
        self.gone = true;
        self.connection.close();
    }

    pub(super) fn send(&mut self, message: &Message) {
        if !self.gone && self.connection.send(message).is_err() {
            self.disconnect();
        }
    }

    /// A line that has already arrived.
    pub(super) fn try_receive(&mut self) -> Option<Result<Vec<u8>, ReceiveError>> {
        match self.lines.try_recv() {
            Ok(ReceivedLine { read: LineRead::Line(line), .. }) => Some(Ok(line)),
            Ok(ReceivedLine { read: LineRead::TooLong, .. }) => Some(Err(ReceiveError::TooLong)),
            Err(TryRecvError::Empty) => None,
            Err(TryRecvError::Disconnected) => Some(Err(ReceiveError::Gone)),
        }
    }

    /// Drops unsolicited lines: late answers or noise.
    pub(super) fn drain(&mut self) {
        while let Some(line) = self.try_receive() {
            self.unsolicited += 1;
            if line.is_err() || self.unsolicited > MAX_UNSOLICITED {
                return self.disconnect();
            }
        }
    }

    /// The next line, read no later than `until`, and when it was read.
    pub(super) fn receive(&mut self, until: Instant, cancel: &CancelToken) -> Result<(Vec<u8>, Instant), ReceiveError> {
        if self.gone {
            return Err(ReceiveError::Gone);
        }
        let line = loop {
            let left = until.saturating_duration_since(Instant::now());
            match self.lines.recv_timeout(left.min(POLL)) {
                Ok(line) => break line,
                Err(RecvTimeoutError::Disconnected) => return Err(ReceiveError::Gone),
                Err(RecvTimeoutError::Timeout) if cancel.is_cancelled() => {
                    return Err(ReceiveError::Cancelled);
                }
                Err(RecvTimeoutError::Timeout) if left.is_zero() => return Err(ReceiveError::Late),
                Err(RecvTimeoutError::Timeout) => {}
            }
        };
        match line.read {
            _ if line.at > until => Err(ReceiveError::Late),
            LineRead::Line(bytes) => Ok((bytes, line.at)),
            LineRead::TooLong => Err(ReceiveError::TooLong),
        }
    }
}
