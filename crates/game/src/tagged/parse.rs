//! Reading the tagged format.

use std::time::Duration;

use crate::{Ending, Notation, ParsedRecord, Record, RecordError, reason};

use super::{EVAL, GAME, LINE, NAMES, OPEN, RESULT, RESULTS, START, TERMINATION, TIME, is_number, is_result};

/// Reads one record after another. A record ends at its result word, or where tags begin again.
pub fn read<G: Notation>(bytes: &[u8]) -> impl Iterator<Item = ParsedRecord<G>> + '_ {
    let text = String::from_utf8_lossy(bytes);
    let mut at = if text.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 };
    std::iter::from_fn(move || {
        let mut tokens = Tokens { text: &text, at };
        let record = read_record(&mut tokens);
        at = tokens.at;
        record
    })
}

/// A piece of a record.
#[derive(Clone, PartialEq, Debug)]
enum Token<'a> {
    /// `[Name "value"]`
    Tag(&'a str, String),
    /// `{text}`, with doubled braces halved.
    Comment(String),
    /// A move, a number or a result.
    Word(&'a str),
    /// Something that has no end, or a tag that is none.
    Broken(&'a str, &'static str),
}

struct Tokens<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Tokens<'a> {
    fn next(&mut self) -> Option<Token<'a>> {
        let rest = self.text.get(self.at..)?;
        let trimmed = rest.trim_start();
        self.at += rest.len() - trimmed.len();
        let (token, length) = match trimmed.chars().next()? {
            '[' => tag(trimmed),
            '{' => comment(trimmed),
            _ => {
                let end = trimmed.find(|c: char| c.is_whitespace() || c == '{').unwrap_or(trimmed.len());
                (Token::Word(&trimmed[..end]), end)
            }
        };
        self.at += length;
        Some(token)
    }

    fn begins_tag(&self) -> bool {
        self.text.get(self.at..).is_some_and(|rest| rest.trim_start().starts_with('['))
    }
}

/// A tag stands on one line. The length includes its brackets.
fn tag(text: &str) -> (Token<'_>, usize) {
    let line = text.lines().next().unwrap_or_default();
    let broken = (Token::Broken(line, "a tag reads [First \"name\"]"), line.len().max(1));
    let Some((name, rest)) = line[1..].split_once(char::is_whitespace) else { return broken };
    let Some(quoted) = rest.trim_start().strip_prefix('"') else { return broken };
    let mut value = String::new();
    let mut letters = quoted.char_indices();
    while let Some((at, letter)) = letters.next() {
        match letter {
            '\\' => value.extend(letters.next().map(|(_, letter)| letter)),
            '"' => {
                let behind = quoted[at + 1..].trim_start();
                if name.is_empty() || !behind.starts_with(']') {
                    return broken;
                }
                return (Token::Tag(name, value), line.len() - behind.len() + 1);
            }
            letter => value.push(letter),
        }
    }
    broken
}

fn comment(text: &str) -> (Token<'_>, usize) {
    let mut words = String::new();
    let mut at = 1;
    while let Some(end) = text[at..].find('}') {
        words += &text[at..at + end];
        at += end + 1;
        if !text[at..].starts_with('}') {
            return (Token::Comment(words), at);
        }
        words.push('}');
        at += 1;
    }
    (Token::Broken(text.lines().next().unwrap_or_default(), "this comment is not closed by }"), text.len())
}

/// The tags of a record that are not simply kept.
#[derive(Default)]
struct Head {
    result: Option<String>,
    termination: Option<String>,
}

fn read_record<G: Notation>(tokens: &mut Tokens<'_>) -> Option<ParsedRecord<G>> {
    let mut record = Record::new(G::start());
    let mut head = Head::default();
    let mut fault: Option<RecordError> = None;
    let (mut begun, mut playing, mut written) = (false, false, 0);
    loop {
        if playing && tokens.begins_tag() {
            break;
        }
        let Some(token) = tokens.next() else { break };
        begun = true;
        match token {
            Token::Word(word) if is_result(word) => {
                head.result.get_or_insert(word.to_owned());
                break;
            }
            Token::Word(word) if is_number(word) => playing = true,
            Token::Word(word) => {
                playing = true;
                written += 1;
                if fault.is_none() {
                    fault = record.push_text(word).err().map(|refusal| refusal.at_move(written, word));
                }
            }
            // The rest of a record that went wrong is only read past.
            _ if fault.is_some() => {}
            Token::Tag(name, value) => fault = keep(&mut record, &mut head, name, value).err(),
            Token::Comment(words) => {
                playing = true;
                annotate(&mut record, &words);
            }
            Token::Broken(text, message) => fault = Some(RecordError::outside(text, message)),
        }
    }
    if !begun {
        return None;
    }
    if fault.is_none() {
        fault = end(&mut record, &head).err();
    }
    Some(ParsedRecord { record, fault })
}

fn keep<G: Notation>(record: &mut Record<G>, head: &mut Head, name: &str, value: String) -> Result<(), RecordError> {
    match name {
        GAME if value != G::NAME => {
            return Err(RecordError::outside(value, format!("this is not a game of {}", G::NAME)));
        }
        GAME => {}
        START => {
            let start = G::parse(&value).map_err(RecordError::from)?;
            let tags = std::mem::take(&mut record.tags);
            *record = Record::new(start);
            record.tags = tags;
        }
        RESULT => head.result = Some(value),
        TERMINATION => head.termination = Some(value),
        _ => {
            let known = NAMES.iter().find(|(own, _)| *own == name).map_or(name, |(_, known)| known);
            record.set_tag(known, value);
        }
    }
    Ok(())
}

/// Adds a comment with its notes to the last move, or before the first.
fn annotate<G: Notation>(record: &mut Record<G>, text: &str) {
    let (mut rest, mut value, mut time, mut line) = (text, None, None, None);
    while let Some((key, word, behind)) = note(rest) {
        match key {
            EVAL => value = word.parse::<f64>().ok().filter(|value| value.is_finite()),
            TIME => time = word.parse().ok().and_then(|seconds| Duration::try_from_secs_f64(seconds).ok()),
            LINE => line = moves(record.now(), word),
            _ => break,
        }
        rest = behind;
    }
    let words = rest.strip_prefix(' ').unwrap_or(rest);
    let Some(mut note) = record.note() else {
        if !record.comment.is_empty() {
            record.comment.push('\n');
        }
        record.comment.push_str(words);
        return;
    };
    if let Some(value) = value {
        note = note.value(value);
    }
    if let Some(time) = time {
        note = note.time(time);
    }
    if let Some(line) = line {
        note = note.line(line);
    }
    if !words.is_empty() {
        note.comment(words);
    }
}

/// `[%key word]` at the beginning of a text: its key, its word and the rest.
fn note(text: &str) -> Option<(&str, &str, &str)> {
    let (inside, rest) = text.strip_prefix("[%")?.split_once(']')?;
    let (key, word) = inside.split_once(' ')?;
    Some((key, word, rest))
}

/// The moves of a line, as far as they are legal.
fn moves<G: Notation>(now: &G, text: &str) -> Option<Vec<G::Move>> {
    let (mut now, mut line) = (now.clone(), Vec::new());
    for word in text.split_whitespace() {
        let Ok(mv) = now.parse_move(word) else { break };
        now.play(mv);
        line.push(mv);
    }
    (!line.is_empty()).then_some(line)
}

/// Applies the stated result. It may not contradict the board.
fn end<G: Notation>(record: &mut Record<G>, head: &Head) -> Result<(), RecordError> {
    let Some(result) = head.result.as_deref().filter(|result| *result != OPEN) else { return Ok(()) };
    let Some((_, winner)) = RESULTS.iter().find(|(word, _)| *word == result) else {
        return Err(RecordError::outside(result, "a result is 1-0, 0-1, 1/2-1/2 or *"));
    };
    let reason = head.termination.as_deref().and_then(reason::named);
    match record.ending() {
        Some(board) if board.winner == *winner => {
            reason.into_iter().for_each(|reason| record.state(reason));
            Ok(())
        }
        Some(board) => {
            let told = board.winner.map_or("a draw".to_owned(), |side| format!("won by the {side} player"));
            Err(RecordError::outside(
                result,
                format!("the game ended otherwise on the board: {told}, {}", board.reason),
            ))
        }
        None => {
            let reason = reason.unwrap_or(reason::STATED);
            record
                .end(Ending { winner: *winner, reason })
                .map_err(|refusal| RecordError::outside(result, refusal.to_string()))
        }
    }
}
