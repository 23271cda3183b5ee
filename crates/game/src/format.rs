//! Record formats: what a game's records may be written in, and the plain form every game has.

use crate::{Notation, ParsedRecord, Record};

/// A record format a game reads and writes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Format {
    /// The name on the command line.
    pub name: &'static str,
    /// What it is, in a few words.
    pub about: &'static str,
    /// The usual endings of file names, without the dot; the first is the one to write.
    pub extensions: &'static [&'static str],
}

/// One game per line: moves between blanks, optionally after a start position and a colon.
pub const LINES: Format =
    Format { name: "lines", about: "one game per line, moves between blanks", extensions: &["txt"] };

/// The record formats of a game. Whatever the bytes are, reading gives records and faults, never a panic.
pub trait Formats: Notation {
    /// What is read and written; the first is the default.
    const FORMATS: &'static [Format] = &[LINES];

    /// The format these bytes seem to be in; a guess must be cheap and may be wrong.
    fn detect(bytes: &[u8]) -> Format {
        let _ = bytes;
        LINES
    }

    /// Reads records one by one; a bad one does not stop the next. `format` is one of `FORMATS`.
    fn read<'a>(format: Format, bytes: &'a [u8]) -> Box<dyn Iterator<Item = ParsedRecord<Self>> + 'a> {
        let _ = format;
        Box::new(lines::read(bytes))
    }

    /// One record in `format`, ready to be followed by the next; or why that format cannot hold it.
    fn write(format: Format, record: &Record<Self>) -> Result<Vec<u8>, String> {
        let _ = format;
        Ok(lines::write(record).into_bytes())
    }

    /// What a file of `count` records in `format` begins with; nothing, for text.
    fn head(format: Format, count: usize) -> Vec<u8> {
        let _ = (format, count);
        Vec::new()
    }
}

/// The plain form that every game has: see [`LINES`].
pub mod lines {
    use super::*;
    use crate::RecordError;

    /// Reads every line that is neither empty nor a comment (`#`).
    pub fn read<G: Notation>(bytes: &[u8]) -> impl Iterator<Item = ParsedRecord<G>> + '_ {
        bytes
            .split(|&byte| byte == b'\n')
            .map(|line| String::from_utf8_lossy(line))
            .filter(|line| !line.trim().is_empty() && !line.trim_start().starts_with('#'))
            .map(|line| read_line(line.trim()))
    }

    /// Reads one game: `moves` or `position: moves`.
    pub fn read_line<G: Notation>(line: &str) -> ParsedRecord<G> {
        let (position, moves) = match line.split_once(':') {
            Some((position, moves)) => (Some(position.trim()), moves),
            None => (None, line),
        };
        match position.map_or(Ok(G::start()), G::parse) {
            Ok(start) => {
                let mut record = Record::new(start);
                let fault = G::read_moves(&mut record, moves).err();
                ParsedRecord { record, fault }
            }
            Err(error) => {
                ParsedRecord { record: Record::new(G::start()), fault: Some(RecordError::from(error)) }
            }
        }
    }

    /// Writes one game and a line feed; the start position only when it is not the usual one, or when nothing
    /// else would stand on the line.
    pub fn write<G: Notation>(record: &Record<G>) -> String {
        let mut words = Vec::with_capacity(record.plies().len() + 1);
        if record.plies().is_empty() || *record.start() != G::start() {
            words.push(format!("{}:", record.start().print()));
        }
        let mut now = record.start().clone();
        for mv in record.moves() {
            words.push(now.print_move(mv));
            now.play(mv);
        }
        words.join(" ") + "\n"
    }
}
