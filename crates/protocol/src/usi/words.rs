//! A line taken apart word by word; numbers that cannot be read are left where they stand.

use std::borrow::Cow;
use std::time::Duration;

/// No clock of a game shows more: enough for anybody, and far from where arithmetic of instants ends.
const LONGEST: Duration = Duration::from_secs(366 * 24 * 3600);

/// Any bytes as text; what is no UTF-8 becomes signs that no command is written with.
pub(super) fn text(line: &[u8]) -> Cow<'_, str> {
    String::from_utf8_lossy(line)
}

/// What stands between words: blanks, and control characters, which belong to no word.
fn is_gap(letter: char) -> bool {
    letter.is_whitespace() || letter.is_control()
}

/// The words of a line, from left to right.
#[derive(Clone, Debug)]
pub(super) struct Words<'a> {
    rest: &'a str,
}

impl<'a> Words<'a> {
    pub(super) fn new(line: &'a str) -> Words<'a> {
        Words { rest: line }
    }

    /// The next word, without going on to it.
    pub(super) fn peek(&self) -> Option<&'a str> {
        self.clone().next()
    }

    /// The words up to one that `ends` the list, which is left, joined by single blanks.
    pub(super) fn until(&mut self, ends: impl Fn(&str) -> bool) -> String {
        self.list(ends).join(" ")
    }

    /// The words up to one that `ends` the list, which is left.
    pub(super) fn list(&mut self, ends: impl Fn(&str) -> bool) -> Vec<&'a str> {
        let mut list = Vec::new();
        while let Some(word) = self.peek().filter(|word| !ends(word)) {
            list.push(word);
            self.next();
        }
        list
    }

    /// Goes on if the next word is this one.
    pub(super) fn next_if(&mut self, word: &str) -> bool {
        let is_next = self.peek() == Some(word);
        if is_next {
            self.next();
        }
        is_next
    }

    /// Everything that is left, as it was written.
    pub(super) fn rest(&mut self) -> &'a str {
        std::mem::take(&mut self.rest).trim_matches(is_gap)
    }

    /// A whole number, if the next word is one; beyond what the type holds it is brought into its range.
    pub(super) fn number<N: TryFrom<i128>>(&mut self, least: N, most: N) -> Option<N> {
        let word = self.peek()?;
        let digits = word.strip_prefix(['-', '+']).unwrap_or(word);
        if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
            return None;
        }
        self.next();
        let negative = word.starts_with('-');
        let size = digits.parse().unwrap_or(i128::MAX);
        let number = if negative { -size } else { size };
        Some(N::try_from(number).unwrap_or(if negative { least } else { most }))
    }

    /// A number of milliseconds; below zero there is no time left.
    pub(super) fn millis(&mut self) -> Option<Duration> {
        Some(Duration::from_millis(self.number(0, u64::MAX)?).min(LONGEST))
    }
}

impl<'a> Iterator for Words<'a> {
    type Item = &'a str;

    fn next(&mut self) -> Option<&'a str> {
        let rest = self.rest.trim_start_matches(is_gap);
        let end = rest.find(is_gap).unwrap_or(rest.len());
        let (word, rest) = rest.split_at(end);
        self.rest = rest;
        (!word.is_empty()).then_some(word)
    }
}

/// Text as part of one line: control characters, line feeds above all, become blanks.
pub(super) fn on_one_line(text: &str) -> Cow<'_, str> {
    if text.contains(char::is_control) {
        Cow::Owned(text.chars().map(|letter| if letter.is_control() { ' ' } else { letter }).collect())
    } else {
        Cow::Borrowed(text)
    }
}
