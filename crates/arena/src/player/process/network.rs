//! A program that connects to us over the network, as contest programs do: a seat listens on a port of its own, and the
//! program that sits there may leave after a game and come back for the next.

use std::fmt;
use std::io;
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::mpsc::{Receiver, RecvTimeoutError, TryRecvError, sync_channel};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use tesuji_protocol::trax::{Command, Response};
use tesuji_search::CancelToken;

use super::transport::{self, EndStatus, Transport, WriteError};
use crate::line_reader::{LineRead, ReceivedLine};
use crate::online::Connection;

/// Lines that may wait to be read.
const QUEUE: usize = 256;
/// How often connections are looked for.
const POLL: Duration = Duration::from_millis(5);
/// The longest team code that is accepted.
const LONGEST_CODE: usize = 32;

/// A port where one program plays.
pub struct NetworkSeat {
    listener: TcpListener,
    /// A connection whose program has told its name.
    waiting: Mutex<Option<NetworkTransport>>,
    /// How long to wait for a connection.
    wait: Duration,
    /// How long the program may take to tell its team code.
    login: Duration,
    /// Whether the program is asked for its team code.
    asks_team: bool,
}

/// Why nobody sits on a seat.
#[derive(Debug, thiserror::Error)]
pub enum SeatError {
    /// No program came.
    #[error("no program connected to {address} within {wait:?}")]
    Nobody {
        /// Where it was waited for.
        address: String,
        /// How long.
        wait: Duration,
    },
    /// The operation was cancelled.
    #[error("cancelled")]
    Cancelled,
    /// The listener failed.
    #[error("no connection can be accepted: {0}")]
    Io(#[from] io::Error),
}

impl NetworkSeat {
    /// Listens on an address; port 0 takes any free port.
    ///
    /// # Errors
    /// The address cannot be used.
    pub fn new(address: SocketAddr, wait: Duration, asks_team: bool) -> io::Result<NetworkSeat> {
        let listener = TcpListener::bind(address)?;
        listener.set_nonblocking(true)?;
        Ok(NetworkSeat { listener, waiting: Mutex::new(None), wait, login: Duration::from_secs(10), asks_team })
    }

    /// The address it listens on.
    ///
    /// # Errors
    /// The system does not tell.
    pub fn address(&self) -> io::Result<SocketAddr> {
        self.listener.local_addr()
    }

    /// Waits until a program is connected, and returns its address and its team code if it was asked for. `refused` is
    /// told about connections that break the protocol.
    ///
    /// # Errors
    /// Nobody came in time, or it was cancelled.
    pub fn greet(
        &self,
        cancel: &CancelToken,
        refused: &mut dyn FnMut(SocketAddr, String),
    ) -> Result<(SocketAddr, Option<String>), SeatError> {
        let until = Instant::now() + self.wait;
        loop {
            if cancel.is_cancelled() {
                return Err(SeatError::Cancelled);
            }
            match self.listener.accept() {
                Ok((stream, peer)) => match self.login(stream, cancel) {
                    Ok((transport, code)) => {
                        *self.waiting.lock().unwrap_or_else(PoisonError::into_inner) = Some(transport);
                        return Ok((peer, code));
                    }
                    Err(reason) => refused(peer, reason),
                },
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => {
                    if Instant::now() >= until {
                        let address =
                            self.address().map_or_else(|_| "the port".to_owned(), |address| address.to_string());
                        return Err(SeatError::Nobody { address, wait: self.wait });
                    }
                    thread::sleep(POLL);
                }
                // The peer may have gone before it was accepted.
                Err(error) if error.kind() == io::ErrorKind::ConnectionAborted => {}
                Err(error) => return Err(error.into()),
            }
        }
    }

    /// The connection of the program that sits here, waiting for one if necessary.
    pub(super) fn connect(&self, cancel: &CancelToken) -> Result<NetworkTransport, SeatError> {
        loop {
            let waiting = self.waiting.lock().unwrap_or_else(PoisonError::into_inner).take();
            if let Some(mut transport) = waiting
                && !transport.has_ended_within(Duration::ZERO)
            {
                return Ok(transport);
            }
            // It left before the game.
            self.greet(cancel, &mut |_, _| {})?;
        }
    }

    /// Asks for the team code.
    fn login(&self, stream: TcpStream, cancel: &CancelToken) -> Result<(NetworkTransport, Option<String>), String> {
        let mut transport = NetworkTransport::new(stream).map_err(|error| error.to_string())?;
        if !self.asks_team {
            return Ok((transport, None));
        }
        let until = Instant::now() + self.login;
        transport.send(&Command::Team).map_err(|_| "it closed the connection".to_owned())?;
        loop {
            let received = transport.receive(until, cancel).map_err(|error| match error {
                RecvTimeoutError::Timeout => "it did not answer -T".to_owned(),
                RecvTimeoutError::Disconnected => "it closed the connection".to_owned(),
            })?;
            let LineRead::Line(bytes) = received.read else { return Err("it sent a line without an end".to_owned()) };
            match Response::parse(bytes) {
                Some(Response::Text(code)) if code.len() <= LONGEST_CODE && code.chars().all(|c| !c.is_control()) => {
                    return Ok((transport, Some(code)));
                }
                Some(_) => return Err("it did not answer -T with a team code".to_owned()),
                None => {}
            }
        }
    }
}

/// A connected program.
pub(super) struct NetworkTransport {
    connection: Connection,
    lines: Receiver<ReceivedLine>,
    /// When the last line was sent.
    sent: Option<Instant>,
    ended: bool,
}

impl NetworkTransport {
    fn new(stream: TcpStream) -> io::Result<NetworkTransport> {
        let (to, lines) = sync_channel(QUEUE);
        // The end of the connection is seen as the end of the queue.
        let connection = Connection::new(stream, move |line| line.is_some_and(|line| to.send(line).is_ok()))?;
        Ok(NetworkTransport { connection, lines, sent: None, ended: false })
    }
}

impl Transport for NetworkTransport {
    fn send(&mut self, line: &dyn fmt::Display) -> Result<(), WriteError> {
        self.connection.send(&line).map_err(|error| match error.kind() {
            io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut => WriteError::Blocked,
            _ => WriteError::Closed,
        })?;
        self.sent = Some(Instant::now());
        Ok(())
    }

    fn written(&self) -> Option<Instant> {
        self.sent
    }

    fn receive(&self, until: Instant, cancel: &CancelToken) -> Result<ReceivedLine, RecvTimeoutError> {
        transport::receive(&self.lines, until, cancel)
    }

    fn try_receive(&self) -> Option<ReceivedLine> {
        self.lines.try_recv().ok()
    }

    fn id(&self) -> Option<u32> {
        None
    }

    fn cpu(&self) -> Option<Duration> {
        None
    }

    fn has_ended_within(&mut self, wait: Duration) -> bool {
        let until = Instant::now() + wait;
        while !self.ended {
            let left = until.saturating_duration_since(Instant::now());
            self.ended = match left.is_zero() {
                true => match self.lines.try_recv() {
                    Ok(_) => continue,
                    Err(TryRecvError::Empty) => return false,
                    Err(TryRecvError::Disconnected) => true,
                },
                false => matches!(self.lines.recv_timeout(left), Err(RecvTimeoutError::Disconnected)),
            };
        }
        true
    }

    fn end(&mut self, _: Duration) -> Option<EndStatus> {
        self.ended = true;
        self.connection.close();
        Some(EndStatus { text: "it closed the connection".to_owned(), success: true })
    }

    fn stderr(&self) -> String {
        String::new()
    }

    fn closed(&self) -> &'static str {
        "it closed the connection"
    }
}
