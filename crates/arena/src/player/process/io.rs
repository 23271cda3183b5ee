//! Line input and output of a running program. Every wait has a deadline, and the output per turn is bounded.

use std::fmt;
use std::sync::mpsc::RecvTimeoutError;
use std::time::{Duration, Instant};

use tesuji_search::CancelToken;

use super::program::Timeouts;
use super::transport::{Transport, WriteError};
use crate::line_reader::{LineRead, MAX_LINE, ReceivedLine};

/// The most lines and bytes that a program may send in one turn.
const MAX_LINES: usize = 100_000;
const MAX_BYTES: usize = 8 << 20;
/// The most oddities that are kept, and the characters of each.
const MAX_ODDITIES: usize = 64;
const MAX_CHARS: usize = 200;

/// A program that has not got its request after this time does not read its input.
const MAX_WRITE_DELAY: Duration = Duration::from_secs(1);

/// Why a dialogue with a program failed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum DialogueError {
    /// No line arrived in time.
    Late,
    /// The program ended or closed a pipe.
    Ended,
    /// It sent an invalid line or too much, or does not read.
    Protocol(String),
    /// Its answer is not a legal move.
    Illegal { text: String, message: String },
    /// Its protocol cannot express this game.
    Unable(String),
}

/// A line, and when it was read.
pub(super) struct OutputLine {
    pub(super) at: Instant,
    pub(super) bytes: Vec<u8>,
}

/// The input and output of a program.
pub(super) struct EngineIo {
    pub(super) program: Box<dyn Transport>,
    pub(super) timeouts: Timeouts,
    /// The name the program reports.
    pub(super) name: Option<String>,
    /// Cancelled when the answer is no longer needed.
    cancel: CancelToken,
    lines: usize,
    bytes: usize,
    oddities: Vec<String>,
}

impl EngineIo {
    pub(super) fn new(program: Box<dyn Transport>, timeouts: Timeouts) -> EngineIo {
        EngineIo { program, timeouts, name: None, cancel: CancelToken::new(), lines: 0, bytes: 0, oddities: Vec::new() }
    }

    /// Starts a new turn with a new output budget.
    pub(super) fn start_turn(&mut self, cancel: &CancelToken) {
        self.cancel = cancel.clone();
        (self.lines, self.bytes) = (0, 0);
    }

    /// Sends a line and returns the time.
    pub(super) fn send(&mut self, line: impl fmt::Display) -> Result<Instant, DialogueError> {
        let at = Instant::now();
        match self.program.send(&line) {
            Ok(()) => Ok(at),
            Err(WriteError::Closed) => Err(DialogueError::Ended),
            Err(WriteError::Blocked) => Err(DialogueError::Protocol("it does not read its input".to_owned())),
        }
    }

    /// The next line, read before `until`.
    pub(super) fn receive(&mut self, until: Instant) -> Result<OutputLine, DialogueError> {
        let received = self.program.receive(until, &self.cancel).map_err(|error| match error {
            RecvTimeoutError::Timeout => DialogueError::Late,
            RecvTimeoutError::Disconnected => DialogueError::Ended,
        })?;
        self.checked(received)
    }

    /// The next line after a request that was sent at `asked`, for which the program has the time `wait`.
    pub(super) fn receive_answer(&mut self, asked: Instant, wait: Duration) -> Result<OutputLine, DialogueError> {
        loop {
            let until = self.clock_start(asked) + wait;
            match self.receive(until) {
                // The request was written later than it was known before.
                Err(DialogueError::Late) if !self.cancel.is_cancelled() && self.clock_start(asked) + wait > until => {}
                received => return received,
            }
        }
    }

    /// When the clock of the program begins to run: when a request that was sent at `asked` was written to it. On a busy
    /// machine our own thread may be late, which is not the program's fault.
    fn clock_start(&self, asked: Instant) -> Instant {
        self.program.written().unwrap_or_else(Instant::now).clamp(asked, asked + MAX_WRITE_DELAY)
    }

    /// The time from a request that was sent at `asked` to its answer.
    pub(super) fn used(&self, asked: Instant, answered: Instant) -> Duration {
        answered.saturating_duration_since(self.clock_start(asked))
    }

    /// Checks a line and the output budget.
    fn checked(&mut self, received: ReceivedLine) -> Result<OutputLine, DialogueError> {
        let LineRead::Line(bytes) = received.read else {
            return Err(DialogueError::Protocol(format!("a line of more than {MAX_LINE} bytes")));
        };
        self.lines += 1;
        self.bytes += bytes.len();
        if self.lines > MAX_LINES || self.bytes > MAX_BYTES {
            let message = format!("{} lines and {} bytes in one turn", self.lines, self.bytes);
            return Err(DialogueError::Protocol(message));
        }
        // Text for humans may have any encoding; these bytes appear in no text.
        if bytes.iter().any(|&byte| byte < b' ' && !matches!(byte, b'\t' | b'\r' | 0x1b)) {
            return Err(DialogueError::Protocol(format!("bytes that are not text: {}", printable(&bytes))));
        }
        Ok(OutputLine { at: received.at, bytes })
    }

    /// Handles lines that arrived outside of a request.
    pub(super) fn receive_pending(&mut self, mut each: impl FnMut(&mut EngineIo, &[u8])) -> Result<(), DialogueError> {
        while let Some(received) = self.program.try_receive() {
            let line = self.checked(received)?;
            each(self, &line.bytes);
        }
        Ok(())
    }

    /// Records a protocol oddity.
    pub(super) fn add_oddity(&mut self, what: &str, line: &[u8]) {
        if self.oddities.len() < MAX_ODDITIES {
            self.oddities.push(format!("{what}: {}", printable(line)));
        }
    }

    /// Takes the oddities recorded so far.
    pub(super) fn oddities(&mut self) -> Vec<String> {
        std::mem::take(&mut self.oddities)
    }
}

/// A line as it can be printed: escaped and truncated.
pub(super) fn printable(line: &[u8]) -> String {
    let line = String::from_utf8_lossy(&line[..line.len().min(4 * MAX_CHARS)]);
    let mut text: String = line.trim().escape_debug().take(MAX_CHARS + 1).collect();
    if text.chars().count() > MAX_CHARS {
        text.pop();
        text.push('…');
    }
    text
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;

    use super::super::transport::EndStatus;
    use super::*;

    /// A program whose request is written late. Times are milliseconds from `start`; no time passes.
    struct LatelyWritten {
        start: Instant,
        /// When the request was written, as it is known at each further wait for a line.
        written: Mutex<Vec<Option<u64>>>,
        /// When the answer is read.
        answer: u64,
    }

    impl LatelyWritten {
        fn at(&self, millis: u64) -> Instant {
            self.start + Duration::from_millis(millis)
        }
    }

    impl Transport for LatelyWritten {
        fn send(&mut self, _: &dyn fmt::Display) -> Result<(), WriteError> {
            Ok(())
        }

        fn written(&self) -> Option<Instant> {
            self.written.lock().unwrap()[0].map(|millis| self.at(millis))
        }

        fn receive(&self, until: Instant, _: &CancelToken) -> Result<ReceivedLine, RecvTimeoutError> {
            let mut written = self.written.lock().unwrap();
            if written.len() > 1 {
                written.remove(0);
            }
            let at = self.at(self.answer);
            if at > until {
                return Err(RecvTimeoutError::Timeout);
            }
            Ok(ReceivedLine { at, read: LineRead::Line(b"bestmove 7g7f".to_vec()) })
        }

        fn try_receive(&self) -> Option<ReceivedLine> {
            None
        }

        fn id(&self) -> Option<u32> {
            None
        }

        fn cpu(&self) -> Option<Duration> {
            None
        }

        fn has_ended_within(&mut self, _: Duration) -> bool {
            false
        }

        fn end(&mut self, _: Duration) -> Option<EndStatus> {
            None
        }

        fn stderr(&self) -> String {
            String::new()
        }

        fn closed(&self) -> &'static str {
            ""
        }
    }

    /// The time of an answer that has 100 ms.
    fn answered(written: &[Option<u64>], answer: u64) -> Option<u128> {
        let asked = Instant::now();
        let program = LatelyWritten { start: asked, written: Mutex::new(written.to_vec()), answer };
        let second = Duration::from_secs(1);
        let timeouts = Timeouts { start: second, game: second, ping: second, ..Timeouts::default() };
        let mut io = EngineIo::new(Box::new(program), timeouts);
        let line = io.receive_answer(asked, Duration::from_millis(100)).ok()?;
        Some(io.used(asked, line.at).as_millis())
    }

    #[test]
    fn the_clock_begins_when_the_request_is_written() {
        assert_eq!(answered(&[Some(0)], 100), Some(100));
        assert_eq!(answered(&[Some(0)], 101), None);
        assert_eq!(answered(&[Some(30)], 130), Some(100));
        // It becomes known during the wait.
        assert_eq!(answered(&[Some(0), Some(80)], 150), Some(70));
        assert_eq!(answered(&[Some(0), Some(80)], 190), None);
        // A program that never reads is not waited for.
        assert_eq!(answered(&[Some(9000)], 2000), None);
        assert_eq!(answered(&[Some(9000)], 1100), Some(100));
    }
}
