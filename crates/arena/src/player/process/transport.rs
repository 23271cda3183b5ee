//! How lines reach a program and come back: through the pipes of a child process, or over a network connection.

use std::fmt;
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::time::{Duration, Instant};

use tesuji_search::CancelToken;

use crate::line_reader::ReceivedLine;

/// How often cancellation is checked.
const POLL: Duration = Duration::from_millis(20);

/// Why a line could not be sent.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum WriteError {
    /// Its input is closed.
    Closed,
    /// Its input queue is full.
    Blocked,
}

/// How a program ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct EndStatus {
    /// In words: `exit status: 1`.
    pub(super) text: String,
    /// Whether it ended without an error.
    pub(super) success: bool,
}

/// The lines of a running program.
pub(super) trait Transport: Send {
    /// Sends a line, which has no end.
    fn send(&mut self, line: &dyn fmt::Display) -> Result<(), WriteError>;

    /// When the last line that was sent reached the program; `None` while it is queued.
    fn written(&self) -> Option<Instant>;

    /// The next line, if it was read before `until`.
    fn receive(&self, until: Instant, cancel: &CancelToken) -> Result<ReceivedLine, RecvTimeoutError>;

    /// A line that has already arrived.
    fn try_receive(&self) -> Option<ReceivedLine>;

    /// The process id, of a process of this machine.
    fn id(&self) -> Option<u32>;

    /// The CPU time it has used, where that is known.
    fn cpu(&self) -> Option<Duration>;

    /// Waits for the program to end by itself; whether it did. Its output is discarded meanwhile.
    fn has_ended_within(&mut self, wait: Duration) -> bool;

    /// Ends the program, after `grace` by force. `None` if that is not possible.
    fn end(&mut self, grace: Duration) -> Option<EndStatus>;

    /// The last words of the program beside the protocol.
    fn stderr(&self) -> String;

    /// What it means that the program is running although nothing comes from it any more.
    fn closed(&self) -> &'static str;
}

/// The next line of a queue, if it was read before `until`.
pub(super) fn receive(
    from: &Receiver<ReceivedLine>,
    until: Instant,
    cancel: &CancelToken,
) -> Result<ReceivedLine, RecvTimeoutError> {
    let received = loop {
        let left = until.saturating_duration_since(Instant::now());
        match from.recv_timeout(left.min(POLL)) {
            Err(RecvTimeoutError::Timeout) if left <= POLL || cancel.is_cancelled() => {
                // It may have been read in time and still be queued.
                break from.try_recv().map_err(|_| RecvTimeoutError::Timeout)?;
            }
            Err(RecvTimeoutError::Timeout) => {}
            received => break received?,
        }
    };
    if received.at > until { Err(RecvTimeoutError::Timeout) } else { Ok(received) }
}
