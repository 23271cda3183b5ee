//! Writing the tagged format.

use crate::{Notation, Ply, Record, Side};

use super::{EVAL, GAME, LINE, NAMES, OPEN, RESULT, RESULTS, START, TERMINATION, TIME};

/// The longest line of moves. Comments are never broken.
const WIDTH: usize = 80;

/// One record, with an empty line behind it; or which tag the format cannot hold.
///
/// # Errors
/// The name of a tag has blanks, quotation marks or brackets, or another meaning here.
pub fn write<G: Notation>(record: &Record<G>) -> Result<String, String> {
    let mut text = String::new();
    tag(GAME, G::NAME, &mut text);
    // The known tags come first, in one order; the others as they stand.
    for (name, known) in NAMES {
        if let Some(value) = record.tag(known) {
            tag(name, value, &mut text);
        }
    }
    for (name, value) in &record.tags {
        if !NAMES.iter().any(|(_, known)| known == name) {
            tag(checked(name)?, value, &mut text);
        }
    }
    if *record.start() != G::start() {
        tag(START, &record.start().print(), &mut text);
    }
    let ending = record.ending();
    let result = ending.map_or(OPEN, |ending| {
        RESULTS.iter().find(|(_, winner)| *winner == ending.winner).map_or(OPEN, |(word, _)| word)
    });
    tag(RESULT, result, &mut text);
    if let Some(ending) = ending {
        tag(TERMINATION, record.stated().unwrap_or(ending.reason), &mut text);
    }
    text.push('\n');
    let mut lines = Wrapped { text, column: 0 };
    if !record.comment.is_empty() {
        lines.push(&braces("", &record.comment));
    }
    let mut now = record.start().clone();
    for (index, ply) in record.plies().iter().enumerate() {
        let offset = usize::from(record.start().mover() == Side::Second);
        let number = (index + offset) / 2 + 1;
        match (index + offset) % 2 {
            0 => lines.push(&format!("{number}.")),
            _ if index == 0 => lines.push(&format!("{number}...")),
            _ => {}
        }
        lines.push(&now.print_move(ply.mv));
        now.play(ply.mv);
        let notes = notes(ply, &now);
        if !notes.is_empty() || !ply.comment.is_empty() {
            lines.push(&braces(&notes, &ply.comment));
        }
    }
    lines.push(result);
    Ok(lines.text + "\n\n")
}

/// `[Name "value"]`, with `\` before quotation marks and itself.
fn tag(name: &str, value: &str, out: &mut String) {
    let value = value.replace('\\', "\\\\").replace('"', "\\\"").replace(['\n', '\r'], " ");
    *out += &format!("[{name} \"{value}\"]\n");
}

/// A name that comes back as it is.
fn checked(name: &str) -> Result<&str, String> {
    let taken = [GAME, START, RESULT, TERMINATION].contains(&name) || NAMES.iter().any(|(own, _)| *own == name);
    let odd = |c: char| c.is_whitespace() || c.is_control() || matches!(c, '"' | '[' | ']' | '\u{fffd}');
    if name.is_empty() || taken || name.contains(odd) {
        return Err(format!("the tagged format cannot hold a tag named {name:?}"));
    }
    Ok(name)
}

/// `[%eval 1.5][%emt 2]` of a move; `now` is the position behind it.
fn notes<G: Notation>(ply: &Ply<G::Move>, now: &G) -> String {
    let mut notes = String::new();
    if let Some(value) = ply.value.filter(|value| value.is_finite()) {
        notes += &format!("[%{EVAL} {value}]");
    }
    if let Some(time) = ply.time {
        notes += &format!("[%{TIME} {}]", time.as_secs_f64());
    }
    if !ply.line.is_empty() {
        notes += &format!("[%{LINE} {}]", now.print_line(&ply.line).join(" "));
    }
    notes
}

/// `{notes text}`. A closing brace in the text is doubled; a blank keeps text apart from notes.
fn braces(notes: &str, text: &str) -> String {
    let apart = !text.is_empty() && (!notes.is_empty() || text.starts_with([' ', '[']));
    format!("{{{notes}{}{}}}", if apart { " " } else { "" }, text.replace('}', "}}"))
}

/// Words between blanks, in lines that are not too long.
struct Wrapped {
    text: String,
    column: usize,
}

impl Wrapped {
    fn push(&mut self, word: &str) {
        let width = word.chars().count();
        if self.column > 0 {
            let fits = self.column + 1 + width <= WIDTH;
            self.text.push(if fits { ' ' } else { '\n' });
            self.column = if fits { self.column + 1 } else { 0 };
        }
        self.text += word;
        self.column += word.rsplit('\n').next().map_or(width, |last| last.chars().count());
    }
}
