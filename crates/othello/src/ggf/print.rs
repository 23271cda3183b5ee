//! Writing GGF.

use std::time::Duration;

use tesuji_game::{ClockTag, Ending, Game, Ply, Record, Side, reason, tags};

use super::{COMMENT, EVENT, TAGS, TYPE};
use crate::notation::print_board;
use crate::{Move, Othello};

/// One game on one line.
pub(crate) fn write(record: &Record<Othello>) -> String {
    let mut text = "(;GM[Othello]".to_owned();
    for (property, tag) in TAGS {
        let value = match (tag, record.tag(tag)) {
            (tags::RESULT, stated) => result(record, stated),
            (tags::CLOCK, Some(value)) => clock(value),
            (_, Some(value)) => sound(value),
            (TYPE, None) => "8".to_owned(),
            (_, None) => continue,
        };
        text += &format!("{property}[{value}]");
    }
    if let Some(event) = record.tag(tags::EVENT) {
        comment(&format!("{EVENT}{event}"), &mut text);
    }
    let told = |ending: &Ending| !record.now().is_over() && !is_told(*ending);
    if let Some(ending) = record.ending().filter(told) {
        comment(&ending.comment(), &mut text);
    }
    comment(&record.comment, &mut text);
    let mover = if record.start().mover() == Side::First { '*' } else { 'O' };
    text += &format!("BO[8 {} {mover}]", print_board(record.start(), ['*', 'O', '-']));
    let mut side = record.start().mover();
    for ply in record.plies() {
        let colour = if side == Side::First { 'B' } else { 'W' };
        text += &format!("{colour}[{}]", noted(ply));
        comment(&ply.comment, &mut text);
        side = !side;
    }
    text + ";)\n"
}

/// GGF knows no escape: what would end a value or begin a game is written otherwise.
fn sound(value: &str) -> String {
    value.replace(']', ")").replace("(;", "( ;").replace(['\n', '\r'], " ")
}

/// One comment per line of text.
fn comment(words: &str, out: &mut String) {
    for line in words.split(['\n', '\r']).filter(|line| !line.is_empty()) {
        *out += &format!("{COMMENT}[{}]", sound(line));
    }
}

/// Black's lead at the end, with a flag when the game was resigned (`r`), lost on time (`t`) or settled by both players
/// (`s`); unknown for an unfinished game. A result stated by the source comes first.
fn result(record: &Record<Othello>, stated: Option<&str>) -> String {
    let now = record.now();
    let lead = if now.mover() == Side::First { now.score() } else { -now.score() };
    match (stated, record.ending()) {
        (Some(stated), _) => match stated.trim().parse::<f64>() {
            Ok(lead) if lead.is_finite() => format!("{lead:+.3}"),
            _ => sound(stated),
        },
        (None, None) => "?".to_owned(),
        (None, Some(_)) if now.is_over() => format!("{lead:+}.000"),
        (None, Some(ending)) => {
            // Off the board the winner gets all squares.
            let lead = match ending.winner {
                Some(Side::First) => 64,
                Some(Side::Second) => -64,
                None => 0,
            };
            format!("{lead:+}.000{}", flag(ending.reason))
        }
    }
}

fn flag(reason: &str) -> &'static str {
    match reason {
        reason::RESIGNATION => ":r",
        reason::TIME => ":t",
        reason::AGREEMENT | reason::ADJUDICATED_WIN | reason::ADJUDICATED_DRAW => ":s",
        _ => "",
    }
}

/// Whether the flag of the result alone tells this ending.
fn is_told(ending: Ending) -> bool {
    [reason::RESIGNATION, reason::TIME, reason::AGREEMENT].contains(&ending.reason)
}

/// A time control as `main/increment/extension`; a time for each move stands alone. Texts of files stay.
fn clock(text: &str) -> String {
    let Some(ClockTag { main, increment, byoyomi, .. }) = ClockTag::parse(text) else { return sound(text) };
    let mut parts = vec![minutes(main), minutes(increment), minutes(byoyomi)];
    if byoyomi.is_zero() {
        parts.pop();
        if increment.is_zero() {
            parts.pop();
        }
    }
    parts.join("/")
}

/// `5:00`, `0:00.02`.
fn minutes(time: Duration) -> String {
    let (whole, millis) = (time.as_secs(), time.subsec_millis());
    let fraction = if millis == 0 { String::new() } else { format!(".{millis:03}") };
    format!("{}:{:02}{}", whole / 60, whole % 60, fraction.trim_end_matches('0'))
}

/// Seconds with two decimals, or three where the third is not 0: `1.50`, `0.004`.
fn seconds(seconds: f64) -> String {
    let text = format!("{seconds:.3}");
    text.strip_suffix('0').unwrap_or(&text).to_owned()
}

/// The move, then its value in discs, then its time in seconds, as far as they are known.
fn noted(ply: &Ply<Move>) -> String {
    let mv = ply.mv.square().map_or("PA".to_owned(), |square| square.to_string().to_uppercase());
    let value = ply.value.filter(|value| value.is_finite()).map(|value| format!("{value:.2}"));
    let time = ply.time.map(|time| seconds(time.as_secs_f64()));
    match (value, time) {
        (None, None) => mv,
        (Some(value), None) => format!("{mv}/{value}"),
        (value, Some(time)) => format!("{mv}/{}/{time}", value.unwrap_or_default()),
    }
}
