//! Reading CSA records, statement by statement.

use std::time::Duration;

use tesuji_game::{Game, ParsedRecord, Side, tags};

use super::remark::{self, Remark};
use super::start::CsaStart;
use super::{moves, words};
use crate::Shogi;
use crate::formats::draft::{Draft, LineReader};

/// Reads one CSA record.
#[derive(Default)]
pub(crate) struct CsaReader {
    draft: Draft,
    start: CsaStart,
}

impl LineReader for CsaReader {
    fn begins_next(&self, line: &str) -> bool {
        let line = line.trim();
        let mut chars = line.chars();
        match (chars.next(), chars.next()) {
            (Some('/'), None) => true,
            // Records written behind one another without a separator. Only `$END_TIME` may follow moves.
            (Some('V'), Some('0'..='9')) => self.draft.begun(),
            (Some('N'), Some('+' | '-')) | (Some('P'), Some('I' | '+' | '-' | '1'..='9')) => self.draft.playing(),
            _ => false,
        }
    }

    fn take(&mut self, line: &str) {
        // Old files end with the byte 0x1a.
        let mut rest = line.trim_matches(|c: char| c.is_whitespace() || c == '\u{1a}');
        while !rest.is_empty() && !self.draft.faulty() {
            // Words may hold commas; everything else is cut at them.
            if rest.starts_with(['\'', 'N', '$']) {
                self.text(rest);
                return;
            }
            let (statement, next) = rest.split_once(',').unwrap_or((rest, ""));
            self.statement(statement.trim());
            rest = next.trim();
        }
    }

    fn faulty(&self) -> bool {
        self.draft.faulty()
    }

    fn finish(self) -> Option<ParsedRecord<Shogi>> {
        let start = self.start;
        self.draft.finish(|| start.position())
    }
}

impl CsaReader {
    /// A comment or a header.
    fn text(&mut self, line: &str) {
        if let Some(comment) = line.strip_prefix('\'') {
            self.comment(comment);
        } else if let Some(header) = line.strip_prefix('$') {
            let (keyword, value) = header.split_once(':').unwrap_or((header, ""));
            match words::read_clock(value.trim()).filter(|_| keyword == words::TIME) {
                Some(clock) => self.draft.tag(tags::CLOCK, &clock.to_string()),
                None => self.draft.tag(words::tag(keyword), value.trim()),
            }
        } else if let Some(name) = line.strip_prefix("N+") {
            self.draft.tag(tags::FIRST, name.trim());
        } else if let Some(name) = line.strip_prefix("N-") {
            self.draft.tag(tags::SECOND, name.trim());
        } else {
            self.draft.fault_outside(line, "names are written N+… and N-…");
        }
    }

    fn comment(&mut self, text: &str) {
        if let Some(ending) = words::read_summary(text).filter(|_| !self.draft.stated()) {
            self.draft.exact_ending(ending);
            return;
        }
        // A server sums up behind the end, in words of its own.
        if let Some(summary) = text.strip_prefix(words::SUMMARY).filter(|_| self.draft.stated()) {
            self.draft.tag(tags::SUMMARY, summary.trim());
            return;
        }
        match remark::read(text) {
            Remark::Frame => {}
            Remark::Rating(side, rating) => self.draft.tag(words::RATINGS[side.index()].1, rating),
            Remark::Words(words) => self.draft.words(words),
            Remark::Score(score, line) => {
                // Always from the first player's point of view.
                let kept = self.draft.value(|game| match game.now().mover() {
                    Side::First => 0.0 - score,
                    Side::Second => score,
                });
                match kept {
                    true if line.is_empty() => {}
                    true if self.draft.line(line, |word, game| moves::read(word, game).ok()) => {}
                    true => self.draft.words(line),
                    false => self.draft.words(text),
                }
            }
        }
    }

    fn statement(&mut self, statement: &str) {
        let start = &mut self.start;
        let draft = &mut self.draft;
        match statement.as_bytes() {
            [] | b"/" => {}
            [b'V', ..] => draft.begin(),
            [b'P', ..] if draft.playing() => {
                draft.fault_outside(statement, "the start position must stand before the moves");
            }
            [b'P', ..] => {
                draft.begin();
                if let Err(message) = start.read(statement) {
                    draft.fault_outside(statement, message);
                }
            }
            [b'+' | b'-'] if draft.playing() => {
                draft.fault(statement, "the side to move is said once, before the moves");
            }
            [sign @ (b'+' | b'-'), rest @ ..] => {
                if let (None, Some(side)) = (start.mover(), words::read_sign(char::from(*sign))) {
                    start.set_mover(side);
                }
                draft.open(|| start.position());
                if !rest.is_empty() {
                    draft.play(statement, |game| moves::read(statement, game));
                }
            }
            [b'T', time @ ..] => match seconds(time) {
                Some(time) => draft.time(time),
                None => draft.fault(statement, "a time is written in seconds, T12"),
            },
            [b'%', ..] => {
                draft.open(|| start.position());
                let mover = draft.game().map_or(Side::First, |game| game.now().mover());
                match words::stated(&statement[1..], mover) {
                    Some(stated) => draft.state(statement, stated),
                    None => draft.fault(statement, words::ENDINGS),
                }
            }
            _ => draft.fault_outside(statement, "no CSA statement begins so; a move reads +7776FU"),
        }
    }
}

/// `12`, or `12.5` as version 3 has it.
fn seconds(time: &[u8]) -> Option<Duration> {
    let text = std::str::from_utf8(time).ok()?.trim();
    if !text.starts_with(|c: char| c.is_ascii_digit()) {
        return None;
    }
    match text.parse() {
        Ok(whole) => Some(Duration::from_secs(whole)),
        Err(_) => Duration::try_from_secs_f64(text.parse().ok()?).ok(),
    }
}
