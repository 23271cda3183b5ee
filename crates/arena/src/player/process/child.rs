//! A running program. A thread per pipe gives every wait a deadline, and dropping the value kills the program.

use std::fmt;
use std::io::{self, Write};
use std::process::{ChildStdin, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, TrySendError, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use tesuji_search::CancelToken;

use super::group;
use super::program::ExternalProgram;
use super::transport::{self, EndStatus, Transport, WriteError};
use crate::line_reader::{OutputTail, ReceivedLine, read_lines};

/// Lines that may be queued in each direction.
const QUEUE: usize = 256;
/// How long a killed process may take to disappear.
const KILL_TIMEOUT: Duration = Duration::from_secs(2);

/// How many lines were written to a program, and when the last one was.
type Written = Arc<Mutex<(u64, Option<Instant>)>>;

/// A running program.
pub(super) struct ChildProcess {
    process: std::process::Child,
    to: Option<SyncSender<Vec<u8>>>,
    /// The number of lines that were queued for it.
    queued: u64,
    written: Written,
    from: Receiver<ReceivedLine>,
    stderr_tail: OutputTail,
    threads: Vec<JoinHandle<()>>,
    /// Its exit status, once it was waited for.
    status: Option<ExitStatus>,
}

impl ChildProcess {
    /// Starts a program.
    pub(super) fn start(program: &ExternalProgram) -> io::Result<ChildProcess> {
        let Some((file, arguments)) = program.command.split_first() else {
            return Err(io::Error::new(io::ErrorKind::InvalidInput, "the command is empty"));
        };
        let mut command = Command::new(file);
        command.args(arguments).envs(program.environment.iter().map(|(name, value)| (name, value)));
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        if let Some(dir) = &program.dir {
            command.current_dir(dir);
        }
        group::lead_group(&mut command);
        let mut process = command.spawn()?;
        let (to, lines) = sync_channel(QUEUE);
        let (received, from) = sync_channel(QUEUE);
        let stderr_tail = OutputTail::default();
        let (input, output, errors) = (process.stdin.take(), process.stdout.take(), process.stderr.take());
        let written = Written::default();
        let (to, threads, status) = (Some(to), Vec::new(), None);
        let mut child =
            ChildProcess { process, to, queued: 0, written: written.clone(), from, stderr_tail, threads, status };
        if let Some(input) = input {
            child.threads.push(spawn("player stdin", move || write(input, &lines, &written))?);
        }
        if let Some(output) = output {
            child.threads.push(spawn("player stdout", move || {
                read_lines(output, |line| received.send(line).is_ok());
            })?);
        }
        if let Some(errors) = errors {
            let stderr_tail = child.stderr_tail.clone();
            child.threads.push(spawn("player stderr", move || stderr_tail.follow(errors))?);
        }
        Ok(child)
    }

    /// Waits for a killed process and its threads. Threads whose pipe an escaped descendant holds open are abandoned.
    fn reap(&mut self) -> Option<ExitStatus> {
        // Unblocks a reader that waits for room in the queue.
        self.from = sync_channel(0).1;
        let until = Instant::now() + KILL_TIMEOUT;
        let mut pause = Duration::from_micros(100);
        let mut status = None;
        loop {
            status = status.or_else(|| self.process.try_wait().ok().flatten());
            let (over, running): (Vec<_>, Vec<_>) = self.threads.drain(..).partition(JoinHandle::is_finished);
            over.into_iter().for_each(|thread| drop(thread.join()));
            self.threads = running;
            if (status.is_some() && self.threads.is_empty()) || Instant::now() > until {
                return status;
            }
            thread::sleep(pause);
            pause = (pause * 2).min(Duration::from_millis(20));
        }
    }
}

impl Transport for ChildProcess {
    fn send(&mut self, line: &dyn fmt::Display) -> Result<(), WriteError> {
        let Some(to) = &self.to else { return Err(WriteError::Closed) };
        to.try_send(format!("{line}\n").into_bytes()).map_err(|error| match error {
            TrySendError::Full(_) => WriteError::Blocked,
            TrySendError::Disconnected(_) => WriteError::Closed,
        })?;
        self.queued += 1;
        Ok(())
    }

    fn written(&self) -> Option<Instant> {
        let (lines, at) = *self.written.lock().unwrap_or_else(PoisonError::into_inner);
        at.filter(|_| lines == self.queued)
    }

    fn receive(&self, until: Instant, cancel: &CancelToken) -> Result<ReceivedLine, RecvTimeoutError> {
        transport::receive(&self.from, until, cancel)
    }

    fn try_receive(&self) -> Option<ReceivedLine> {
        self.from.try_recv().ok()
    }

    fn id(&self) -> Option<u32> {
        Some(self.process.id())
    }

    fn cpu(&self) -> Option<Duration> {
        if self.status.is_some() { None } else { group::cpu(&self.process) }
    }

    /// Closes its input, waits up to `grace`, kills its process group and reaps it.
    fn end(&mut self, grace: Duration) -> Option<EndStatus> {
        if self.status.is_none() {
            self.to = None;
            self.has_ended_within(grace);
            group::kill(&mut self.process);
            self.status = self.reap();
        }
        self.status.map(|status| EndStatus { text: status.to_string(), success: status.success() })
    }

    fn has_ended_within(&mut self, wait: Duration) -> bool {
        let until = Instant::now() + wait;
        let mut pause = Duration::from_millis(1);
        while self.status.is_none() && !group::has_ended(&mut self.process) {
            if Instant::now() >= until {
                return false;
            }
            // Its output must be consumed, or both sides might wait for each other.
            match self.from.recv_timeout(pause) {
                Ok(_) => continue,
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => thread::sleep(pause),
            }
            pause = (pause * 2).min(Duration::from_millis(20));
        }
        true
    }

    /// The last lines of its standard error.
    fn stderr(&self) -> String {
        self.stderr_tail.text()
    }

    fn closed(&self) -> &'static str {
        "it closed its pipe"
    }
}

impl Drop for ChildProcess {
    fn drop(&mut self) {
        self.end(Duration::ZERO);
    }
}

fn spawn(name: &str, work: impl FnOnce() + Send + 'static) -> io::Result<JoinHandle<()>> {
    thread::Builder::new().name(name.to_owned()).spawn(work)
}

/// Writes queued lines until the queue or the pipe is closed, then closes the pipe.
fn write(mut input: ChildStdin, lines: &Receiver<Vec<u8>>, written: &Written) {
    for line in lines {
        // Before the program can read it, so that the time of an answer is known when the answer comes.
        let mut last = written.lock().unwrap_or_else(PoisonError::into_inner);
        *last = (last.0 + 1, Some(Instant::now()));
        drop(last);
        if input.write_all(&line).and_then(|()| input.flush()).is_err() {
            return;
        }
    }
}
