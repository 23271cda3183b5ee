//! The closing line of KIF and KI2 records: `まで12手で後手の勝ち`.

use tesuji_game::{Ending, Game, Record, Side, tags};

use super::words;
use crate::Shogi;
use crate::formats::draft::Draft;
use crate::formats::stated::{Stated, reason};

/// The result that the line states, without its `まで`; `None` when it names no known ending or player.
pub(super) fn read(text: &str, draft: &Draft, mover: Side) -> Option<Stated> {
    let text: String = text.chars().filter(|&c| !words::is_blank(c) && c != '、').collect();
    let text = text.trim_start_matches(|c| words::digit(c).is_some());
    let text = text.strip_prefix("手で").or(text.strip_prefix("手")).unwrap_or(text);
    if let Some(stated) = words::stated(text, mover) {
        return Some(stated);
    }
    let (time, text) = match text.strip_prefix("時間切れにより").or(text.strip_prefix("時間切れで")) {
        Some(rest) => (true, rest),
        None => (false, text),
    };
    let (name, how) = text.rsplit_once('の')?;
    let side = side(name, draft)?;
    Some(match how {
        "勝ち" | "勝" if time => Stated::won(side, reason::TIME),
        "勝ち" | "勝" => Stated::won(side, reason::RESIGNATION),
        "負け" => Stated::won(!side, if time { reason::TIME } else { reason::RESIGNATION }),
        "反則勝ち" => Stated::won(side, reason::ILLEGAL),
        "反則負け" => Stated::won(!side, reason::ILLEGAL),
        "不戦勝" => Stated::won(side, reason::FORFEIT),
        "不戦敗" => Stated::won(!side, reason::FORFEIT),
        "入玉勝ち" | "宣言勝ち" if side == mover => Stated::Declaration,
        _ => return None,
    })
}

fn side(name: &str, draft: &Draft) -> Option<Side> {
    match name {
        "先手" | "下手" => Some(Side::First),
        "後手" | "上手" => Some(Side::Second),
        _ if draft.tagged(tags::FIRST) == Some(name) => Some(Side::First),
        _ if draft.tagged(tags::SECOND) == Some(name) => Some(Side::Second),
        _ => None,
    }
}

/// The closing line of a record.
pub(super) fn write(record: &Record<Shogi>, handicap: bool) -> String {
    let word = words::ending(record);
    let names = if handicap { ["下手", "上手"] } else { ["先手", "後手"] };
    let name = |side: Side| names[side.index()];
    let mover = record.now().mover();
    let told = match record.ending() {
        Some(Ending { winner: Some(winner), reason }) => match reason {
            reason::RESIGNATION => format!("{}の勝ち", name(winner)),
            reason::TIME => format!("時間切れにより{}の勝ち", name(winner)),
            _ if word == "詰み" => word.to_owned(),
            // No word says so, but who won is known.
            _ if word == "中断" => format!("{}の勝ち", name(winner)),
            _ => format!("{}の{word}", name(mover)),
        },
        _ => word.to_owned(),
    };
    format!("まで{}手で{told}\n", record.plies().len())
}
