//! The log that `-v` asks for: events of the libraries on standard error, one line each.
//!
//! Progress bars are hidden while a line is written. Lines that would fall onto the full screen are held back until it
//! is closed.

use std::collections::VecDeque;
use std::io::{self, IsTerminal, Write};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

use indicatif::MultiProgress;
use tracing::Level;
use tracing_subscriber::fmt::MakeWriter;
use tracing_subscriber::fmt::format::Writer;
use tracing_subscriber::fmt::time::FormatTime;

/// As many of the last lines are held back; older ones are dropped.
const HELD: usize = 1000;

/// The log, and the progress bars it shares the terminal with. Clones are the same log.
#[derive(Clone, Default)]
pub(crate) struct Log {
    bars: MultiProgress,
    held: Arc<Mutex<Option<VecDeque<Vec<u8>>>>>,
}

impl Log {
    /// Writes events from now on: warnings, by `-v` what is done, by `-vv` every iteration too, by more everything.
    pub(crate) fn start(verbosity: u8) -> Log {
        let log = Log::default();
        let level = match verbosity {
            0 => Level::WARN,
            1 => Level::INFO,
            2 => Level::DEBUG,
            _ => Level::TRACE,
        };
        let format = tracing_subscriber::fmt::format().compact().with_target(false).with_level(false).with_ansi(false);
        let subscriber = tracing_subscriber::fmt().with_max_level(level).with_writer(log.clone());
        // A program that embeds this crate may have set a subscriber of its own.
        let _ = match verbosity {
            0 => tracing::subscriber::set_global_default(subscriber.event_format(format.with_timer(Warning)).finish()),
            _ => {
                let format = format.with_timer(SinceStart(Instant::now()));
                tracing::subscriber::set_global_default(subscriber.event_format(format).finish())
            }
        };
        log
    }

    /// The progress bars. Every visible one must be one of them.
    pub(crate) fn bars(&self) -> &MultiProgress {
        &self.bars
    }

    /// Holds lines back as long as something else owns the whole terminal.
    pub(crate) fn hold(&self) {
        if io::stderr().is_terminal() {
            self.held.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert_default();
        }
    }

    /// Writes what was held back.
    pub(crate) fn release(&self) {
        let held = self.held.lock().unwrap_or_else(PoisonError::into_inner).take();
        // A terminal that is gone reads nothing.
        let _ = held.iter().flatten().try_for_each(|line| io::stderr().write_all(line));
    }
}

impl Write for Log {
    fn write(&mut self, line: &[u8]) -> io::Result<usize> {
        let mut held = self.held.lock().unwrap_or_else(PoisonError::into_inner);
        match &mut *held {
            Some(lines) => {
                if lines.len() == HELD {
                    lines.pop_front();
                }
                lines.push_back(line.to_vec());
            }
            None => {
                let _ = self.bars.suspend(|| io::stderr().write_all(line));
            }
        }
        Ok(line.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Instead of the time: what a line of a command that logs nothing else is.
struct Warning;

impl FormatTime for Warning {
    fn format_time(&self, to: &mut Writer<'_>) -> std::fmt::Result {
        write!(to, "tesuji: warning:")
    }
}

/// The time of an event, in seconds since the start.
struct SinceStart(Instant);

impl FormatTime for SinceStart {
    fn format_time(&self, to: &mut Writer<'_>) -> std::fmt::Result {
        write!(to, "{:9.3} s", self.0.elapsed().as_secs_f64())
    }
}

impl MakeWriter<'_> for Log {
    type Writer = Log;

    fn make_writer(&self) -> Log {
        self.clone()
    }
}
