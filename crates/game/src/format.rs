//! Record formats, and those that every game has: plain lines and tagged text.

use crate::{Notation, ParsedRecord, Record, tagged};

/// A record format that a game reads and writes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Format {
    /// The name on the command line.
    pub name: &'static str,
    /// A short description.
    pub about: &'static str,
    /// The usual file extensions, without the dot; the first is used for new files.
    pub extensions: &'static [&'static str],
    /// Whether it keeps values, times and comments.
    pub keeps_notes: bool,
}

/// One game per line: moves separated by blanks, optionally after a start position and a colon.
pub const LINES: Format = Format {
    name: "lines",
    about: "one game per line, moves between blanks",
    extensions: &["txt"],
    keeps_notes: false,
};

/// Tags, moves and comments as in PGN.
pub const TAGGED: Format = Format {
    name: "tagged",
    about: "names, results, times, values and comments, as in PGN",
    extensions: &["pgn"],
    keeps_notes: true,
};

/// The record formats of a game. Reading any bytes gives records and errors, never a panic.
pub trait Formats: Notation {
    /// All formats; the first is the default.
    const FORMATS: &'static [Format] = &[LINES, TAGGED];

    /// A cheap guess of the format of these bytes.
    fn detect(bytes: &[u8]) -> Format {
        let text = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
        if text.trim_ascii_start().starts_with(b"[") { TAGGED } else { LINES }
    }

    /// Reads records one by one; a bad one does not stop the next. `format` is one of `FORMATS`.
    fn read<'a>(format: Format, bytes: &'a [u8]) -> Box<dyn Iterator<Item = ParsedRecord<Self>> + 'a> {
        if format == TAGGED { Box::new(tagged::read(bytes)) } else { Box::new(lines::read(bytes)) }
    }

    /// One record in `format`. Records can be concatenated.
    ///
    /// # Errors
    /// The format cannot represent the record.
    fn write(format: Format, record: &Record<Self>) -> Result<Vec<u8>, String> {
        let text = if format == TAGGED { tagged::write(record)? } else { lines::write(record) };
        Ok(text.into_bytes())
    }

    /// Whether `format` keeps the variations of a record.
    fn keeps_variations(format: Format) -> bool {
        let _ = format;
        false
    }

    /// The header of a file of `count` records in `format`; empty for text formats.
    fn head(format: Format, count: usize) -> Vec<u8> {
        let _ = (format, count);
        Vec::new()
    }
}

/// The plain format that every game has: see [`LINES`].
pub mod lines {
    use super::*;
    use crate::RecordError;

    /// Reads every line that is not empty and not a comment (`#`).
    pub fn read<G: Notation>(bytes: &[u8]) -> impl Iterator<Item = ParsedRecord<G>> + '_ {
        bytes
            .split(|&byte| byte == b'\n')
            .map(|line| String::from_utf8_lossy(line))
            .enumerate()
            .filter(|(_, line)| !line.trim().is_empty() && !line.trim_start().starts_with('#'))
            .map(|(index, line)| {
                let ParsedRecord { record, fault } = read_line(line.trim());
                ParsedRecord { record, fault: fault.map(|fault| fault.on_line(index + 1)) }
            })
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
            Err(error) => ParsedRecord { record: Record::new(G::start()), fault: Some(RecordError::from(error)) },
        }
    }

    /// Writes one game and a line feed. The start position is written only when it is not the usual one or when
    /// the line would be empty.
    pub fn write<G: Notation>(record: &Record<G>) -> String {
        let mut words = Vec::with_capacity(record.plies().len() + 1);
        // Equal positions may have different sides to move.
        let usual = *record.start() == G::start() && record.start().mover() == G::start().mover();
        if record.plies().is_empty() || !usual {
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
