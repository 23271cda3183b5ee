//! Writing KIF and KI2 records.

use std::fmt::Write as _;
use std::time::Duration;

use tesuji_game::{Game, Ply, Record, Side};

use super::line::KifLine;
use super::{clock, moves, result, start, words};
use crate::formats::tag;
use crate::{Move, Shogi};

/// One record in KIF, or why KIF cannot represent it. `encoding` is the encoding of the file.
pub(crate) fn kif(record: &Record<Shogi>, encoding: &str) -> Result<String, String> {
    let handicap = start::is_handicap(record.start());
    let mut out = format!("#KIF version=2.0 encoding={encoding}\n");
    header(record, handicap, &mut out)?;
    out.push_str("手数----指手---------消費時間--\n");
    comment(&record.comment, &mut out);
    let mut now = record.start().clone();
    let mut used = [Duration::ZERO; 2];
    let mut before = None;
    for (ply, number) in record.plies().iter().zip(1..) {
        let mover = now.mover();
        let clock = ply.time.map(|time| {
            let total = &mut used[mover.index()];
            *total = total.saturating_add(time);
            clock::write(time, *total)
        });
        numbered(number, &moves::kif(&now, ply.mv, before), clock.as_deref(), &mut out);
        notes(ply, mover, &mut out);
        before = Some(ply.mv.to());
        now.play(ply.mv);
    }
    if is_closed(record) {
        numbered(record.plies().len() + 1, words::ending(record)?, None, &mut out);
        out.push_str(&result::write(record, handicap)?);
    }
    Ok(out)
}

/// One record in KI2, or why KI2 cannot represent it. KI2 has no times.
pub(crate) fn ki2(record: &Record<Shogi>) -> Result<String, String> {
    let handicap = start::is_handicap(record.start());
    let mut out = "#KI2 version=2.0 encoding=UTF-8\n".to_owned();
    header(record, handicap, &mut out)?;
    comment(&record.comment, &mut out);
    let mut now = record.start().clone();
    let mut before = None;
    let mut on_line = 0;
    for ply in record.plies() {
        out.push_str(&moves::ki2(&now, ply.mv, before));
        let mut told = String::new();
        notes(ply, now.mover(), &mut told);
        on_line += 1;
        if !told.is_empty() || on_line == 6 {
            out.push('\n');
            on_line = 0;
        } else {
            out.push('　');
        }
        out.push_str(&told);
        before = Some(ply.mv.to());
        now.play(ply.mv);
    }
    if on_line > 0 {
        out.push('\n');
    }
    if is_closed(record) {
        out.push_str(&result::write(record, handicap)?);
    }
    Ok(out)
}

/// Whether the record needs a closing line: a position alone does not.
fn is_closed(record: &Record<Shogi>) -> bool {
    !record.plies().is_empty() || record.ending().is_some()
}

fn header(record: &Record<Shogi>, handicap: bool, out: &mut String) -> Result<(), String> {
    out.push_str(&start::write(record.start()));
    for (name, value) in &record.tags {
        let header = words::header(name, handicap);
        let line = format!("{header}：{}", tag::flat(value));
        // What would be read as something else cannot be held.
        let is_header = matches!(KifLine::of(&line), KifLine::Header(key, _) if key == header);
        if !is_header || header.contains(['\n', '\r']) || words::means_start(header) {
            return Err(format!("KIF cannot hold a tag named {name:?}: its line would mean something else"));
        }
        let _ = writeln!(out, "{line}");
    }
    Ok(())
}

fn comment(words: &str, out: &mut String) {
    if words.is_empty() {
        return;
    }
    for line in words.split(['\n', '\r']) {
        // A bookmark is its own mark.
        let mark = if line.starts_with('&') { "" } else { "*" };
        let _ = writeln!(out, "{mark}{line}");
    }
}

fn notes(ply: &Ply<Move>, mover: Side, out: &mut String) {
    if let Some(value) = ply.value.filter(|value| value.is_finite()) {
        let _ = writeln!(out, "**評価値={}", if mover == Side::First { value } else { 0.0 - value });
    }
    comment(&ply.comment, out);
}

/// A numbered line, with the clock in the fourteenth column behind the number as programs print it.
fn numbered(number: usize, text: &str, clock: Option<&str>, out: &mut String) {
    let width: usize = text.chars().map(|c| if c.is_ascii() { 1 } else { 2 }).sum();
    let _ = write!(out, "{number:>4} {text}");
    if let Some(clock) = clock {
        let _ = write!(out, "{:blanks$}{clock}", "", blanks = 13_usize.saturating_sub(width).max(1));
    }
    out.push('\n');
}
