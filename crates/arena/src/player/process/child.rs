//! A running program: its pipes, each with a thread so that nobody waits for it longer than he wants to, and
//! its end, which comes with this value at the latest.

use std::fmt;
use std::io::{self, Write};
use std::process::{ChildStdin, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, TrySendError, sync_channel};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use tesuji_search::CancelToken;

use super::group;
use super::program::Program;
use crate::lines::{Heard, Tail, pass_on};

/// Lines that may wait to be written, and to be read.
const WAITING: usize = 256;
/// How soon it is noticed that nobody waits any more.
const GLANCE: Duration = Duration::from_millis(20);
/// How long the traces of a killed process may take to vanish.
const VANISHING: Duration = Duration::from_secs(2);

/// A running program.
pub(super) struct Child {
    process: std::process::Child,
    to: Option<SyncSender<Vec<u8>>>,
    from: Receiver<Heard>,
    said: Tail,
    threads: Vec<JoinHandle<()>>,
    /// How it ended, once it was waited for.
    status: Option<ExitStatus>,
}

/// Why nothing could be said to it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Deaf {
    /// It has closed its input.
    Closed,
    /// It does not read.
    Idle,
}

impl Child {
    /// Starts a program.
    pub(super) fn start(program: &Program) -> io::Result<Child> {
        let Some((file, arguments)) = program.command.split_first() else {
            return Err(io::Error::new(io::ErrorKind::InvalidInput, "there is no command"));
        };
        let mut command = Command::new(file);
        command.args(arguments).envs(program.environment.iter().map(|(name, value)| (name, value)));
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        if let Some(dir) = &program.dir {
            command.current_dir(dir);
        }
        group::found(&mut command);
        let mut process = command.spawn()?;
        let (to, lines) = sync_channel(WAITING);
        let (heard, from) = sync_channel(WAITING);
        let said = Tail::default();
        let (input, output, errors) = (process.stdin.take(), process.stdout.take(), process.stderr.take());
        let mut child = Child { process, to: Some(to), from, said, threads: Vec::new(), status: None };
        if let Some(input) = input {
            child.threads.push(named("to a player", move || write(input, &lines))?);
        }
        if let Some(output) = output {
            child.threads.push(named("from a player", move || {
                pass_on(output, |line| heard.send(line).is_ok());
            })?);
        }
        if let Some(errors) = errors {
            let said = child.said.clone();
            child.threads.push(named("complaints of a player", move || said.follow(errors))?);
        }
        Ok(child)
    }

    /// Hands a line over to be written; does not wait until it is.
    pub(super) fn say(&self, line: &impl fmt::Display) -> Result<(), Deaf> {
        let Some(to) = &self.to else { return Err(Deaf::Closed) };
        to.try_send(format!("{line}\n").into_bytes()).map_err(|error| match error {
            TrySendError::Full(_) => Deaf::Idle,
            TrySendError::Disconnected(_) => Deaf::Closed,
        })
    }

    /// The next line, if it was read before `until`.
    pub(super) fn hear(&self, until: Instant, stop: &CancelToken) -> Result<Heard, RecvTimeoutError> {
        let heard = loop {
            let left = until.saturating_duration_since(Instant::now());
            match self.from.recv_timeout(left.min(GLANCE)) {
                Err(RecvTimeoutError::Timeout) if left <= GLANCE || stop.is_cancelled() => {
                    // It may have been read in time and only waited for us.
                    break self.from.try_recv().map_err(|_| RecvTimeoutError::Timeout)?;
                }
                Err(RecvTimeoutError::Timeout) => {}
                heard => break heard?,
            }
        };
        if heard.at > until { Err(RecvTimeoutError::Timeout) } else { Ok(heard) }
    }

    /// A line that has been read already.
    pub(super) fn overhear(&self) -> Option<Heard> {
        self.from.try_recv().ok()
    }

    /// The number of the process.
    pub(super) fn id(&self) -> u32 {
        self.process.id()
    }

    /// The CPU time it has used.
    pub(super) fn cpu(&self) -> Option<Duration> {
        if self.status.is_some() { None } else { group::cpu(&self.process) }
    }

    /// Ends it: closes its input, waits as long as `grace`, kills what is left of it and its children, and
    /// waits until nothing remains. The status tells how it ended; none if even killing did not help.
    pub(super) fn end(&mut self, grace: Duration) -> Option<ExitStatus> {
        if self.status.is_some() {
            return self.status;
        }
        self.to = None;
        self.has_ended_within(grace);
        group::kill(&mut self.process);
        self.status = self.vanish();
        self.status
    }

    /// Waits for it to end by itself; says whether it did.
    pub(super) fn has_ended_within(&mut self, wait: Duration) -> bool {
        let until = Instant::now() + wait;
        let mut pause = Duration::from_millis(1);
        while self.status.is_none() && !group::has_ended(&mut self.process) {
            if Instant::now() >= until {
                return false;
            }
            // What it still says must go somewhere, or it might wait for us while we wait for it.
            match self.from.recv_timeout(pause) {
                Ok(_) => continue,
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => thread::sleep(pause),
            }
            pause = (pause * 2).min(Duration::from_millis(20));
        }
        true
    }

    /// Waits for a killed process and its threads; gives up on those that something escaped holds on to.
    fn vanish(&mut self) -> Option<ExitStatus> {
        // A reader that waits for us to take a line must find that nobody will.
        self.from = sync_channel(0).1;
        let until = Instant::now() + VANISHING;
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

    /// The last it said to its standard error.
    pub(super) fn complaints(&self) -> String {
        self.said.text()
    }
}

impl Drop for Child {
    fn drop(&mut self) {
        self.end(Duration::ZERO);
    }
}

fn named(name: &str, work: impl FnOnce() + Send + 'static) -> io::Result<JoinHandle<()>> {
    thread::Builder::new().name(name.to_owned()).spawn(work)
}

/// Writes what it is given until there is no more; then, or when the other end is closed, it closes this one.
fn write(mut input: ChildStdin, lines: &Receiver<Vec<u8>>) {
    for line in lines {
        if input.write_all(&line).and_then(|()| input.flush()).is_err() {
            return;
        }
    }
}
