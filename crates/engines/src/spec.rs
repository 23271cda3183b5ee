//! Engine specs: `name[:key=value[,key=value…]]`, in flags, files and requests.

use std::fmt;
use std::time::Duration;

use thiserror::Error;

use crate::levels::{LEVEL, LEVELS};
use crate::times::duration;

/// A parsed engine spec.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Spec {
    /// The kind of engine.
    pub name: String,
    /// Its settings, in order.
    pub settings: Vec<(String, String)>,
}

/// An invalid engine spec.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum SpecError {
    /// It does not follow the grammar.
    #[error("{text:?} is not an engine spec: write name:key=value,key=value")]
    Grammar {
        /// The offending part.
        text: String,
    },
    /// An unknown name, key or value.
    #[error("there is no {what} {text:?}; {hint}")]
    Unknown {
        /// What was expected: an engine, a setting, an evaluation.
        what: &'static str,
        /// The offending text.
        text: String,
        /// The nearest known one, or all of them.
        hint: String,
    },
    /// A value out of its range.
    #[error("{key}={value}: {message}")]
    Value {
        /// The setting.
        key: String,
        /// The offending value.
        value: String,
        /// What is expected.
        message: String,
    },
    /// What the engine plays from is not there.
    #[error("{engine}: {message}")]
    Unavailable {
        /// The kind of engine.
        engine: String,
        /// What is missing, and how to get it.
        message: String,
    },
}

impl SpecError {
    /// There is no `what` of this name among the `known` ones; names the nearest one, or all.
    pub fn unknown(what: &'static str, text: &str, known: &[&str]) -> SpecError {
        SpecError::Unknown { what, text: text.to_owned(), hint: suggestion(text, known) }
    }

    pub(crate) fn value(key: &str, value: &str, message: impl Into<String>) -> SpecError {
        SpecError::Value { key: key.to_owned(), value: value.to_owned(), message: message.into() }
    }
}

impl Spec {
    /// Parses a spec. A value in double quotes may contain anything but double quotes.
    ///
    /// # Errors
    /// The text does not follow the grammar.
    pub fn parse(text: &str) -> Result<Spec, SpecError> {
        let wrong = |part: &str| SpecError::Grammar { text: part.to_owned() };
        let is_word =
            |word: &str| !word.is_empty() && word.chars().all(|c| c.is_ascii_alphanumeric() || "-+_".contains(c));
        let (name, mut rest) = match text.split_once(':') {
            Some((name, rest)) => (name, Some(rest)),
            None => (text, None),
        };
        if !is_word(name) {
            return Err(wrong(text));
        }
        let mut settings = Vec::new();
        while let Some(part) = rest {
            let (key, after) = part.split_once('=').ok_or_else(|| wrong(part))?;
            if !is_word(key) {
                return Err(wrong(part));
            }
            let (value, after) = match after.strip_prefix('"') {
                Some(quoted) => {
                    let (value, after) = quoted.split_once('"').ok_or_else(|| wrong(after))?;
                    match after.strip_prefix(',') {
                        Some(after) => (value, Some(after)),
                        None if after.is_empty() => (value, None),
                        None => return Err(wrong(after)),
                    }
                }
                None => match after.split_once(',') {
                    Some((value, after)) => (value, Some(after)),
                    None => (after, None),
                },
            };
            if value.contains('"') {
                return Err(wrong(part));
            }
            settings.push((key.to_owned(), value.to_owned()));
            rest = after;
        }
        Ok(Spec { name: name.to_owned(), settings })
    }

    /// The value of a setting; the last one wins.
    pub fn get(&self, key: &str) -> Option<&str> {
        self.settings.iter().rev().find(|(known, _)| known == key).map(|(_, value)| value.as_str())
    }

    /// Whether the spec itself limits the search.
    pub fn is_limited(&self) -> bool {
        let weak_level = self.name == LEVEL.name && self.get("n").is_some_and(|level| level != LEVELS.to_string());
        weak_level || ["depth", "nodes", "playouts", "time", "level"].iter().any(|key| self.get(key).is_some())
    }

    /// A setting that is an integer in a range.
    ///
    /// # Errors
    /// The value is not such a number.
    pub fn number(&self, key: &str, least: u64, most: u64) -> Result<Option<u64>, SpecError> {
        let Some(text) = self.get(key) else { return Ok(None) };
        match text.parse() {
            Ok(number) if (least..=most).contains(&number) => Ok(Some(number)),
            _ if most == u64::MAX => Err(SpecError::value(key, text, format!("a whole number from {least} on"))),
            _ => Err(SpecError::value(key, text, format!("a whole number from {least} to {most}"))),
        }
    }

    /// A setting that is a decimal number in a range.
    ///
    /// # Errors
    /// The value is not such a number.
    pub fn decimal(&self, key: &str, least: f64, most: f64) -> Result<Option<f64>, SpecError> {
        let Some(text) = self.get(key) else { return Ok(None) };
        match text.parse() {
            Ok(number) if (least..=most).contains(&number) => Ok(Some(number)),
            _ => Err(SpecError::value(key, text, format!("a number from {least} to {most}"))),
        }
    }

    /// A setting that is a duration: `250ms`, `1s`, `1.5s`, `2m`.
    ///
    /// # Errors
    /// The value is not a positive duration.
    pub fn duration(&self, key: &str) -> Result<Option<Duration>, SpecError> {
        let Some(text) = self.get(key) else { return Ok(None) };
        match duration(text) {
            Ok(time) if !time.is_zero() => Ok(Some(time)),
            _ => Err(SpecError::value(key, text, "a duration such as 250ms, 1s or 2m")),
        }
    }
}

impl fmt::Display for Spec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name)?;
        for (index, (key, value)) in self.settings.iter().enumerate() {
            let mark = if index == 0 { ':' } else { ',' };
            if value.contains([',', ' ', '=']) {
                write!(f, "{mark}{key}=\"{value}\"")?;
            } else {
                write!(f, "{mark}{key}={value}")?;
            }
        }
        Ok(())
    }
}

/// `did you mean "depth"?`, or all known words if none is near.
fn suggestion(text: &str, known: &[&str]) -> String {
    let near = |name: &&str| (distance(name, text), !name.starts_with(text));
    let nearest = known.iter().copied().min_by_key(near);
    // One or two typing errors, or a prefix.
    let is_near = |name: &&str| {
        let prefix = !text.is_empty() && name.starts_with(text);
        prefix || distance(name, text) <= if name.len() > 4 { 2 } else { 1 }
    };
    match nearest.filter(is_near).or_else(|| known.iter().copied().find(is_near)) {
        Some(name) => format!("did you mean {name:?}?"),
        None if known.is_empty() => "there are none".to_owned(),
        None => format!("there are: {}", known.join(", ")),
    }
}

/// The Levenshtein distance, ignoring case.
fn distance(a: &str, b: &str) -> usize {
    let mut row: Vec<usize> = (0..=b.chars().count()).collect();
    for (i, from) in a.chars().enumerate() {
        let mut diagonal = i;
        row[0] = i + 1;
        for (j, to) in b.chars().enumerate() {
            let changed = diagonal + usize::from(!from.eq_ignore_ascii_case(&to));
            diagonal = row[j + 1];
            row[j + 1] = changed.min(diagonal + 1).min(row[j] + 1);
        }
    }
    row[b.chars().count()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn specs_round_trip() {
        for text in ["random", "alphabeta:depth=8,eval=leaf-average+mc", "process:cmd=\"a b, c\",protocol=usi", "x:y="]
        {
            assert_eq!(Spec::parse(text).map(|spec| spec.to_string()), Ok(text.to_owned()));
        }
        let wrong = [
            "",
            ":",
            "a b",
            "x:",
            "x:=3",
            "x:depth",
            "x:a=1,",
            "x:a=\"1\",",
            "x:cmd=\"open",
            "x:cmd=\"a\"b",
            "x:cmd=a\"b c",
        ];
        for text in wrong {
            assert!(Spec::parse(text).is_err(), "{text}");
        }
    }

    #[test]
    fn invalid_values_name_what_is_expected() {
        let spec = |text: &str| Spec::parse(text).expect(text);
        assert_eq!(spec("x:depth=3,depth=8").number("depth", 1, 9), Ok(Some(8)));
        assert_eq!(spec("x").number("depth", 1, 9), Ok(None));
        for (value, millis) in [("250ms", 250), ("1s", 1000), ("1.5s", 1500), ("2m", 120_000), ("1h", 3_600_000)] {
            let read = spec(&format!("x:time={value}")).duration("time");
            assert_eq!(read, Ok(Some(Duration::from_millis(millis))), "{value}");
        }
        for value in ["", "1", "s", "-1s", "1d", "1e999s", "NaNs", "infs", "0s", "1s2"] {
            let refused = spec(&format!("x:time={value}")).duration("time").expect_err(value).to_string();
            assert_eq!(refused, format!("time={value}: a duration such as 250ms, 1s or 2m"));
        }
        assert_eq!(spec("x:c=1.5").decimal("c", 0.0, 9.0), Ok(Some(1.5)));
        for value in ["", "-1", "9.5", "NaN", "inf", "1,5"] {
            let refused = spec(&format!("x:c=\"{value}\"")).decimal("c", 0.0, 9.0).expect_err(value).to_string();
            assert_eq!(refused, format!("c={value}: a number from 0 to 9"));
        }
        for value in ["", "0", "10", "-1", "1.5", "99999999999999999999999"] {
            let refused = spec(&format!("x:depth={value}")).number("depth", 1, 9).expect_err(value).to_string();
            assert_eq!(refused, format!("depth={value}: a whole number from 1 to 9"));
        }
    }

    #[test]
    fn typing_errors_and_prefixes_are_recognised() {
        let known = ["depth", "nodes", "time", "threads"];
        for (text, meant) in [("detph", "depth"), ("NODES", "nodes"), ("thr", "threads"), ("tim", "time")] {
            assert_eq!(suggestion(text, &known), format!("did you mean {meant:?}?"), "{text}");
        }
        for text in ["", "speed", "x"] {
            assert_eq!(suggestion(text, &known), "there are: depth, nodes, time, threads", "{text}");
        }
    }

    #[test]
    fn distances_are_symmetric() {
        let words = ["", "a", "uct", "puct", "alphabeta", "alfabet"];
        for a in words {
            assert_eq!(distance(a, a), 0);
            for b in words {
                assert_eq!(distance(a, b), distance(b, a), "{a} {b}");
            }
        }
        assert_eq!((distance("uct", "puct"), distance("alphabeta", "alfabet")), (1, 3));
    }
}
