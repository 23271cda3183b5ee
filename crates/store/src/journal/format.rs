//! The text format of a journal: a header, then one line per event, each with a checksum. No I/O.

use std::path::Path;

use crc32fast::Hasher;

use crate::StoreError;

const MAGIC: &str = "tesuji-journal";
const VERSION: u32 = 1;
/// Hexadecimal digits of a checksum.
const DIGITS: usize = 8;
/// The write unit of disks. After a power cut any unsynced sector may be zero.
const SECTOR: usize = 512;
/// The longest name of a kind.
const KIND: usize = 64;

/// A parsed journal.
pub(super) struct ParsedJournal {
    pub(super) lines: Vec<String>,
    pub(super) torn: bool,
    /// The length of the valid part; 0 when the header is incomplete.
    pub(super) length: u64,
    /// The last checksum, which the next line continues.
    pub(super) sum: u32,
}

/// The header line and its checksum.
pub(super) fn header(path: &Path, kind: &str) -> Result<(String, u32), StoreError> {
    if kind.is_empty() || kind.len() > KIND || !kind.bytes().all(|byte| byte.is_ascii_graphic()) {
        let what = format!("{kind:?} is not a valid kind of journal: use one word of up to {KIND} ASCII characters");
        return Err(StoreError::Text { path: path.to_owned(), what });
    }
    let title = format!("{MAGIC} {VERSION} {kind}");
    let sum = crc32fast::hash(title.as_bytes());
    Ok((format!("{title} {sum:08x}\n"), sum))
}

/// The line of an event after the checksum `before`, and its own checksum.
pub(super) fn line(path: &Path, before: u32, text: &str) -> Result<(String, u32), StoreError> {
    if let Some(bad) = text.chars().find(|sign| matches!(sign, '\n' | '\r' | '\0')) {
        let what = format!("an event with {bad:?} does not fit on a line of a journal: escape it");
        return Err(StoreError::Text { path: path.to_owned(), what });
    }
    let sum = chain(before, text.as_bytes()).finalize();
    Ok((format!("{sum:08x} {text}\n"), sum))
}

/// A CRC detects every single flipped bit. It includes the previous checksum, so missing, repeated and moved lines are
/// detected too.
fn chain(before: u32, text: &[u8]) -> Hasher {
    let mut hasher = Hasher::new();
    hasher.update(&before.to_le_bytes());
    hasher.update(text);
    hasher
}

/// Parses a journal of this kind.
pub(super) fn parse(path: &Path, kind: &str, bytes: &[u8]) -> Result<ParsedJournal, StoreError> {
    let (header, mut sum) = header(path, kind)?;
    // Interrupted while it was created or repaired: a part of the header, and zeros where the length was written
    // before the bytes.
    let begun = bytes.iter().rposition(|&byte| byte != 0).map_or(0, |last| last + 1);
    let incomplete =
        begun < header.len() && bytes.len() <= header.len() && header.as_bytes().starts_with(&bytes[..begun]);
    if incomplete {
        return Ok(ParsedJournal { lines: Vec::new(), torn: true, length: 0, sum });
    }
    if !bytes.starts_with(header.as_bytes()) {
        return Err(bad_header(path, kind, bytes));
    }

    let mut lines = Vec::new();
    let mut length = header.len();
    let mut torn = false;
    while length < bytes.len() {
        let number = lines.len() + 2;
        let damaged = |what: &str| StoreError::Damaged { path: path.to_owned(), line: number, what: what.into() };
        let rest = &bytes[length..];
        let Some(end) = rest.iter().position(|&byte| byte == b'\n') else {
            if continues_after_its_end(sum, rest) {
                return Err(damaged("the end of the line is damaged: a line break is missing"));
            }
            torn = true;
            break;
        };
        match check(sum, &rest[..end]) {
            Ok((text, next)) => {
                lines.push(text.to_owned());
                sum = next;
                length += end + 1;
            }
            Err(_) if end + 1 == rest.len() && has_hole(rest) => {
                torn = true;
                break;
            }
            Err(what) => return Err(damaged(what)),
        }
    }
    Ok(ParsedJournal { lines, torn, length: length as u64, sum })
}

/// The error for a wrong header.
fn bad_header(path: &Path, kind: &str, bytes: &[u8]) -> StoreError {
    let end = bytes.iter().position(|&byte| byte == b'\n');
    let first = String::from_utf8_lossy(&bytes[..end.unwrap_or(bytes.len())]);
    let words: Vec<&str> = first.split(' ').collect();
    if let (Some(_), [MAGIC, version, found, claimed]) = (end, &words[..]) {
        let title = format!("{MAGIC} {version} {found}");
        if *claimed == format!("{:08x}", crc32fast::hash(title.as_bytes())) {
            let path = path.to_owned();
            return if *version == VERSION.to_string() {
                StoreError::Kind { path, found: (*found).into(), expected: kind.into() }
            } else {
                StoreError::Version { path, found: (*version).into(), expected: VERSION }
            };
        }
    }
    let what = if first.starts_with(MAGIC) {
        "the header is damaged: its checksum does not match".to_owned()
    } else {
        format!("this is not a journal: it should begin with \"{MAGIC} {VERSION} {kind}\"")
    };
    StoreError::Damaged { path: path.to_owned(), line: 1, what }
}

/// The text and the checksum of a line without its line break.
fn check(before: u32, line: &[u8]) -> Result<(&str, u32), &'static str> {
    let Some((claimed, text)) = split(line) else {
        return Err("this is not a journal line: it should begin with a checksum of 8 hexadecimal digits and a blank");
    };
    if chain(before, text).finalize() != claimed {
        return Err("the checksum does not match: the line is damaged, or lines before it are missing or moved");
    }
    // Only text is appended, so this file was made by hand.
    let text = std::str::from_utf8(text).map_err(|_| "the line is not UTF-8 text")?;
    Ok((text, claimed))
}

/// The stated checksum of a line and its text. Only the written spelling is accepted: lower case, one blank.
fn split(line: &[u8]) -> Option<(u32, &[u8])> {
    let (digits, rest) = line.split_at_checked(DIGITS)?;
    let text = rest.strip_prefix(b" ")?;
    let plain = digits.iter().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'));
    let digits = std::str::from_utf8(digits).ok().filter(|_| plain)?;
    Some((u32::from_str_radix(digits, 16).ok()?, text))
}

/// Whether a tail without line break contains a complete line and more. An interrupted append never does; a damaged line
/// break does.
fn continues_after_its_end(before: u32, tail: &[u8]) -> bool {
    let Some((claimed, text)) = split(tail) else { return false };
    let mut hasher = chain(before, b"");
    for byte in text.chunks(1) {
        if hasher.clone().finalize() == claimed {
            return true;
        }
        hasher.update(byte);
    }
    false
}

/// Whether a power cut lost sectors of an append. No text contains a zero byte, and no single flipped bit turns a digit
/// of a checksum into one.
fn has_hole(line: &[u8]) -> bool {
    line.first() == Some(&0) || line.split(|&byte| byte != 0).any(|zeros| zeros.len() >= SECTOR)
}
