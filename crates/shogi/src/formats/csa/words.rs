//! The words of CSA records: pieces, sides, squares, endings and tags.

use tesuji_game::{Ending, Game, Outcome, Record, Side, tags};

use crate::formats::stated::{self, Stated, reason};
use crate::formats::tag;
use crate::{PieceKind, Shogi, Square};

/// The two letters of a kind.
pub(super) const fn kind(kind: PieceKind) -> &'static str {
    match kind {
        PieceKind::Pawn => "FU",
        PieceKind::Lance => "KY",
        PieceKind::Knight => "KE",
        PieceKind::Silver => "GI",
        PieceKind::Gold => "KI",
        PieceKind::Bishop => "KA",
        PieceKind::Rook => "HI",
        PieceKind::King => "OU",
        PieceKind::ProPawn => "TO",
        PieceKind::ProLance => "NY",
        PieceKind::ProKnight => "NK",
        PieceKind::ProSilver => "NG",
        PieceKind::Horse => "UM",
        PieceKind::Dragon => "RY",
    }
}

/// The kind of two letters.
pub(super) fn read_kind(text: &str) -> Option<PieceKind> {
    PieceKind::ALL.into_iter().find(|&known| kind(known) == text)
}

/// `+` or `-`.
pub(super) const fn sign(side: Side) -> char {
    match side {
        Side::First => '+',
        Side::Second => '-',
    }
}

/// The side of `+` or `-`.
pub(super) fn read_sign(sign: char) -> Option<Side> {
    match sign {
        '+' => Some(Side::First),
        '-' => Some(Side::Second),
        _ => None,
    }
}

/// The square of two digits; `00` and other nonsense is none.
pub(super) fn read_square(text: &str) -> Option<Square> {
    match *text.as_bytes() {
        [file, rank] => Square::new(file.wrapping_sub(b'0'), rank.wrapping_sub(b'0')),
        _ => None,
    }
}

/// What to write instead of a word that is not CSA's.
pub(super) const ENDINGS: &str = "no CSA ending; those are %TORYO (resigns), %KACHI (declares), %TSUMI (mate), \
    %SENNICHITE, %JISHOGI, %HIKIWAKE, %TIME_UP, %ILLEGAL_MOVE, %+ILLEGAL_ACTION, %-ILLEGAL_ACTION, %CHUDAN";

/// What `%word` states, when `mover` was to move. `None` for words that are not CSA's.
pub(super) fn stated(word: &str, mover: Side) -> Option<Stated> {
    Some(match word {
        "TORYO" => Stated::won(!mover, reason::RESIGNATION),
        "TIME_UP" => Stated::won(!mover, reason::TIME),
        "ILLEGAL_MOVE" => Stated::won(!mover, reason::ILLEGAL),
        "+ILLEGAL_ACTION" => Stated::won(Side::Second, reason::ILLEGAL),
        "-ILLEGAL_ACTION" => Stated::won(Side::First, reason::ILLEGAL),
        "KACHI" => Stated::Declaration,
        "TSUMI" => Stated::Mate,
        "SENNICHITE" | "OUTE_SENNICHITE" => Stated::Repetition,
        "JISHOGI" => Stated::drawn(reason::IMPASSE),
        "HIKIWAKE" => Stated::drawn(reason::AGREEMENT),
        "MAX_MOVES" => Stated::drawn(reason::MOVE_LIMIT),
        // No mate in a problem, a retracted move, a server error: no winner.
        "CHUDAN" | "MATTA" | "FUZUMI" | "ERROR" => Stated::Open,
        _ => return None,
    })
}

/// The word for how `record` ended, without its `%`; or why CSA has none. An open record is `CHUDAN`.
pub(super) fn ending(record: &Record<Shogi>) -> Result<&'static str, String> {
    let mover = record.now().mover();
    let Some(Ending { winner, reason }) = record.ending() else { return Ok("CHUDAN") };
    let fouled = match winner {
        Some(Side::First) => Some("-ILLEGAL_ACTION"),
        Some(Side::Second) => Some("+ILLEGAL_ACTION"),
        None => None,
    };
    let lost = winner == Some(!mover);
    let word = match reason {
        // Without a move, whatever the board calls it.
        _ if record.now().outcome() == Some(Outcome::Loss) => Some("TSUMI"),
        reason::REPETITION => Some("SENNICHITE"),
        // A foul of the side that gave check, which may or may not have moved last.
        reason::PERPETUAL_CHECK => fouled,
        reason::RESIGNATION if lost => Some("TORYO"),
        reason::TIME if lost => Some("TIME_UP"),
        reason::ILLEGAL if lost => Some("ILLEGAL_MOVE"),
        reason::ILLEGAL => fouled,
        reason::DECLARATION if winner == Some(mover) => Some("KACHI"),
        reason::IMPASSE => Some("JISHOGI"),
        reason::AGREEMENT => Some("HIKIWAKE"),
        reason::MOVE_LIMIT => Some("MAX_MOVES"),
        _ => None,
    };
    word.ok_or_else(|| format!("CSA has no word for this ending: {}", stated::told(winner, reason)))
}

/// Tags that CSA writes in its own way, `$` lines by their keyword.
const TAGS: [(&str, &str); 6] = [
    ("EVENT", tags::EVENT),
    ("SITE", tags::PLACE),
    ("START_TIME", tags::DATE),
    ("END_TIME", tag::END),
    ("TIME_LIMIT", tags::CLOCK),
    ("OPENING", tag::OPENING),
];

/// The tag of a `$` keyword; unknown ones are their own.
pub(super) fn tag(keyword: &str) -> &str {
    TAGS.iter().find(|(known, _)| *known == keyword).map_or(keyword, |(_, tag)| tag)
}

/// The `$` keyword of a tag.
pub(super) fn keyword(tag: &str) -> &str {
    TAGS.iter().find(|(_, known)| *known == tag).map_or(tag, |(keyword, _)| keyword)
}
