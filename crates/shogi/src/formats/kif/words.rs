//! The words of KIF records: digits, pieces, endings, tags.

use std::time::Duration;

use tesuji_game::{ClockTag, Ending, Game, Outcome, Record, Side, tags};

use crate::formats::stated::{self, Stated, reason};
use crate::formats::tag;
use crate::{PieceKind, Shogi, Square};

/// Blanks of both widths.
pub(super) fn is_blank(c: char) -> bool {
    matches!(c, ' ' | '\t' | '\u{3000}')
}

/// Colons of both widths.
pub(super) fn is_colon(c: char) -> bool {
    matches!(c, ':' | '：')
}

/// A digit of either width.
pub(super) fn digit(c: char) -> Option<u8> {
    match c {
        '0'..='9' => Some(c as u8 - b'0'),
        '０'..='９' => Some((c as u32 - '０' as u32) as u8),
        _ => None,
    }
}

const FILES: [char; 9] = ['１', '２', '３', '４', '５', '６', '７', '８', '９'];
const RANKS: [char; 9] = ['一', '二', '三', '四', '五', '六', '七', '八', '九'];

/// The number from 1 to 9 that `c` is in `table`, or as a digit.
fn one_to_nine(c: char, table: &[char; 9]) -> Option<u8> {
    let place = table.iter().position(|&known| known == c).map(|place| place as u8 + 1);
    place.or_else(|| digit(c)).filter(|&number| number > 0)
}

/// The rank of `一` to `九`, or of a digit.
pub(super) fn read_rank(c: char) -> Option<u8> {
    one_to_nine(c, &RANKS)
}

/// The square of a file and a rank, `７六`; digits of any width will do.
pub(super) fn read_square(file: char, rank: char) -> Option<Square> {
    Square::new(one_to_nine(file, &FILES)?, read_rank(rank)?)
}

/// `７六`.
pub(super) fn square(square: Square) -> String {
    [FILES[usize::from(square.file() - 1)], rank(square.rank())].iter().collect()
}

/// `六` for 6.
pub(super) fn rank(rank: u8) -> char {
    RANKS[usize::from(rank - 1)]
}

/// The number in kanji, from 1 to 18 as hands need it.
pub(super) fn number(number: u32) -> String {
    let ones = |ones: u32| RANKS.get((ones as usize).wrapping_sub(1)).map(char::to_string).unwrap_or_default();
    if number < 10 { ones(number) } else { format!("十{}", ones(number - 10)) }
}

/// The number of some kanji, `十八`, or digits; nothing at all is 1, as in `金`.
pub(super) fn read_number(text: &str) -> Option<u32> {
    if text.is_empty() {
        return Some(1);
    }
    let (mut total, mut after_ten) = (0, false);
    for c in text.chars() {
        total = match (c, read_rank(c).or_else(|| digit(c))) {
            ('十', _) => u32::max(total, 1) * 10,
            (_, Some(ones)) if after_ten => total + u32::from(ones),
            (_, Some(ones)) => total * 10 + u32::from(ones),
            _ => return None,
        };
        after_ten = c == '十';
        if total > 99 {
            return None;
        }
    }
    Some(total)
}

/// The name of a kind in a list of moves: `成銀`.
pub(super) const fn kind(kind: PieceKind) -> &'static str {
    match kind {
        PieceKind::Pawn => "歩",
        PieceKind::Lance => "香",
        PieceKind::Knight => "桂",
        PieceKind::Silver => "銀",
        PieceKind::Gold => "金",
        PieceKind::Bishop => "角",
        PieceKind::Rook => "飛",
        PieceKind::King => "玉",
        PieceKind::ProPawn => "と",
        PieceKind::ProLance => "成香",
        PieceKind::ProKnight => "成桂",
        PieceKind::ProSilver => "成銀",
        PieceKind::Horse => "馬",
        PieceKind::Dragon => "龍",
    }
}

/// The one character of a kind in a diagram: `全`.
pub(super) const fn figure(piece: PieceKind) -> &'static str {
    match piece {
        PieceKind::ProLance => "杏",
        PieceKind::ProKnight => "圭",
        PieceKind::ProSilver => "全",
        other => kind(other),
    }
}

/// The kind a single character stands for.
pub(super) fn read_figure(c: char) -> Option<PieceKind> {
    Some(match c {
        '歩' => PieceKind::Pawn,
        '香' => PieceKind::Lance,
        '桂' => PieceKind::Knight,
        '銀' => PieceKind::Silver,
        '金' => PieceKind::Gold,
        '角' => PieceKind::Bishop,
        '飛' => PieceKind::Rook,
        '玉' | '王' => PieceKind::King,
        'と' => PieceKind::ProPawn,
        '杏' => PieceKind::ProLance,
        '圭' => PieceKind::ProKnight,
        '全' => PieceKind::ProSilver,
        '馬' => PieceKind::Horse,
        '龍' | '竜' => PieceKind::Dragon,
        _ => return None,
    })
}

/// The kind at the beginning of `text`, and what follows.
pub(super) fn read_kind(text: &str) -> Option<(PieceKind, &str)> {
    let mut rest = text.chars();
    let first = rest.next()?;
    if first != '成' {
        return Some((read_figure(first)?, rest.as_str()));
    }
    let kind = read_figure(rest.next()?)?;
    Some((kind.promoted()?, rest.as_str()))
}

/// What the word in the place of a move states, when `mover` was to move.
pub(super) fn stated(word: &str, mover: Side) -> Option<Stated> {
    Some(match word {
        "投了" => Stated::won(!mover, reason::RESIGNATION),
        "切れ負け" | "時間切れ" => Stated::won(!mover, reason::TIME),
        "反則勝ち" => Stated::won(mover, reason::ILLEGAL),
        "反則負け" => Stated::won(!mover, reason::ILLEGAL),
        "不戦勝" => Stated::won(mover, reason::FORFEIT),
        "不戦敗" => Stated::won(!mover, reason::FORFEIT),
        "入玉勝ち" | "入玉宣言" => Stated::Declaration,
        "詰み" | "詰" => Stated::Mate,
        "千日手" => Stated::Repetition,
        "持将棋" => Stated::drawn(reason::IMPASSE),
        "引き分け" | "引分" | "引分け" => Stated::drawn(reason::AGREEMENT),
        "最大手数" => Stated::drawn(reason::MOVE_LIMIT),
        "中断" | "不詰" | "封じ手" => Stated::Open,
        _ => return None,
    })
}

/// The word for how `record` ended. An open record is `中断`, and so is one that ended as no word says: a comment before
/// the word tells the rest.
pub(super) fn ending(record: &Record<Shogi>) -> &'static str {
    let mover = record.now().mover();
    let Some(Ending { winner, reason }) = record.ending() else { return "中断" };
    let (won, lost, drawn) = (winner == Some(mover), winner == Some(!mover), winner.is_none());
    let word = match reason {
        _ if stated::is_resigned_mate(record) => Some("投了"),
        // Without a move, whatever the board calls it.
        _ if record.now().outcome() == Some(Outcome::Loss) => Some("詰み"),
        reason::REPETITION => Some("千日手"),
        // Perpetual check is a foul of the side that gave it.
        reason::ILLEGAL | reason::PERPETUAL_CHECK if won => Some("反則勝ち"),
        reason::ILLEGAL | reason::PERPETUAL_CHECK if lost => Some("反則負け"),
        reason::CRASH | reason::PROTOCOL | reason::FALSE_CLAIM if lost => Some("反則負け"),
        reason::RESIGNATION if lost => Some("投了"),
        reason::TIME if lost => Some("切れ負け"),
        reason::FORFEIT if won => Some("不戦勝"),
        reason::FORFEIT if lost => Some("不戦敗"),
        reason::DECLARATION if won && stated::may_declare(record) => Some("入玉勝ち"),
        reason::IMPASSE if drawn => Some("持将棋"),
        reason::AGREEMENT | reason::ADJUDICATED_DRAW | reason::SOLVED if drawn => Some("引き分け"),
        reason::MOVE_LIMIT if drawn => Some("最大手数"),
        _ => None,
    };
    word.unwrap_or("中断")
}

/// The comment that tells the ending exactly, where the word alone would be read as another one.
pub(super) fn exact_ending(record: &Record<Shogi>) -> Option<String> {
    let word = stated(ending(record), record.now().mover())?;
    let ending = record.ending().filter(|_| !stated::is_on_board(record) && !word.is_exact(record));
    ending.map(|ending| ending.comment())
}

/// A time control in Japanese: `5分+10秒` (byoyomi), `5分（1手2秒加算）`, `1手20秒`. Other texts stay.
pub(super) fn clock(text: &str) -> String {
    let Some(ClockTag { main, increment, byoyomi, per_move }) = ClockTag::parse(text) else {
        return tag::flat(text);
    };
    let (total, added) = (time(main), if increment.is_zero() { byoyomi } else { increment });
    match (per_move, added.is_zero(), increment.is_zero()) {
        (true, ..) => format!("1手{total}"),
        (_, true, _) => total,
        (_, _, true) => format!("{total}+{}", time(added)),
        (_, _, false) => format!("{total}（1手{}加算）", time(added)),
    }
}

/// `1時間30分`, `5分`, `0.02秒`.
fn time(time: Duration) -> String {
    let (hours, minutes) = (time.as_secs() / 3600, time.as_secs() / 60 % 60);
    let seconds = (time - Duration::from_secs(time.as_secs() / 60 * 60)).as_secs_f64();
    let mut text = String::new();
    for (number, unit) in [(hours as f64, "時間"), (minutes as f64, "分"), (seconds, "秒")] {
        if number > 0.0 {
            text += &format!("{number}{unit}");
        }
    }
    if text.is_empty() { "0分".to_owned() } else { text }
}

/// The side of a mark before a move.
pub(super) fn side_of_mark(mark: char) -> Option<Side> {
    match mark {
        '▲' | '▼' | '☗' => Some(Side::First),
        '△' | '▽' | '☖' => Some(Side::Second),
        _ => None,
    }
}

/// The mark before a move of this side.
pub(super) const fn mark(side: Side) -> char {
    match side {
        Side::First => '▲',
        Side::Second => '△',
    }
}

/// Whose hand a header is about.
pub(super) fn side_of_hand(header: &str) -> Option<Side> {
    let owner = header.strip_suffix("の持駒").or(header.strip_suffix("の持ち駒"))?;
    match owner {
        "先手" | "下手" => Some(Side::First),
        "後手" | "上手" => Some(Side::Second),
        _ => None,
    }
}

/// Whether a header is about the start position.
pub(super) fn means_start(header: &str) -> bool {
    header == "手合割" || side_of_hand(header).is_some()
}

/// Headers and the tags they are.
const TAGS: [(&str, &str); 10] = [
    ("先手", tags::FIRST),
    ("後手", tags::SECOND),
    ("下手", tags::FIRST),
    ("上手", tags::SECOND),
    ("開始日時", tags::DATE),
    ("終了日時", tag::END),
    ("棋戦", tags::EVENT),
    ("場所", tags::PLACE),
    ("持ち時間", tags::CLOCK),
    ("戦型", tag::OPENING),
];

/// Whether a header behind moves begins the next record. Some are known to be added at the end.
pub(super) fn opens(header: &str) -> bool {
    let known = TAGS.iter().any(|(known, _)| *known == header) || ["対局日", "表題"].contains(&header);
    (known && header != "終了日時") || means_start(header)
}

/// The tag of a header; unknown ones are their own.
pub(super) fn tag(header: &str) -> &str {
    TAGS.iter().find(|(known, _)| *known == header).map_or(header, |(_, tag)| tag)
}

/// The header of a tag; the players of a handicap game have names of their own.
pub(super) fn header(tag: &str, handicap: bool) -> &str {
    match tag {
        tags::FIRST if handicap => "下手",
        tags::SECOND if handicap => "上手",
        _ => TAGS.iter().find(|(_, known)| *known == tag).map_or(tag, |(header, _)| header),
    }
}
