//! Guessing the format of a file from its first lines.

use tesuji_game::Format;

use super::encoding::{self, Encoding};
use super::{CSA, KI2, KIF, KIF_SJIS, USI};

/// The number of bytes that are examined.
const PREFIX: usize = 1 << 14;

/// The format that a line suggests.
enum Sign {
    Usi,
    Csa,
    /// KIF or KI2.
    Header,
    Kif,
    Ki2,
}

/// The likely format; USI lines by default.
pub(super) fn detect(bytes: &[u8]) -> Format {
    let prefix = &bytes[..bytes.len().min(PREFIX)];
    let kif = if Encoding::of(prefix) == Encoding::ShiftJis { KIF_SJIS } else { KIF };
    let mut headed = false;
    for line in encoding::lines(prefix) {
        match sign(line.trim_start_matches(|c: char| c.is_whitespace())) {
            Some(Sign::Usi) => return USI,
            Some(Sign::Csa) => return CSA,
            Some(Sign::Ki2) => return KI2,
            Some(Sign::Kif) => return kif,
            Some(Sign::Header) => headed = true,
            None => {}
        }
    }
    if headed { kif } else { USI }
}

fn sign(line: &str) -> Option<Sign> {
    let mut chars = line.chars();
    let word = line.split_whitespace().next().unwrap_or_default();
    match (chars.next()?, chars.next().unwrap_or(' ')) {
        _ if line.contains("\t%") => Some(Sign::Usi),
        _ if ["startpos", "sfen", "position"].contains(&word) || word.matches('/').count() == 8 => Some(Sign::Usi),
        ('\'' | '$', _) | ('V', '0'..='9') | ('N', '+' | '-') => Some(Sign::Csa),
        ('P', 'I' | '+' | '-' | '1'..='9') | ('%', '+' | '-' | 'A'..='Z') => Some(Sign::Csa),
        ('+', '-') => None,
        ('+' | '-', '0'..='9') => Some(Sign::Csa),
        ('▲' | '△' | '▼' | '▽' | '☗' | '☖', _) => Some(Sign::Ki2),
        ('#', _) if line.starts_with("#KI2") => Some(Sign::Ki2),
        ('#', _) if line.starts_with("#KIF") => Some(Sign::Kif),
        ('手', '数') | ('0'..='9' | '０'..='９', _) if !line.is_ascii() => Some(Sign::Kif),
        _ if line.contains(['：', ':']) && !line.is_ascii() => Some(Sign::Header),
        ('|', _) => Some(Sign::Header),
        _ => None,
    }
}
