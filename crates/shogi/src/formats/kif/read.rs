//! Reading KIF and KI2 records, line by line: the game first, then its variations.

use tesuji_game::{Ending, Game, ParsedRecord, Side};

use super::line::KifLine;
use super::moves::Written;
use super::start::KifStart;
use super::{clock, result, words};
use crate::Shogi;
use crate::formats::draft::{Draft, LineReader};
use crate::formats::stated::{self, Stated};

/// Reads one KIF or KI2 record.
#[derive(Default)]
pub(crate) struct KifReader {
    draft: Draft,
    start: KifStart,
    /// The number of the move that comes next, once one was numbered.
    next: Option<u32>,
    /// The number of the first move, once one was numbered.
    first: Option<u32>,
    /// Behind the main line, among variations.
    aside: bool,
}

impl LineReader for KifReader {
    fn begins_next(&self, line: &str) -> bool {
        match KifLine::of(line) {
            KifLine::Frame => self.draft.begun(),
            KifLine::Header(key, _) => self.draft.playing() && words::opens(key),
            KifLine::Rank(_) => self.draft.playing(),
            // A record without a header, behind another.
            KifLine::Move(1, _) => !self.aside && self.next.is_some_and(|next| next > 1),
            _ => false,
        }
    }

    fn take(&mut self, line: &str) {
        let line = KifLine::of(line);
        if matches!(line, KifLine::Table | KifLine::Move(..) | KifLine::Marked(_)) {
            let start = &self.start;
            self.draft.open(|| start.position());
        }
        if let KifLine::Variation(number) = line {
            self.variation(number);
            return;
        }
        if self.draft.faulty() {
            return;
        }
        match line {
            KifLine::Idle | KifLine::Frame | KifLine::Table => {}
            KifLine::Comment(words) => self.comment(words),
            KifLine::Header(key, value) => self.header(key, value),
            KifLine::Rank(row) => {
                self.draft.begin();
                let read = self.start.rank(row);
                self.check(row, read);
            }
            KifLine::Turn(side) => self.start.set_mover(side),
            KifLine::Played(played) => self.start.set_played(played),
            KifLine::Move(number, text) => self.numbered(number, text),
            KifLine::Marked(text) => self.marked(text),
            KifLine::Variation(_) => {}
            KifLine::Result(text) => self.result(text),
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

impl KifReader {
    /// Begins the variation that replaces the move of this number in the line before it.
    fn variation(&mut self, number: u32) {
        if !self.draft.playing() {
            return;
        }
        self.aside = true;
        // Numbers need not begin at 1: a record may go on from the middle of a game.
        let after = number.saturating_sub(self.first.unwrap_or(1)) as usize;
        self.draft.branch(after, &format!("変化：{number}手"));
        self.next = Some(number);
    }

    fn mover(&self) -> Side {
        self.draft.game().map_or(Side::First, |game| game.now().mover())
    }

    fn check(&mut self, text: &str, read: Result<(), String>) {
        if let Err(message) = read {
            self.draft.fault_outside(text, message);
        }
    }

    fn header(&mut self, key: &str, value: &str) {
        let read = match (key, words::side_of_hand(key)) {
            (_, Some(side)) => self.start.hand(side, value),
            ("手合割", _) => self.start.name(value),
            _ => {
                self.draft.tag(words::tag(key), value);
                return;
            }
        };
        self.draft.begin();
        self.check(value, read);
    }

    /// `*評価値=30`, as graphical programs write it, is the evaluation of the player who moved; `#評価値=30`
    /// that of an analysis, which counts where the player gave none. The first player's side is plus.
    fn comment(&mut self, words: &str) {
        if let Some(ending) = Ending::from_comment(words).filter(|_| !self.draft.stated()) {
            self.draft.exact_ending(ending);
            return;
        }
        if let Some(line) = words.strip_prefix("*読み筋=").or_else(|| words.strip_prefix("#読み筋="))
            && self.expected(line)
        {
            return;
        }
        let own = words.strip_prefix("*評価値=");
        let known = self.draft.game().and_then(|game| game.plies().last()).is_some_and(|ply| ply.value.is_some());
        let analysed = words.strip_prefix("#評価値=").filter(|_| !known);
        let score = own.or(analysed).and_then(|score| score.parse::<f64>().ok()).filter(|score| score.is_finite());
        let kept = score.is_some_and(|score| {
            self.draft.value(|game| if game.now().mover() == Side::First { 0.0 - score } else { score })
        });
        if !kept {
            self.draft.words(words);
        }
    }

    /// Keeps the line that the player expected, `▲７六歩△３四歩`; tells whether all of it is legal.
    fn expected(&mut self, line: &str) -> bool {
        let spaced: String = line
            .chars()
            .flat_map(|c| [words::side_of_mark(c).map(|_| ' '), (!words::is_blank(c)).then_some(c)])
            .flatten()
            .collect();
        let before = self.draft.game().and_then(|game| game.plies().last()).map(|ply| ply.mv.to());
        self.draft.line(&spaced, |word, game| {
            let (written, rest) = Written::parse(word.trim_start_matches(|c| words::side_of_mark(c).is_some())).ok()?;
            if !rest.is_empty() {
                return None;
            }
            written.resolve_behind(game, before).ok()
        })
    }

    fn numbered(&mut self, number: u32, text: &str) {
        self.first.get_or_insert(number);
        if self.next.is_some_and(|next| next != number) {
            let message = format!("number {} comes next", self.next.unwrap_or_default());
            self.draft.fault(&format!("{number} {text}"), message);
            return;
        }
        self.next = Some(number.saturating_add(1));
        let word = text.split(words::is_blank).next().unwrap_or(text);
        if let Some(stated) = words::stated(word, self.mover()) {
            self.draft.state(word, stated);
            return;
        }
        match Written::parse(text.trim_start_matches(|c| words::side_of_mark(c).is_some())) {
            Ok((written, rest)) => {
                let shown = text.strip_suffix(rest).unwrap_or(text).trim_end_matches(words::is_blank);
                self.draft.play(shown, |game| written.resolve(game));
                if let Some(time) = clock::read(rest) {
                    self.draft.time(time);
                }
            }
            Err(message) => self.draft.fault(text, message),
        }
    }

    /// Moves that begin with the mark of their side.
    fn marked(&mut self, line: &str) {
        let mut rest = line;
        while let Some(mark) = rest.chars().next() {
            let behind = &rest[mark.len_utf8()..];
            let end = behind.find(|c| words::side_of_mark(c).is_some()).unwrap_or(behind.len());
            let text = &rest[..mark.len_utf8() + end];
            let shown = text.trim_end_matches(words::is_blank);
            let mover = self.mover();
            match Written::parse(&behind[..end]) {
                _ if self.draft.faulty() => return,
                Ok(_) if words::side_of_mark(mark) != Some(mover) => {
                    self.draft.fault(shown, format!("it is the turn of {}", words::mark(mover)));
                }
                Ok((written, _)) => self.draft.play(shown, |game| written.resolve(game)),
                Err(message) => self.draft.fault(shown, message),
            }
            rest = &rest[text.len()..];
        }
    }

    /// The closing line states the ending where no move did, and may not contradict one that did.
    fn result(&mut self, text: &str) {
        let start = &self.start;
        self.draft.open(|| start.position());
        let Some(stated) = result::read(text, &self.draft, self.mover()) else { return };
        if !self.draft.stated() {
            self.draft.state(&format!("まで{text}"), stated);
            return;
        }
        let ending = self.draft.game().and_then(|game| game.ending());
        if let (Stated::Beside(now), Some(before)) = (stated, ending)
            && now.winner != before.winner
        {
            let message = format!("the record had ended otherwise: {}", stated::told(before.winner, before.reason));
            self.draft.fault_outside(&format!("まで{text}"), message);
        }
    }
}
