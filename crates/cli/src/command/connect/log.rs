//! The dialogue with a server, line by line, as it happens. It is no file of ours that anything is read back
//! from, so a cut tail does no harm.

use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::path::Path;
use std::time::{Instant, SystemTime, UNIX_EPOCH};

use crate::failure::Failure;
use crate::play::stamp;

/// A file that lines are added to.
pub(super) struct Log {
    file: File,
    begun: Instant,
}

impl Log {
    /// Adds to this file, which may exist.
    pub(super) fn open(path: &Path) -> Result<Log, Failure> {
        let wrong = |error: io::Error| Failure::usage(format!("--log {}: {error}", path.display()));
        let mut file = OpenOptions::new().create(true).append(true).open(path).map_err(wrong)?;
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_secs();
        writeln!(file, "# {} UTC, times in seconds from here", stamp(now)).map_err(wrong)?;
        Ok(Log { file, begun: Instant::now() })
    }

    /// Adds a line: `>` said, `<` heard, `!` odd, `=` news.
    pub(super) fn add(&mut self, sign: char, line: &str) -> io::Result<()> {
        // One write, so that a line is there whole.
        let text = format!("{:10.3} {sign} {line}\n", self.begun.elapsed().as_secs_f64());
        self.file.write_all(text.as_bytes())
    }
}
