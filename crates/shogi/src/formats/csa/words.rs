//! The words of CSA records: pieces, sides, squares, endings and tags.

use std::time::Duration;

use tesuji_game::{ClockTag, Ending, Game, Outcome, Record, Side, tags};

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
pub(in crate::formats) const ENDINGS: &str = "no CSA ending; those are %TORYO (resigns), %KACHI (declares), %TSUMI (mate), \
    %SENNICHITE, %JISHOGI, %HIKIWAKE, %TIME_UP, %ILLEGAL_MOVE, %+ILLEGAL_ACTION, %-ILLEGAL_ACTION, %CHUDAN";

/// What `%word` states, when `mover` was to move. `None` for words that are not CSA's.
pub(in crate::formats) fn stated(word: &str, mover: Side) -> Option<Stated> {
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

/// The word for how `record` ended, without its `%`. An open record is `CHUDAN`, and so is one that ended as no word
/// says: a summary before the word tells the rest.
pub(super) fn ending(record: &Record<Shogi>) -> &'static str {
    let mover = record.now().mover();
    let Some(Ending { winner, reason }) = record.ending() else { return "CHUDAN" };
    let fouled = match winner {
        Some(Side::First) => Some("-ILLEGAL_ACTION"),
        Some(Side::Second) => Some("+ILLEGAL_ACTION"),
        None => None,
    };
    let lost = winner == Some(!mover);
    let drawn = winner.is_none();
    let word = match reason {
        _ if stated::is_resigned_mate(record) => Some("TORYO"),
        // Without a move, whatever the board calls it.
        _ if record.now().outcome() == Some(Outcome::Loss) => Some("TSUMI"),
        reason::REPETITION => Some("SENNICHITE"),
        // A foul of the side that gave check, which may or may not have moved last.
        reason::PERPETUAL_CHECK => fouled,
        reason::RESIGNATION if lost => Some("TORYO"),
        reason::TIME if lost => Some("TIME_UP"),
        reason::ILLEGAL | reason::CRASH | reason::PROTOCOL | reason::FALSE_CLAIM if lost => Some("ILLEGAL_MOVE"),
        reason::ILLEGAL => fouled,
        reason::DECLARATION if winner == Some(mover) && stated::may_declare(record) => Some("KACHI"),
        reason::IMPASSE if drawn => Some("JISHOGI"),
        reason::AGREEMENT | reason::ADJUDICATED_DRAW | reason::SOLVED if drawn => Some("HIKIWAKE"),
        reason::MOVE_LIMIT if drawn => Some("MAX_MOVES"),
        _ => None,
    };
    word.unwrap_or("CHUDAN")
}

/// The comment that servers write beside the ending, `summary:reason:first win:second lose`, where the word alone would
/// be read as another ending.
pub(super) fn summary(record: &Record<Shogi>) -> Option<String> {
    let Ending { winner, reason } = record.ending()?;
    let word = stated(ending(record), record.now().mover())?;
    if stated::is_on_board(record) || word.is_exact(record) {
        return None;
    }
    let [first, second] = match winner {
        Some(Side::First) => ["win", "lose"],
        Some(Side::Second) => ["lose", "win"],
        None => ["draw", "draw"],
    };
    let name = |known: &str, side: Side| record.tag(known).map_or(side.to_string(), tag::flat);
    let (black, white) = (name(tags::FIRST, Side::First), name(tags::SECOND, Side::Second));
    Some(format!("{SUMMARY}{reason}:{black} {first}:{white} {second}"))
}

/// How the comment begins by which servers sum a game up.
pub(super) const SUMMARY: &str = "summary:";

/// The ending of a summary; `None` for other comments and for reasons that servers name in their own way.
pub(super) fn read_summary(comment: &str) -> Option<Ending> {
    let (reason, players) = comment.strip_prefix(SUMMARY)?.split_once(':')?;
    let winner = match players.rsplit_once(' ')?.1 {
        "lose" => Some(Side::First),
        "win" => Some(Side::Second),
        "draw" => None,
        _ => return None,
    };
    tesuji_game::reason::named(reason).map(|reason| Ending { winner, reason })
}

/// A time control as `$TIME_LIMIT:00:05+10` (hours, minutes, byoyomi), or where that has no room for it as `$TIME` of
/// version 3: seconds for the game, byoyomi, increment.
pub(super) fn clock(text: &str) -> (&'static str, String) {
    let Some(ClockTag { main, increment, byoyomi, per_move }) = ClockTag::parse(text) else {
        return (TIME_LIMIT, tag::flat(text));
    };
    let (main, byoyomi) = if per_move { (Duration::ZERO, main) } else { (main, byoyomi) };
    let (minutes, whole) = (main.as_secs() / 60, main.subsec_nanos() == 0 && main.as_secs().is_multiple_of(60));
    if whole && increment.is_zero() && byoyomi.subsec_nanos() == 0 && byoyomi.as_secs() < 100 && minutes < 6000 {
        return (TIME_LIMIT, format!("{:02}:{:02}+{:02}", minutes / 60, minutes % 60, byoyomi.as_secs()));
    }
    let seconds = |time: Duration| time.as_secs_f64().to_string();
    (TIME, format!("{}+{}+{}", seconds(main), seconds(byoyomi), seconds(increment)))
}

/// The time control of `$TIME`: `300+0+2`.
pub(super) fn read_clock(text: &str) -> Option<ClockTag> {
    let mut parts = text.split('+').map(|part| {
        let plain = part.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
        part.parse().ok().filter(|_| plain).and_then(|seconds| Duration::try_from_secs_f64(seconds).ok())
    });
    let (main, byoyomi, increment) = (parts.next()??, parts.next()??, parts.next().unwrap_or(Some(Duration::ZERO))?);
    let both = !byoyomi.is_zero() && !increment.is_zero();
    if both || parts.next().is_some() {
        return None;
    }
    let per_move = main.is_zero() && increment.is_zero();
    let (main, byoyomi) = if per_move { (byoyomi, Duration::ZERO) } else { (main, byoyomi) };
    Some(ClockTag { main, increment, byoyomi, per_move })
}

pub(super) const TIME_LIMIT: &str = "TIME_LIMIT";
pub(super) const TIME: &str = "TIME";

/// Tags that CSA writes in its own way, `$` lines by their keyword.
const TAGS: [(&str, &str); 6] = [
    ("EVENT", tags::EVENT),
    ("SITE", tags::PLACE),
    ("START_TIME", tags::DATE),
    ("END_TIME", tag::END),
    (TIME_LIMIT, tags::CLOCK),
    ("OPENING", tag::OPENING),
];

/// The comments by which servers give the ratings of both players, and their tags.
pub(super) const RATINGS: [(&str, &str); 2] =
    [("black_rate:", tags::FIRST_RATING), ("white_rate:", tags::SECOND_RATING)];

/// The tag of a `$` keyword; unknown ones are their own.
pub(super) fn tag(keyword: &str) -> &str {
    TAGS.iter().find(|(known, _)| *known == keyword).map_or(keyword, |(_, tag)| tag)
}

/// The `$` keyword of a tag.
pub(super) fn keyword(tag: &str) -> &str {
    TAGS.iter().find(|(_, known)| *known == tag).map_or(tag, |(keyword, _)| keyword)
}
