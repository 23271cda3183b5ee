//! The names beside a WTHOR base: players (`.JOU`) and tournaments (`.TRN`), by number.

use tesuji_game::{Record, RecordError, tags};

use crate::Othello;
use crate::wthor::{BLACK, HEADER, TOURNAMENT, WHITE};

/// Whose names a file holds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NamesKind {
    /// Players, 20 bytes each.
    Players,
    /// Tournaments, 26 bytes each.
    Tournaments,
}

/// The names of one file, in the order of their numbers.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Names {
    /// Whose they are.
    pub kind: NamesKind,
    names: Vec<String>,
}

impl Names {
    /// Parses a `.JOU` or `.TRN` file. Its length shows which of the two it is.
    ///
    /// # Errors
    /// The length matches neither.
    pub fn parse(bytes: &[u8]) -> Result<Names, RecordError> {
        let wrong = |message: String| RecordError::outside(format!("{} bytes", bytes.len()), message);
        let Some((header, body)) = bytes.split_first_chunk::<HEADER>() else {
            return Err(wrong(format!("a file of names begins with a header of {HEADER} bytes")));
        };
        let count = usize::from(u16::from_le_bytes([header[8], header[9]]));
        let (kind, width) = match body.len() {
            length if length == count * 20 => (NamesKind::Players, 20),
            length if length == count * 26 => (NamesKind::Tournaments, 26),
            _ => {
                let (players, tournaments) = (HEADER + count * 20, HEADER + count * 26);
                return Err(wrong(format!(
                    "the header promises {count} names, so {players} bytes for players or {tournaments} for tournaments"
                )));
            }
        };
        Ok(Names { kind, names: body.chunks_exact(width).map(name).collect() })
    }

    /// The name of this number.
    pub fn get(&self, number: usize) -> Option<&str> {
        self.names.get(number).map(String::as_str)
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.names.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.names.is_empty()
    }

    /// Writes the names into a record whose tags hold their numbers.
    pub fn fill(&self, record: &mut Record<Othello>) {
        let places: &[(&str, &str)] = match self.kind {
            NamesKind::Players => &[(BLACK, tags::FIRST), (WHITE, tags::SECOND)],
            NamesKind::Tournaments => &[(TOURNAMENT, tags::EVENT)],
        };
        for &(number, tag) in places {
            let number = record.tag(number).and_then(|number| number.parse().ok());
            if let Some(name) = number.and_then(|number| self.get(number)) {
                record.set_tag(tag, name);
            }
        }
    }
}

/// Latin-1, up to the first zero.
fn name(bytes: &[u8]) -> String {
    bytes.iter().take_while(|&&byte| byte != 0).map(|&byte| char::from(byte)).collect()
}
