//! Writing KIF and KI2 records.

use std::fmt::Write as _;
use std::mem;
use std::time::Duration;

use tesuji_game::{Game, Ply, Record, Side, Variation, tags};

use super::line::KifLine;
use super::{clock, moves, result, start, words};
use crate::formats::tag;
use crate::{Move, Shogi, Square};

/// One record in KIF, or why KIF cannot represent it. `encoding` is the encoding of the file.
pub(crate) fn kif(record: &Record<Shogi>, encoding: &str) -> Result<String, String> {
    let handicap = start::is_handicap(record.start());
    let mut out = format!("#KIF version=2.0 encoding={encoding}\n");
    header(record, handicap, &mut out)?;
    out.push_str("手数----指手---------消費時間--\n");
    comment(&record.comment, &mut out);
    let mut board = MovingBoard::at(record.start());
    for ply in record.plies() {
        board.kif(ply, &mut out);
    }
    if is_closed(record) {
        closing_comment(record, &mut out);
        numbered(record.plies().len() + 1, words::ending(record), None, &mut out);
        out.push_str(&result::write(record, handicap));
    }
    for (line, variation) in lines(record) {
        let mut board = MovingBoard::begin(&line, variation, &mut out);
        for ply in variation.plies() {
            board.kif(ply, &mut out);
        }
        if variation.ending().is_some() {
            closing_comment(&line, &mut out);
            numbered(line.plies().len() + 1, words::ending(&line), None, &mut out);
            out.push_str(&result::write(&line, handicap));
        }
    }
    Ok(out)
}

/// The numbers of the variations in the order of a file. A header names only the move that is replaced, in the line
/// before it: so a line is followed by the variations that leave it, the last branch first.
fn order(variations: &[Variation<Move>]) -> Vec<usize> {
    let mut children = vec![Vec::new(); variations.len() + 1];
    for (index, variation) in variations.iter().enumerate().rev() {
        children[variation.parent()].push(index + 1);
    }
    for children in &mut children {
        children.sort_by_key(|&number| variations[number - 1].after());
    }
    let (mut order, mut stack) = (Vec::new(), mem::take(&mut children[0]));
    while let Some(number) = stack.pop() {
        order.push(number);
        stack.append(&mut children[number]);
    }
    order
}

/// The variations of a record in that order, each with the whole line from the start.
fn lines(record: &Record<Shogi>) -> impl Iterator<Item = (Record<Shogi>, &Variation<Move>)> {
    order(record.variations()).into_iter().filter_map(|number| {
        let variation = &record.variations()[number - 1];
        let mut line = record.line_up_to(number, usize::MAX)?;
        if let Some(ending) = variation.ending().filter(|_| line.ending().is_none()) {
            // Only an open line takes an ending, and this one is.
            drop(line.end(ending));
        }
        Some((line, variation))
    })
}

/// A board on which moves are made and written.
struct MovingBoard {
    now: Shogi,
    plies: usize,
    used: [Duration; 2],
    before: Option<Square>,
}

impl MovingBoard {
    fn at(start: &Shogi) -> MovingBoard {
        MovingBoard { now: start.clone(), plies: 0, used: [Duration::ZERO; 2], before: None }
    }

    /// Writes the header of a variation; the board where it begins.
    fn begin(line: &Record<Shogi>, variation: &Variation<Move>, out: &mut String) -> MovingBoard {
        let _ = writeln!(out, "\n変化：{}手", variation.after() + 1);
        let mut board = MovingBoard::at(line.start());
        line.moves().take(variation.after()).for_each(|mv| board.play(mv));
        board
    }

    fn play(&mut self, mv: Move) {
        self.before = Some(mv.to());
        self.now.play(mv);
        self.plies += 1;
    }

    /// Plays and writes one move with its notes.
    fn kif(&mut self, ply: &Ply<Move>, out: &mut String) {
        let mover = self.now.mover();
        let clock = ply.time.map(|time| {
            let total = &mut self.used[mover.index()];
            *total = total.saturating_add(time);
            clock::write(time, *total)
        });
        numbered(self.plies + 1, &moves::kif(&self.now, ply.mv, self.before), clock.as_deref(), out);
        self.play(ply.mv);
        self.notes(ply, mover, out);
    }

    /// Plays and writes moves between blanks, six on a line.
    fn ki2(&mut self, plies: &[Ply<Move>], out: &mut String) {
        let mut on_line = 0;
        for ply in plies {
            let mover = self.now.mover();
            out.push_str(&moves::ki2(&self.now, ply.mv, self.before));
            self.play(ply.mv);
            let mut told = String::new();
            self.notes(ply, mover, &mut told);
            on_line += 1;
            if !told.is_empty() || on_line == 6 {
                out.push('\n');
                on_line = 0;
            } else {
                out.push('　');
            }
            out.push_str(&told);
        }
        if on_line > 0 {
            out.push('\n');
        }
    }

    /// What is known about the move of `mover` that led here.
    fn notes(&self, ply: &Ply<Move>, mover: Side, out: &mut String) {
        if let Some(value) = ply.value.filter(|value| value.is_finite()) {
            let _ = writeln!(out, "**評価値={}", if mover == Side::First { value } else { 0.0 - value });
        }
        if !ply.line.is_empty() {
            let (mut ahead, mut before) = (self.now.clone(), self.before);
            out.push_str("**読み筋=");
            for &mv in &ply.line {
                out.push_str(&moves::ki2(&ahead, mv, before));
                before = Some(mv.to());
                ahead.play(mv);
            }
            out.push('\n');
        }
        comment(&ply.comment, out);
    }
}

/// One record in KI2, or why KI2 cannot represent it. KI2 has no times.
pub(crate) fn ki2(record: &Record<Shogi>) -> Result<String, String> {
    let handicap = start::is_handicap(record.start());
    let mut out = "#KI2 version=2.0 encoding=UTF-8\n".to_owned();
    header(record, handicap, &mut out)?;
    comment(&record.comment, &mut out);
    MovingBoard::at(record.start()).ki2(record.plies(), &mut out);
    if is_closed(record) {
        closing_comment(record, &mut out);
        out.push_str(&result::write(record, handicap));
    }
    for (line, variation) in lines(record) {
        MovingBoard::begin(&line, variation, &mut out).ki2(variation.plies(), &mut out);
        if variation.ending().is_some() {
            closing_comment(&line, &mut out);
            out.push_str(&result::write(&line, handicap));
        }
    }
    Ok(out)
}

/// The comment that tells an ending for which there is no word.
fn closing_comment(record: &Record<Shogi>, out: &mut String) {
    if let Some(exact) = words::exact_ending(record) {
        comment(&exact, out);
    }
}

/// Whether the record needs a closing line: a position alone does not.
fn is_closed(record: &Record<Shogi>) -> bool {
    !record.plies().is_empty() || record.ending().is_some()
}

fn header(record: &Record<Shogi>, handicap: bool, out: &mut String) -> Result<(), String> {
    out.push_str(&start::write(record.start()));
    for (name, value) in &record.tags {
        let header = words::header(name, handicap);
        let value = if name == tags::CLOCK { words::clock(value) } else { tag::flat(value) };
        let line = format!("{header}：{value}");
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

/// A numbered line, with the clock in the fourteenth column behind the number as programs print it.
fn numbered(number: usize, text: &str, clock: Option<&str>, out: &mut String) {
    let width: usize = text.chars().map(|c| if c.is_ascii() { 1 } else { 2 }).sum();
    let _ = write!(out, "{number:>4} {text}");
    if let Some(clock) = clock {
        let _ = write!(out, "{:blanks$}{clock}", "", blanks = 13_usize.saturating_sub(width).max(1));
    }
    out.push('\n');
}
