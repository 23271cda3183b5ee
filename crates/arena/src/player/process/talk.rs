//! A conversation with a running program: every wait has an end, and so has what may be said in one turn.

use std::fmt;
use std::sync::mpsc::RecvTimeoutError;
use std::time::Instant;

use tesuji_search::CancelToken;

use super::child::{Child, Deaf};
use super::patience::Patience;
use crate::lines::{Heard, LONGEST, Sound};

/// Lines and bytes that a program may say in one turn.
const LINES: usize = 100_000;
const BYTES: usize = 8 << 20;
/// Oddities kept until somebody asks, and letters of each.
const ODDITIES: usize = 64;
const LETTERS: usize = 200;

/// What goes wrong in a conversation.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Trouble {
    /// Nothing came in time.
    Late,
    /// The program is gone, or one of its pipes.
    Ended,
    /// It says what nobody could understand, or too much, or does not listen.
    Protocol(String),
    /// It answered with something that is no legal move.
    Illegal { text: String, message: String },
    /// Its protocol has no words for this game.
    Unable(String),
}

/// A line and when it was read.
pub(super) struct Line {
    pub(super) at: Instant,
    pub(super) bytes: Vec<u8>,
}

/// A conversation.
pub(super) struct Talk {
    pub(super) child: Child,
    pub(super) patience: Patience,
    /// What the program calls itself.
    pub(super) name: Option<String>,
    /// Raised when nobody waits for an answer any more.
    stop: CancelToken,
    lines: usize,
    bytes: usize,
    oddities: Vec<String>,
}

impl Talk {
    pub(super) fn new(child: Child, patience: Patience) -> Talk {
        Talk {
            child,
            patience,
            name: None,
            stop: CancelToken::new(),
            lines: 0,
            bytes: 0,
            oddities: Vec::new(),
        }
    }

    /// A new turn begins: the program may speak again as much as anybody may.
    pub(super) fn turn(&mut self, stop: &CancelToken) {
        self.stop = stop.clone();
        (self.lines, self.bytes) = (0, 0);
    }

    /// Says a line; the moment is when it was handed over.
    pub(super) fn say(&mut self, line: impl fmt::Display) -> Result<Instant, Trouble> {
        let at = Instant::now();
        match self.child.say(&line) {
            Ok(()) => Ok(at),
            Err(Deaf::Closed) => Err(Trouble::Ended),
            Err(Deaf::Idle) => Err(Trouble::Protocol("it does not read what it is told".to_owned())),
        }
    }

    /// The next line, read before `until`.
    pub(super) fn hear(&mut self, until: Instant) -> Result<Line, Trouble> {
        let heard = self.child.hear(until, &self.stop).map_err(|error| match error {
            RecvTimeoutError::Timeout => Trouble::Late,
            RecvTimeoutError::Disconnected => Trouble::Ended,
        })?;
        self.taken(heard)
    }

    /// A line that may be taken for one.
    fn taken(&mut self, heard: Heard) -> Result<Line, Trouble> {
        let Sound::Line(bytes) = heard.sound else {
            return Err(Trouble::Protocol(format!("a line of more than {LONGEST} bytes")));
        };
        self.lines += 1;
        self.bytes += bytes.len();
        if self.lines > LINES || self.bytes > BYTES {
            let told = format!("{} lines and {} bytes in one turn", self.lines, self.bytes);
            return Err(Trouble::Protocol(told));
        }
        // Words for people may be in any encoding; these bytes are in no text.
        if bytes.iter().any(|&byte| byte < b' ' && !matches!(byte, b'\t' | b'\r' | 0x1b)) {
            return Err(Trouble::Protocol(format!("bytes that are no text: {}", shown(&bytes))));
        }
        Ok(Line { at: heard.at, bytes })
    }

    /// What was said already while nobody listened, line by line.
    pub(super) fn overhear(&mut self, mut each: impl FnMut(&mut Talk, &[u8])) -> Result<(), Trouble> {
        while let Some(heard) = self.child.overhear() {
            let line = self.taken(heard)?;
            each(self, &line.bytes);
        }
        Ok(())
    }

    /// Keeps something odd for whoever asks.
    pub(super) fn odd(&mut self, what: &str, line: &[u8]) {
        if self.oddities.len() < ODDITIES {
            self.oddities.push(format!("{what}: {}", shown(line)));
        }
    }

    /// What was odd since the last time.
    pub(super) fn oddities(&mut self) -> Vec<String> {
        std::mem::take(&mut self.oddities)
    }
}

/// A line as it can be shown: cut when long.
pub(super) fn shown(line: &[u8]) -> String {
    let line = String::from_utf8_lossy(&line[..line.len().min(4 * LETTERS)]);
    let mut text: String = line.trim().escape_debug().take(LETTERS + 1).collect();
    if text.chars().count() > LETTERS {
        text.pop();
        text.push('…');
    }
    text
}
