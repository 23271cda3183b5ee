//! Writing GGF.

use tesuji_game::{Game, Ply, Record, Side, tags};

use super::{TAGS, TYPE};
use crate::notation::print_board;
use crate::{Move, Othello};

/// One game on one line.
pub(crate) fn write(record: &Record<Othello>) -> String {
    let mut text = "(;GM[Othello]".to_owned();
    for (property, tag) in TAGS {
        let value = match record.tag(tag) {
            Some(value) => sound(value),
            None if tag == tags::RESULT => result(record),
            None if tag == TYPE => "8".to_owned(),
            None => continue,
        };
        text += &format!("{property}[{value}]");
    }
    let mover = if record.start().mover() == Side::First { '*' } else { 'O' };
    text += &format!("BO[8 {} {mover}]", print_board(record.start(), ['*', 'O', '-']));
    let mut side = record.start().mover();
    for ply in record.plies() {
        let colour = if side == Side::First { 'B' } else { 'W' };
        text += &format!("{colour}[{}]", noted(ply));
        side = !side;
    }
    text + ";)\n"
}

/// GGF knows no escape: what would end a value or begin a game is written otherwise.
fn sound(value: &str) -> String {
    value.replace(']', ")").replace("(;", "( ;").replace(['\n', '\r'], " ")
}

/// Black's lead at the end; unknown before.
fn result(record: &Record<Othello>) -> String {
    let now = record.now();
    let lead = if now.mover() == Side::First { now.score() } else { -now.score() };
    if now.is_over() { format!("{lead:+}.000") } else { "?".to_owned() }
}

/// The move, then its value, then its time, as far as they are known.
fn noted(ply: &Ply<Move>) -> String {
    let mv = ply.mv.square().map_or("PA".to_owned(), |square| square.to_string().to_uppercase());
    let value = ply.value.filter(|value| value.is_finite()).map(|value| value.to_string());
    let time = ply.time.map(|time| time.as_secs_f64().to_string());
    match (value, time) {
        (None, None) => mv,
        (Some(value), None) => format!("{mv}/{value}"),
        (value, Some(time)) => format!("{mv}/{}/{time}", value.unwrap_or_default()),
    }
}
