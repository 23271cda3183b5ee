//! One end of a connection: a socket whose lines are read by a thread of its own, so that nobody waits for
//! them longer than he wants to.

use std::fmt;
use std::io::{self, Write};
use std::net::{Shutdown, SocketAddr, TcpStream, ToSocketAddrs};
use std::thread;
use std::time::Duration;

use crate::lines::{Heard, pass_on};

/// How long a connection may take to come about.
const CONNECTING: Duration = Duration::from_secs(10);
/// How long the other end may leave what we say unread when its buffers are full.
const WRITING: Duration = Duration::from_secs(5);

/// One end of a connection; it is closed with this value.
#[derive(Debug)]
pub(super) struct Wire {
    stream: TcpStream,
    peer: SocketAddr,
}

impl Wire {
    /// Connects to the first address of `host` that answers.
    pub(super) fn connect(host: &str, port: u16) -> io::Result<TcpStream> {
        let mut last = io::Error::new(io::ErrorKind::NotFound, "there is no such host");
        for address in (host, port).to_socket_addrs()? {
            match TcpStream::connect_timeout(&address, CONNECTING) {
                Ok(stream) => return Ok(stream),
                Err(error) => last = error,
            }
        }
        Err(last)
    }

    /// Begins to read: `tell` hears every line, then once nothing for the end; when it says no, nothing more
    /// is read.
    pub(super) fn new(
        stream: TcpStream,
        mut tell: impl FnMut(Option<Heard>) -> bool + Send + 'static,
    ) -> io::Result<Wire> {
        stream.set_nodelay(true)?;
        stream.set_nonblocking(false)?;
        stream.set_write_timeout(Some(WRITING))?;
        let peer = stream.peer_addr()?;
        let reading = stream.try_clone()?;
        thread::Builder::new().name("from the net".to_owned()).spawn(move || {
            pass_on(reading, |heard| tell(Some(heard)));
            tell(None);
        })?;
        Ok(Wire { stream, peer })
    }

    /// Says a line. After a failure, or a line that was only half written, the connection is of no use.
    pub(super) fn say(&mut self, line: &impl fmt::Display) -> io::Result<()> {
        // One write, so that the line travels in one piece.
        self.stream.write_all(format!("{line}\n").as_bytes())
    }

    /// Who is at the other end.
    pub(super) fn peer(&self) -> SocketAddr {
        self.peer
    }

    /// Ends the connection; what was said before still arrives.
    pub(super) fn close(&self) {
        // It may be closed already.
        let _ = self.stream.shutdown(Shutdown::Both);
    }
}

impl Drop for Wire {
    fn drop(&mut self) {
        self.close();
    }
}
