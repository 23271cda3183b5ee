//! The grammar of engine specs: `name[:key=value[,key=value…]]`, the same on flags, in files and on the page.

use std::fmt;
use std::time::Duration;

use thiserror::Error;

use crate::nearest::hint;
use crate::times::duration;

/// An engine spec, read but not yet understood.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Spec {
    /// The kind of engine.
    pub name: String,
    /// Its settings, in order.
    pub settings: Vec<(String, String)>,
}

/// Why a spec names no engine.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum SpecError {
    /// It does not follow the grammar.
    #[error("{text:?} is no engine spec: write name:key=value,key=value")]
    Grammar {
        /// The offending part.
        text: String,
    },
    /// A name, key or value that is not known here.
    #[error("there is no {what} {text:?}; {hint}")]
    Unknown {
        /// What it should have been: an engine, a setting, an evaluation.
        what: &'static str,
        /// What was written.
        text: String,
        /// The nearest right one, or all of them.
        hint: String,
    },
    /// A value out of its range.
    #[error("{key}={value}: {message}")]
    Value {
        /// The setting.
        key: String,
        /// What was written.
        value: String,
        /// What would be right.
        message: String,
    },
}

impl SpecError {
    /// There is no `what` of this name among the `known` ones; says which is nearest, or lists them all.
    pub fn unknown(what: &'static str, text: &str, known: &[&str]) -> SpecError {
        SpecError::Unknown { what, text: text.to_owned(), hint: hint(text, known) }
    }

    pub(crate) fn value(key: &str, value: &str, message: impl Into<String>) -> SpecError {
        SpecError::Value { key: key.to_owned(), value: value.to_owned(), message: message.into() }
    }
}

impl Spec {
    /// Reads a spec. A value may stand in double quotes, and then holds anything but those.
    pub fn parse(text: &str) -> Result<Spec, SpecError> {
        let wrong = |part: &str| SpecError::Grammar { text: part.to_owned() };
        let is_word = |word: &str| {
            !word.is_empty() && word.chars().all(|c| c.is_ascii_alphanumeric() || "-+_".contains(c))
        };
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

    /// Whether it says itself when to stop thinking.
    pub fn is_limited(&self) -> bool {
        ["depth", "nodes", "playouts", "time", "level"].iter().any(|key| self.get(key).is_some())
    }

    /// A setting that is a whole number in a range.
    pub fn number(&self, key: &str, least: u64, most: u64) -> Result<Option<u64>, SpecError> {
        let Some(text) = self.get(key) else { return Ok(None) };
        match text.parse() {
            Ok(number) if (least..=most).contains(&number) => Ok(Some(number)),
            _ if most == u64::MAX => {
                Err(SpecError::value(key, text, format!("a whole number from {least} on")))
            }
            _ => Err(SpecError::value(key, text, format!("a whole number from {least} to {most}"))),
        }
    }

    /// A setting that is a duration: `250ms`, `1s`, `1.5s`, `2m`.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn specs_read_and_print() {
        for text in [
            "random",
            "alphabeta:depth=8,eval=leaf-average+mc",
            "process:cmd=\"a b, c\",protocol=usi",
            "x:y=",
        ] {
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
    fn values_are_read_or_refused_with_what_would_be_right() {
        let spec = |text: &str| Spec::parse(text).expect(text);
        assert_eq!(spec("x:depth=3,depth=8").number("depth", 1, 9), Ok(Some(8)));
        assert_eq!(spec("x").number("depth", 1, 9), Ok(None));
        for (value, millis) in
            [("250ms", 250), ("1s", 1000), ("1.5s", 1500), ("2m", 120_000), ("1h", 3_600_000)]
        {
            let read = spec(&format!("x:time={value}")).duration("time");
            assert_eq!(read, Ok(Some(Duration::from_millis(millis))), "{value}");
        }
        for value in ["", "1", "s", "-1s", "1d", "1e999s", "NaNs", "infs", "0s", "1s2"] {
            let refused = spec(&format!("x:time={value}")).duration("time").expect_err(value).to_string();
            assert_eq!(refused, format!("time={value}: a duration such as 250ms, 1s or 2m"));
        }
        for value in ["", "0", "10", "-1", "1.5", "99999999999999999999999"] {
            let refused =
                spec(&format!("x:depth={value}")).number("depth", 1, 9).expect_err(value).to_string();
            assert_eq!(refused, format!("depth={value}: a whole number from 1 to 9"));
        }
    }
}
