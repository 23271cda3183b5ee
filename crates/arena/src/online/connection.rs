//! One end of a network connection. A thread reads its lines, so every wait has a timeout.

use std::fmt;
use std::io::{self, Write};
use std::net::{Shutdown, SocketAddr, TcpStream, ToSocketAddrs};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread;
use std::time::Duration;

use tesuji_search::CancelToken;

use crate::line_reader::{ReceivedLine, read_lines};

/// How often cancellation is checked.
const POLL: Duration = Duration::from_millis(20);
/// Timeout of connecting.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(10);
/// The longest part of a line that is reported.
const MAX_SHOWN: usize = 200;
/// Timeout of writing when the peer does not read.
const WRITE_TIMEOUT: Duration = Duration::from_secs(5);

/// One end of a connection; dropping it closes the connection.
#[derive(Debug)]
pub(crate) struct Connection {
    stream: TcpStream,
    peer: SocketAddr,
}

/// Connects to the first address of `host` that answers; `None` when it was cancelled meanwhile.
pub fn open_stream(host: &str, port: u16, cancel: &CancelToken) -> Option<io::Result<TcpStream>> {
    Connection::open(host, port, cancel)
}

impl Connection {
    /// Connects to the first address of `host` that answers; `None` when it was cancelled meanwhile.
    pub(crate) fn open(host: &str, port: u16, cancel: &CancelToken) -> Option<io::Result<TcpStream>> {
        let (sender, receiver) = channel();
        let name = host.to_owned();
        let connect = move || {
            // Nobody waits for it any more when it was cancelled.
            let _ = sender.send(Connection::connect(&name, port));
        };
        if let Err(error) = thread::Builder::new().name("connect".to_owned()).spawn(connect) {
            return Some(Err(error));
        }
        while !cancel.is_cancelled() {
            match receiver.recv_timeout(POLL) {
                Ok(stream) => return Some(stream),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return Some(Err(io::ErrorKind::NotConnected.into())),
            }
        }
        None
    }

    fn connect(host: &str, port: u16) -> io::Result<TcpStream> {
        let mut last = io::Error::new(io::ErrorKind::NotFound, "there is no such host");
        for address in (host, port).to_socket_addrs()? {
            match TcpStream::connect_timeout(&address, CONNECT_TIMEOUT) {
                Ok(stream) => return Ok(stream),
                Err(error) => last = error,
            }
        }
        Err(last)
    }

    /// Starts to read: `sink` gets every line, then `None` for the end. Reading stops when it returns `false`.
    pub(crate) fn new(
        stream: TcpStream,
        mut sink: impl FnMut(Option<ReceivedLine>) -> bool + Send + 'static,
    ) -> io::Result<Connection> {
        stream.set_nodelay(true)?;
        stream.set_nonblocking(false)?;
        stream.set_write_timeout(Some(WRITE_TIMEOUT))?;
        let peer = stream.peer_addr()?;
        let reading = stream.try_clone()?;
        thread::Builder::new().name("network reader".to_owned()).spawn(move || {
            read_lines(reading, |line| sink(Some(line)));
            sink(None);
        })?;
        Ok(Connection { stream, peer })
    }

    /// Sends a line. After an error the connection is unusable.
    pub(crate) fn send(&mut self, line: &impl fmt::Display) -> io::Result<()> {
        // One write, so the line travels in one piece.
        self.stream.write_all(format!("{line}\n").as_bytes())
    }

    /// The address of the peer.
    pub(crate) fn peer(&self) -> SocketAddr {
        self.peer
    }

    /// Closes the connection; lines sent before still arrive.
    pub(crate) fn close(&self) {
        // It may be closed already.
        let _ = self.stream.shutdown(Shutdown::Both);
    }
}

impl Drop for Connection {
    fn drop(&mut self) {
        self.close();
    }
}

/// A line as it can be reported: truncated, without control characters.
pub(crate) fn shown(bytes: &[u8]) -> String {
    let text = String::from_utf8_lossy(&bytes[..bytes.len().min(MAX_SHOWN)]);
    let text: String = text.trim_end().chars().map(|c| if c.is_control() { '.' } else { c }).collect();
    if bytes.len() > MAX_SHOWN { text + "…" } else { text }
}
