//! Bytes ⇄ text: Japanese records come in UTF-8 or in Shift_JIS, and seldom say which.

use std::borrow::Cow;

use encoding_rs::SHIFT_JIS;

/// How the text of a file is written down.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Encoding {
    Utf8,
    ShiftJis,
}

const BOM: &[u8] = b"\xef\xbb\xbf";

/// How far into a file a declaration such as `#KIF version=2.0 encoding=UTF-8` may stand.
const PREFACE: usize = 300;

impl Encoding {
    /// The encoding of a file: what its bytes can be counts for more than what it says of itself, because
    /// files are converted without their first line being mended.
    pub(super) fn of(bytes: &[u8]) -> Encoding {
        let valid = match std::str::from_utf8(bytes) {
            Ok(_) => true,
            // Cut off inside a character.
            Err(error) => error.error_len().is_none(),
        };
        if valid || bytes.starts_with(BOM) || declares_utf8(bytes) { Encoding::Utf8 } else { Encoding::ShiftJis }
    }

    /// Text of these bytes; what cannot be read becomes a replacement character.
    pub(super) fn decode(self, bytes: &[u8]) -> Cow<'_, str> {
        match self {
            Encoding::Utf8 => String::from_utf8_lossy(bytes),
            Encoding::ShiftJis => SHIFT_JIS.decode_without_bom_handling(bytes).0,
        }
    }
}

/// Whether the first declaration says UTF-8. It stands on a line of its own, `#KIF … encoding=` or
/// `'CSA encoding=`; the same words in a comment to a move mean nothing.
fn declares_utf8(bytes: &[u8]) -> bool {
    let preface = String::from_utf8_lossy(&bytes[..bytes.len().min(PREFACE)]).to_ascii_lowercase();
    let mut declarations = preface.lines().filter(|line| line.starts_with('#') || line.starts_with("'csa"));
    let named = declarations.find_map(|line| line.split_once("encoding="));
    named.is_some_and(|(_, name)| name.starts_with("utf-8"))
}

/// The lines of a file, decoded one at a time, without their ends and without a byte-order mark.
///
/// Neither encoding uses the byte of a line feed inside a character, so lines can be cut before decoding.
pub(super) fn lines(bytes: &[u8]) -> impl Iterator<Item = Cow<'_, str>> {
    let encoding = Encoding::of(bytes);
    let bytes = bytes.strip_prefix(BOM).unwrap_or(bytes);
    bytes
        .split(|&byte| byte == b'\n')
        .map(|line| line.strip_suffix(b"\r").unwrap_or(line))
        .map(move |line| encoding.decode(line))
}

/// The text in Shift_JIS, or the first character it has no place for.
pub(super) fn shift_jis(text: &str) -> Result<Vec<u8>, char> {
    let (bytes, _, _) = SHIFT_JIS.encode(text);
    // A few characters are silently replaced by look-alikes: only what comes back as it was is kept.
    let back = SHIFT_JIS.decode_without_bom_handling(&bytes).0;
    match text.chars().zip(back.chars()).find(|(sent, received)| sent != received) {
        Some((lost, _)) => Err(lost),
        None => Ok(bytes.into_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shift_jis_is_told_from_utf8() {
        let text = "先手：一局目";
        let sjis = shift_jis(text).expect("plain Japanese");
        assert_eq!(Encoding::of(text.as_bytes()), Encoding::Utf8);
        assert_eq!(Encoding::of(&text.as_bytes()[..text.len() - 1]), Encoding::Utf8);
        assert_eq!(Encoding::of(&sjis), Encoding::ShiftJis);
        assert_eq!(lines(&sjis).collect::<Vec<_>>(), [text]);
        // Damaged, but it says what it is.
        assert_eq!(Encoding::of(b"#KIF version=2.0 encoding=UTF-8\n\xe5\x85\n"), Encoding::Utf8);
    }

    /// Found by fuzzing: the words stood in a comment, and the record was lost.
    #[test]
    fn a_comment_about_encodings_declares_nothing() {
        let mut file =
            shift_jis("#KIF version=2.0 encoding=Shift_JIS\n*よく encoding=UTF-8\n").expect("plain Japanese");
        assert_eq!(Encoding::of(&file), Encoding::ShiftJis);
        file.drain(..36);
        assert_eq!(Encoding::of(&file), Encoding::ShiftJis);
    }

    #[test]
    fn marks_and_line_ends_are_taken_off() {
        let file = "\u{feff}a\r\nb\nc\r\n";
        assert_eq!(lines(file.as_bytes()).collect::<Vec<_>>(), ["a", "b", "c", ""]);
    }

    #[test]
    fn shift_jis_refuses_what_it_would_change() {
        assert_eq!(shift_jis("名人戦♟"), Err('♟'));
        assert_eq!(shift_jis("¥100"), Err('¥'));
    }
}
