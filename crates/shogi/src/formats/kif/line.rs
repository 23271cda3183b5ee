//! Classification of the lines of a KIF or KI2 file.

use tesuji_game::Side;

use super::words::{self, is_blank, is_colon};

/// A classified line.
#[derive(PartialEq, Debug)]
pub(super) enum KifLine<'a> {
    /// Ignored: empty lines, `#` and the frame of a board.
    Idle,
    /// `#KIF version=2.0 …`: a record begins.
    Frame,
    /// `*…` and bookmarks `&…`, which keep their mark.
    Comment(&'a str),
    /// `key：value`.
    Header(&'a str, &'a str),
    /// A rank of a drawn board.
    Rank(&'a str),
    /// The side to move.
    Turn(Side),
    /// `手数＝24`: moves played before.
    Played(u32),
    /// `手数----指手---------消費時間--`: the moves follow.
    Table,
    /// `   1 ７六歩(77)   ( 0:16/00:00:16)`: the number and the rest.
    Move(u32, &'a str),
    /// `▲７六歩 △３四歩`.
    Marked(&'a str),
    /// `変化：14手`: a line that replaces the move of this number.
    Variation(u32),
    /// `まで12手で…`: what follows `まで`.
    Result(&'a str),
}

impl KifLine<'_> {
    /// Classifies a line.
    pub(super) fn of(line: &str) -> KifLine<'_> {
        let line = line.trim_end_matches(|c: char| c.is_whitespace() || c == '\u{1a}');
        if let Some(words) = line.strip_prefix('*') {
            return KifLine::Comment(words);
        }
        let text = line.trim_start_matches(is_blank);
        let Some(first) = text.chars().next() else { return KifLine::Idle };
        match first {
            '#' if text.starts_with("#KIF") || text.starts_with("#KI2") => KifLine::Frame,
            '#' => KifLine::Idle,
            '&' => KifLine::Comment(text),
            '|' | '｜' => KifLine::Rank(text),
            '+' if text.starts_with("+-") => KifLine::Idle,
            _ if words::side_of_mark(first).is_some() => KifLine::Marked(text),
            _ if words::digit(first).is_some() => numbered(text).unwrap_or_else(|| titled(text)),
            _ => titled(text),
        }
    }
}

/// A line that begins with a number: a move, or the files above a board.
fn numbered(text: &str) -> Option<KifLine<'_>> {
    let end = text.find(|c| words::digit(c).is_none()).unwrap_or(text.len());
    let rest = text[end..].trim_start_matches(is_blank);
    if rest.len() == text.len() - end && !rest.is_empty() {
        return None;
    }
    if rest.chars().all(|c| is_blank(c) || words::digit(c).is_some()) {
        return Some(KifLine::Idle);
    }
    Some(KifLine::Move(leading_number(text), rest))
}

/// The number at the beginning of a text; 0 without one.
fn leading_number(text: &str) -> u32 {
    let digits = text.trim_start_matches(is_blank).chars().map_while(words::digit);
    digits.fold(0_u32, |number, digit| number.saturating_mul(10).saturating_add(u32::from(digit)))
}

fn titled(text: &str) -> KifLine<'_> {
    if let Some(result) = text.strip_prefix("まで") {
        return KifLine::Result(result);
    }
    if let Some(rest) = text.strip_prefix("手数") {
        if rest.starts_with('-') {
            return KifLine::Table;
        }
        if let Some(played) = rest.strip_prefix(['＝', '=']) {
            let end = played.find(|c| words::digit(c).is_none()).unwrap_or(played.len());
            let digits: String =
                played[..end].chars().filter_map(words::digit).map(|digit| char::from(b'0' + digit)).collect();
            return digits.parse().map_or(KifLine::Idle, KifLine::Played);
        }
    }
    match text {
        "先手番" | "下手番" => return KifLine::Turn(Side::First),
        "後手番" | "上手番" => return KifLine::Turn(Side::Second),
        _ => {}
    }
    match text.split_once(is_colon) {
        Some((key, value)) if key.trim_end_matches(is_blank) == "変化" => KifLine::Variation(leading_number(value)),
        Some((key, value)) if !key.is_empty() => {
            KifLine::Header(key.trim_end_matches(is_blank), value.trim_matches(is_blank))
        }
        _ => KifLine::Idle,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_sorted() {
        for (text, line) in [
            ("", KifLine::Idle),
            ("# ----  made by hand  ----", KifLine::Idle),
            ("#KIF version=2.0 encoding=UTF-8", KifLine::Frame),
            ("*good: move", KifLine::Comment("good: move")),
            ("&here", KifLine::Comment("&here")),
            ("先手：A", KifLine::Header("先手", "A")),
            ("先手 : A　", KifLine::Header("先手", "A")),
            ("後手番", KifLine::Turn(Side::Second)),
            ("  ９ ８ ７ ６ ５ ４ ３ ２ １", KifLine::Idle),
            ("+---------------------------+", KifLine::Idle),
            ("手数----指手---------消費時間--", KifLine::Table),
            ("手数＝24  ▲７六歩  まで", KifLine::Played(24)),
            ("  12 同　歩(77)", KifLine::Move(12, "同　歩(77)")),
            ("１２　投了", KifLine::Move(12, "投了")),
            ("変化：3手", KifLine::Variation(3)),
            ("まで2手で後手の勝ち", KifLine::Result("2手で後手の勝ち")),
            ("▲７六歩", KifLine::Marked("▲７六歩")),
            ("TIME+：x", KifLine::Header("TIME+", "x")),
            ("2ch：x", KifLine::Header("2ch", "x")),
            ("some words", KifLine::Idle),
        ] {
            assert_eq!(KifLine::of(text), line, "{text:?}");
        }
    }
}
