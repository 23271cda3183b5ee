//! Connections between processes: how they are made, and what happens when one is lost.
//!
//! Timely gets connections that are already made, so a process waits for the others only as long as it should. When a
//! connection is lost, the thread that notices it wakes the workers by way of [`Watch`] and then waits until they have
//! ended: no panic spreads, and the process can say what happened.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::{Shutdown, TcpListener, TcpStream, ToSocketAddrs};
use std::sync::{Arc, Condvar, Mutex, MutexGuard};
use std::thread;
use std::time::{Duration, Instant};

use tesuji_task::CancelToken;
use timely::communication::allocator::zero_copy::stream::Stream;

use crate::cluster::Cluster;
use crate::error::DataflowError;

/// Between two attempts to connect.
const RETRY: Duration = Duration::from_millis(100);
/// How long a stranger may take to say who it is.
const GREETING: Duration = Duration::from_secs(5);
/// The longest first line of a connection.
const LINE: u64 = 1024;
/// Silence after which the system asks whether the other machine is still there, the interval, and the number of questions.
#[cfg(unix)]
const PROBE: (Duration, Duration, u32) = (Duration::from_secs(20), Duration::from_secs(10), 4);
/// How long sent data may stay unconfirmed.
#[cfg(target_os = "linux")]
const UNCONFIRMED: Duration = Duration::from_secs(60);

/// What the threads of a process know of its end.
#[derive(Default)]
pub(crate) struct Watch {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Default)]
struct State {
    /// The process that was lost first.
    lost: Option<usize>,
    /// A worker of this process failed.
    failed: bool,
    /// All workers of all processes have done their work.
    finished: bool,
    /// The workers of this process have ended.
    released: bool,
}

impl Watch {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(|broken| broken.into_inner())
    }

    fn change(&self, change: impl FnOnce(&mut State)) {
        change(&mut self.state());
        self.changed.notify_all();
    }

    /// Notes a worker that fails, so that the others of this process end too.
    pub(crate) fn fail(&self) {
        self.change(|state| state.failed = true);
    }

    /// From now on the other processes may end.
    pub(crate) fn finish(&self) {
        self.change(|state| state.finished = true);
    }

    /// The workers have ended: threads that wait for that end too.
    pub(crate) fn release(&self) {
        self.change(|state| state.released = true);
    }

    /// The lost process, or an error elsewhere in this one.
    pub(crate) fn check(&self, cluster: &Cluster) -> Result<(), DataflowError> {
        let state = self.state();
        match state.lost {
            Some(process) => Err(DataflowError::Lost { process, address: cluster.address(process) }),
            None if state.failed => Err(DataflowError::Elsewhere),
            None => Ok(()),
        }
    }

    fn lose(&self, process: usize) {
        self.change(|state| state.lost = state.lost.or(Some(process)));
    }

    fn is_finished(&self) -> bool {
        self.state().finished
    }

    fn await_release(&self) {
        let mut state = self.state();
        while !state.released {
            state = self.changed.wait(state).unwrap_or_else(|broken| broken.into_inner());
        }
    }
}

/// A connection to another process.
pub(crate) struct Link {
    stream: TcpStream,
    /// The other process.
    process: usize,
    watch: Arc<Watch>,
}

impl Read for Link {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            match self.stream.read(buffer) {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Ok(0) | Err(_) if !self.watch.is_finished() => {
                    self.watch.lose(self.process);
                    self.watch.await_release();
                    // Ends this thread without the message of a panic: the workers tell what happened.
                    std::panic::resume_unwind(Box::new("connection lost"));
                }
                other => return other,
            }
        }
    }
}

impl Write for Link {
    /// What cannot be sent is dropped: the run ends.
    fn write(&mut self, buffer: &[u8]) -> io::Result<usize> {
        match self.stream.write(buffer) {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => Err(error),
            Err(_) => {
                if !self.watch.is_finished() {
                    self.watch.lose(self.process);
                }
                Ok(buffer.len())
            }
            other => other,
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Stream for Link {
    fn try_clone(&self) -> io::Result<Link> {
        Ok(Link { stream: self.stream.try_clone()?, process: self.process, watch: Arc::clone(&self.watch) })
    }

    fn set_nonblocking(&self, nonblocking: bool) -> io::Result<()> {
        self.stream.set_nonblocking(nonblocking)
    }

    fn shutdown(&self, how: Shutdown) -> io::Result<()> {
        // A connection that is gone needs no shutdown.
        let _ = self.stream.shutdown(how);
        Ok(())
    }
}

/// Connects this process with all others, in the order of their numbers. Each pair exchanges a line that says which
/// process it is and what it runs.
pub(crate) fn connect(
    cluster: &Cluster,
    run: &str,
    watch: &Arc<Watch>,
    cancel: &CancelToken,
) -> Result<Vec<Option<Link>>, DataflowError> {
    let me = cluster.process;
    let listen = |source| DataflowError::Listen { process: me, address: cluster.address(me), source };
    let listener = TcpListener::bind(&*cluster.address(me)).map_err(listen)?;
    listener.set_nonblocking(true).map_err(DataflowError::Connection)?;
    let deadline = Instant::now() + cluster.wait;
    let mut links: Vec<Option<TcpStream>> = (0..cluster.processes()).map(|_| None).collect();
    let mut why = vec!["it did not connect".to_owned(); links.len()];
    // Processes connect to those before them, and are connected to by those after them.
    loop {
        for process in (0..me).filter(|&process| links[process].is_none()).collect::<Vec<_>>() {
            match call(&cluster.address(process)).and_then(|stream| greet(stream, me, run)) {
                Ok((stream, found)) => links[admit(cluster, &found, run, Some(process))?] = Some(stream),
                Err(error) => why[process] = error.to_string(),
            }
        }
        while let Ok((stream, _)) = listener.accept() {
            // A peer that does not greet as a process of ours is refused.
            if let Ok((stream, found)) = greet(stream, me, run) {
                links[admit(cluster, &found, run, None)?] = Some(stream);
            }
        }
        let absent = (0..links.len()).find(|&process| process != me && links[process].is_none());
        let Some(process) = absent else { break };
        if cancel.is_cancelled() {
            return Err(DataflowError::Cancelled);
        }
        if Instant::now() >= deadline {
            let (address, seconds) = (cluster.address(process), cluster.wait.as_secs());
            return Err(DataflowError::Absent { process, address, seconds, why: std::mem::take(&mut why[process]) });
        }
        thread::sleep(RETRY);
    }
    let link = |(process, stream): (usize, Option<TcpStream>)| {
        stream.map(|stream| Link { stream, process, watch: Arc::clone(watch) })
    };
    Ok(links.into_iter().enumerate().map(link).collect())
}

fn call(address: &str) -> io::Result<TcpStream> {
    let mut last = io::Error::new(io::ErrorKind::NotFound, "the name has no address");
    for address in address.to_socket_addrs()? {
        match TcpStream::connect_timeout(&address, GREETING) {
            Ok(stream) => return Ok(stream),
            Err(error) => last = error,
        }
    }
    Err(last)
}

/// Before what is run, in the first line of a connection.
const HELLO: &str = "tesuji-dataflow 1 process ";

/// Exchanges first lines, and returns that of the other side without its beginning.
fn greet(stream: TcpStream, me: usize, run: &str) -> io::Result<(TcpStream, String)> {
    stream.set_nonblocking(false)?;
    stream.set_nodelay(true)?;
    stream.set_read_timeout(Some(GREETING))?;
    keep_alive(&stream)?;
    (&stream).write_all(format!("{HELLO}{me} {run}\n").as_bytes())?;
    let mut line = Vec::new();
    // One byte at a time: what follows the line belongs to timely.
    BufReader::with_capacity(1, (&stream).take(LINE)).read_until(b'\n', &mut line)?;
    stream.set_read_timeout(None)?;
    let line = String::from_utf8_lossy(&line);
    let found = line.strip_prefix(HELLO).and_then(|line| line.strip_suffix('\n'));
    let stranger = || io::Error::new(io::ErrorKind::InvalidData, "something else answers there");
    Ok((stream, found.ok_or_else(stranger)?.to_owned()))
}

/// The number of the process that greeted, if it belongs to this run.
fn admit(cluster: &Cluster, greeting: &str, run: &str, called: Option<usize>) -> Result<usize, DataflowError> {
    let (number, found) = greeting.split_once(' ').unwrap_or((greeting, ""));
    let number = number.parse().ok().filter(|&number| match called {
        Some(process) => number == process,
        None => number > cluster.process && number < cluster.processes(),
    });
    if let Some(number) = number
        && found == run
    {
        return Ok(number);
    }
    let process = number.or(called).unwrap_or_default();
    let (found, expected) = (greeting.to_owned(), format!("{process} {run}"));
    Err(DataflowError::Other { process, address: cluster.address(process), found, expected })
}

/// Lets the system find out when the other machine is gone without a word.
#[cfg(unix)]
fn keep_alive(stream: &TcpStream) -> io::Result<()> {
    use rustix::net::sockopt;
    let (idle, interval, count) = PROBE;
    sockopt::set_socket_keepalive(stream, true)?;
    sockopt::set_tcp_keepidle(stream, idle)?;
    sockopt::set_tcp_keepintvl(stream, interval)?;
    sockopt::set_tcp_keepcnt(stream, count)?;
    #[cfg(target_os = "linux")]
    sockopt::set_tcp_user_timeout(stream, UNCONFIRMED.as_millis() as u32)?;
    Ok(())
}

#[cfg(not(unix))]
fn keep_alive(_: &TcpStream) -> io::Result<()> {
    Ok(())
}
