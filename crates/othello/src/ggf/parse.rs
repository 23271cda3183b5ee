//! Reading GGF: properties first, then what they mean.

use std::time::Duration;

use tesuji_game::{Ending, Game, Notation, ParsedRecord, Record, RecordError, Side, reason, tags};

use super::{COMMENT, EVENT, TAGS};
use crate::notation::colour;
use crate::transcript::push;
use crate::{Othello, Square};

const BEGIN: &[u8] = b"(;";

/// Reads one game after another; whatever stands between them is skipped.
pub(crate) fn read(bytes: &[u8]) -> impl Iterator<Item = ParsedRecord<Othello>> + '_ {
    let mut rest = bytes;
    let mut found = bytes.trim_ascii().is_empty();
    // How far line feeds were counted, and how many there were.
    let mut counted = (0, 0);
    std::iter::from_fn(move || {
        let Some(begin) = find(rest, BEGIN) else {
            let fault = RecordError::outside("", "there is no game here; one begins with (;GM[Othello]");
            let missing = !std::mem::replace(&mut found, true);
            return missing.then(|| ParsedRecord { record: Record::new(Othello::start()), fault: Some(fault) });
        };
        found = true;
        let mut tree = GgfTree { rest: &rest[begin + BEGIN.len()..] };
        let (ParsedRecord { record, fault }, left) = read_game(&mut tree);
        rest = tree.rest;
        let fault = fault.map(|fault| {
            let (from, feeds) = counted;
            let at = bytes.len() - left;
            counted = (at, feeds + bytes[from..at].iter().filter(|&&byte| byte == b'\n').count());
            fault.on_line(counted.1 + 1)
        });
        Some(ParsedRecord { record, fault })
    })
}

fn find(bytes: &[u8], what: &[u8]) -> Option<usize> {
    bytes.windows(what.len()).position(|window| window == what)
}

/// The properties of one game, as they come.
struct GgfTree<'a> {
    rest: &'a [u8],
}

/// `NAME[value]`
struct Property {
    name: String,
    value: String,
}

impl GgfTree<'_> {
    /// The next property; `None` behind the closing `;)`.
    fn next(&mut self) -> Result<Option<Property>, RecordError> {
        loop {
            self.rest = self.rest.trim_ascii_start();
            match self.rest {
                [b';', rest @ ..] => self.rest = rest,
                [b')', rest @ ..] => {
                    self.rest = rest;
                    return Ok(None);
                }
                // A second value of the last property; the first one is enough for all that is known here.
                [b'[', ..] => drop(self.value()?),
                _ => break,
            }
        }
        let letters = self.rest.iter().take_while(|byte| byte.is_ascii_alphabetic()).count();
        let (name, rest) = self.rest.split_at(letters);
        let here = std::mem::replace(&mut self.rest, rest);
        if name.is_empty() || rest.first() != Some(&b'[') {
            let near = String::from_utf8_lossy(&here[..here.len().min(12)]).into_owned();
            let text = if near.is_empty() { "the end of the text".to_owned() } else { near };
            return Err(RecordError::outside(text, "a game is made of properties such as PB[name] and ends with ;)"));
        }
        let name = String::from_utf8_lossy(name).to_ascii_uppercase();
        Ok(Some(Property { name, value: self.value()? }))
    }

    /// `[value]`. One that runs into the next game was never closed; that game is still to be read.
    fn value(&mut self) -> Result<String, RecordError> {
        let text = &self.rest[1..];
        let ends = |at: &usize| text[*at] == b']' || text[*at..].starts_with(BEGIN);
        let end = (0..text.len()).find(ends).unwrap_or(text.len());
        let value = String::from_utf8_lossy(&text[..end]).into_owned();
        self.rest = &text[end..];
        match self.rest {
            [b']', rest @ ..] => {
                self.rest = rest;
                Ok(value)
            }
            _ => Err(RecordError::outside(value, "this value is not closed by ]")),
        }
    }
}

/// The game, and of one with a fault how many bytes were left before the property with the fault.
fn read_game(tree: &mut GgfTree<'_>) -> (ParsedRecord<Othello>, usize) {
    let mut record = Record::new(Othello::start());
    let mut written = 0;
    let mut fault = None;
    let mut exact = None;
    let mut left = tree.rest.len();
    loop {
        if fault.is_none() {
            left = tree.rest.trim_ascii_start().len();
        }
        match tree.next() {
            Ok(None) => break,
            Err(broken) => {
                fault.get_or_insert(broken);
                break;
            }
            // The rest of a game that went wrong is only read past.
            Ok(Some(_)) if fault.is_some() => {}
            Ok(Some(property)) if property.name == COMMENT || property.name == "C" => {
                exact = exact.or(comment(&mut record, property.value.trim()));
            }
            Ok(Some(property)) => fault = apply(&mut record, &mut written, &property).err(),
        }
    }
    if fault.is_none()
        && let Some(ending) = exact.or_else(|| record.tag(tags::RESULT).and_then(ending))
        && record.ending().is_none()
    {
        // Only an open record takes an ending, and this one is.
        drop(record.end(ending));
    }
    (ParsedRecord { record, fault }, left)
}

fn apply(record: &mut Record<Othello>, written: &mut usize, property: &Property) -> Result<(), RecordError> {
    let value = property.value.trim();
    match property.name.as_str() {
        "GM" if !value.eq_ignore_ascii_case("othello") && !value.eq_ignore_ascii_case("reversi") => {
            Err(RecordError::outside(value, "this is not a game of Othello"))
        }
        "BO" if *written > 0 => Err(RecordError::outside(value, "the board must come before the moves")),
        "BO" => {
            let begun = Record::new(board(value)?);
            let Record { tags, comment, .. } = std::mem::replace(record, begun);
            (record.tags, record.comment) = (tags, comment);
            Ok(())
        }
        "B" | "W" => {
            *written += 1;
            let side = if property.name == "B" { Side::First } else { Side::Second };
            play(record, side, value, *written)
        }
        "EV" => {
            record.set_tag(tags::EVENT, value);
            Ok(())
        }
        name => {
            if let Some((_, tag)) = TAGS.iter().find(|(known, _)| *known == name)
                && value != "?"
            {
                record.set_tag(tag, value);
            }
            Ok(())
        }
    }
}

/// Keeps a comment; gives back the ending that it states, if it is one of those.
fn comment(record: &mut Record<Othello>, words: &str) -> Option<Ending> {
    if let Some(ending) = Ending::from_comment(words) {
        return Some(ending);
    }
    if let Some(event) = words.strip_prefix(EVENT).filter(|_| record.plies().is_empty()) {
        record.set_tag(tags::EVENT, event);
    } else if let Some(note) = record.note() {
        note.comment(words);
    } else {
        if !record.comment.is_empty() {
            record.comment.push('\n');
        }
        record.comment += words;
    }
    None
}

/// `8 <64 squares> *`, perhaps with blanks between the rows.
fn board(value: &str) -> Result<Othello, RecordError> {
    let Some(squares) = value.strip_prefix("8").filter(|rest| rest.starts_with(char::is_whitespace)) else {
        return Err(RecordError::outside(value, "only boards of 8 by 8 can be read: BO[8 <64 squares> *]"));
    };
    let squares: String = squares.split_whitespace().collect();
    Othello::parse(&squares).map_err(RecordError::from)
}

/// `F5/eval/time`
fn play(record: &mut Record<Othello>, side: Side, value: &str, number: usize) -> Result<(), RecordError> {
    let mut parts = value.split('/').map(str::trim);
    let mv = parts.next().unwrap_or_default();
    let now = record.now();
    let played = if record.ending().is_some() || now.mover() == side {
        record.push_text(mv)
    } else if now.must_pass() && Square::parse(mv).is_some() {
        push(record, mv)
    } else {
        let message = format!("it is the move of {}, not of {}", colour(!side), colour(side));
        return Err(RecordError::at_move(number, value, message));
    };
    played.map_err(|refusal| refusal.at_move(number, mv))?;
    let judgement = parts.next().and_then(|text| text.parse::<f64>().ok()).filter(|value| value.is_finite());
    let time = parts.next().and_then(seconds);
    if let (Some(judgement), Some(note)) = (judgement, record.note()) {
        note.value(judgement);
    }
    if let (Some(time), Some(note)) = (time, record.note()) {
        note.time(time);
    }
    Ok(())
}

/// `75.5` or `1:15.5`
fn seconds(text: &str) -> Option<Duration> {
    let (minutes, seconds) = text.rsplit_once(':').unwrap_or(("0", text));
    let minutes: u32 = minutes.parse().ok()?;
    let seconds: f64 = seconds.parse().ok()?;
    Duration::try_from_secs_f64(f64::from(minutes) * 60.0 + seconds).ok()
}

/// How a game ended off the board: `+12.000:r` was resigned by white, `-64.000:t` lost on time by black, `0.000:s` is
/// the score that both agreed on.
fn ending(result: &str) -> Option<Ending> {
    let (lead, how) = result.split_once(':')?;
    let lead: f64 = lead.trim().parse().ok()?;
    let reason = match how.trim() {
        "r" => reason::RESIGNATION,
        "t" => reason::TIME,
        "s" => reason::AGREEMENT,
        _ => return None,
    };
    let winner = match lead {
        lead if lead > 0.0 => Some(Side::First),
        lead if lead < 0.0 => Some(Side::Second),
        _ => None,
    };
    Some(Ending { winner, reason })
}
