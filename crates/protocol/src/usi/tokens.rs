//! A line split into tokens. A token that is not the expected number is not consumed.

use std::borrow::Cow;
use std::time::Duration;

/// The longest time of a clock, far below the overflow of `Instant` arithmetic.
const LONGEST: Duration = Duration::from_secs(366 * 24 * 3600);

/// Any bytes as text. Invalid UTF-8 becomes replacement characters, which no command contains.
pub(super) fn text(line: &[u8]) -> Cow<'_, str> {
    String::from_utf8_lossy(line)
}

/// Whether a character separates tokens: whitespace and control characters.
fn is_gap(letter: char) -> bool {
    letter.is_whitespace() || letter.is_control()
}

/// The tokens of a line, from left to right.
#[derive(Clone, Debug)]
pub(super) struct Tokens<'a> {
    rest: &'a str,
}

impl<'a> Tokens<'a> {
    pub(super) fn new(line: &'a str) -> Tokens<'a> {
        Tokens { rest: line }
    }

    /// The next token, without consuming it.
    pub(super) fn peek(&self) -> Option<&'a str> {
        self.clone().next()
    }

    /// The tokens before the first one that `ends` the list, joined by single blanks.
    pub(super) fn until(&mut self, ends: impl Fn(&str) -> bool) -> String {
        self.list(ends).join(" ")
    }

    /// The tokens before the first one that `ends` the list. That one is not consumed.
    pub(super) fn list(&mut self, ends: impl Fn(&str) -> bool) -> Vec<&'a str> {
        let mut list = Vec::new();
        while let Some(word) = self.peek().filter(|word| !ends(word)) {
            list.push(word);
            self.next();
        }
        list
    }

    /// Consumes the next token if it is this one.
    pub(super) fn next_if(&mut self, word: &str) -> bool {
        let is_next = self.peek() == Some(word);
        if is_next {
            self.next();
        }
        is_next
    }

    /// The rest of the line, as written.
    pub(super) fn rest(&mut self) -> &'a str {
        std::mem::take(&mut self.rest).trim_matches(is_gap)
    }

    /// The next token as a whole number, clamped to the range of the type; `None` when it is not a number.
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

    /// A number of milliseconds. A negative number means no time.
    pub(super) fn millis(&mut self) -> Option<Duration> {
        Some(Duration::from_millis(self.number(0, u64::MAX)?).min(LONGEST))
    }
}

impl<'a> Iterator for Tokens<'a> {
    type Item = &'a str;

    fn next(&mut self) -> Option<&'a str> {
        let rest = self.rest.trim_start_matches(is_gap);
        let end = rest.find(is_gap).unwrap_or(rest.len());
        let (word, rest) = rest.split_at(end);
        self.rest = rest;
        (!word.is_empty()).then_some(word)
    }
}
