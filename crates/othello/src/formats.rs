//! The record formats of Othello and their detection.

use tesuji_game::{Format, Formats, Notation, ParsedRecord, Record, lines};

use crate::{Othello, ggf, obf, transcript, wthor};

/// Moves glued together, one game per line.
pub const TRANSCRIPT: Format = Format {
    name: "transcript",
    about: "moves as f5d6c3…, one game per line",
    extensions: &["txt"],
    keeps_notes: false,
};

/// The Generic Game Format of Othello servers.
pub const GGF: Format = Format {
    name: "ggf",
    about: "games with names, clocks and values, as on servers",
    extensions: &["ggf"],
    keeps_notes: true,
};

/// The yearly files of the French federation's base.
pub const WTHOR: Format =
    Format { name: "wthor", about: "the binary base of tournament games", extensions: &["wtb"], keeps_notes: false };

/// Positions with the values of their moves.
pub const OBF: Format =
    Format { name: "obf", about: "positions with the values of their moves", extensions: &["obf"], keeps_notes: false };

impl Formats for Othello {
    const FORMATS: &'static [Format] = &[TRANSCRIPT, GGF, WTHOR, OBF];

    fn detect(bytes: &[u8]) -> Format {
        if wthor::is_base(bytes) {
            return WTHOR;
        }
        let beginning = String::from_utf8_lossy(&bytes[..bytes.len().min(4096)]);
        if beginning.trim_start().starts_with("(;") || beginning.contains("(;GM[") {
            return GGF;
        }
        let mut lines = beginning.lines().map(str::trim);
        let first = lines.find(|line| !line.is_empty() && !line.starts_with(['%', '#']));
        // A transcript with a start position has a colon behind it.
        let is_problem = |line: &str| {
            let position = line.split([';', '%']).next().unwrap_or(line);
            Othello::parse(position).is_ok()
        };
        if first.is_some_and(is_problem) { OBF } else { TRANSCRIPT }
    }

    fn read<'a>(format: Format, bytes: &'a [u8]) -> Box<dyn Iterator<Item = ParsedRecord<Othello>> + 'a> {
        match format {
            GGF => Box::new(ggf::read(bytes)),
            WTHOR => Box::new(wthor::read(bytes)),
            OBF => Box::new(obf::read(bytes)),
            _ => Box::new(lines::read(bytes)),
        }
    }

    fn write(format: Format, record: &Record<Othello>) -> Result<Vec<u8>, String> {
        match format {
            GGF => Ok(ggf::write(record).into_bytes()),
            WTHOR => wthor::write(record),
            OBF => obf::write(record).map(String::into_bytes),
            _ => Ok((transcript::print(record) + "\n").into_bytes()),
        }
    }

    fn head(format: Format, count: usize) -> Vec<u8> {
        if format == WTHOR { wthor::head(count) } else { Vec::new() }
    }
}
