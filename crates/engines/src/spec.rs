//! The grammar of engine specs: `name[:key=value[,key=value…]]`, the same on flags, in files and on the page.

use std::fmt;

use thiserror::Error;

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

impl Spec {
    /// Reads a spec. A value may stand in double quotes, and then holds anything but those.
    pub fn parse(text: &str) -> Result<Spec, SpecError> {
        let wrong = |part: &str| SpecError::Grammar { text: part.to_owned() };
        let (name, mut rest) = text.split_once(':').unwrap_or((text, ""));
        let is_word = |word: &str| {
            !word.is_empty() && word.chars().all(|c| c.is_ascii_alphanumeric() || "-+_".contains(c))
        };
        if !is_word(name) {
            return Err(wrong(text));
        }
        let mut settings = Vec::new();
        while !rest.is_empty() {
            let (key, after) = rest.split_once('=').ok_or_else(|| wrong(rest))?;
            if !is_word(key) {
                return Err(wrong(rest));
            }
            let (value, after) = match after.strip_prefix('"') {
                Some(quoted) => {
                    let (value, after) = quoted.split_once('"').ok_or_else(|| wrong(after))?;
                    match after.strip_prefix(',') {
                        Some(after) => (value, after),
                        None if after.is_empty() => (value, after),
                        None => return Err(wrong(after)),
                    }
                }
                None => after.split_once(',').unwrap_or((after, "")),
            };
            settings.push((key.to_owned(), value.to_owned()));
            rest = after;
        }
        Ok(Spec { name: name.to_owned(), settings })
    }

    /// The value of a setting; the last one wins.
    pub fn get(&self, key: &str) -> Option<&str> {
        self.settings.iter().rev().find(|(known, _)| known == key).map(|(_, value)| value.as_str())
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
        for text in
            ["random", "alphabeta:depth=8,eval=leaf-average+mc", "process:cmd=\"a b, c\",protocol=usi"]
        {
            assert_eq!(Spec::parse(text).map(|spec| spec.to_string()), Ok(text.to_owned()));
        }
        for text in ["", ":", "a b", "x:=3", "x:depth", "x:cmd=\"open", "x:cmd=\"a\"b"] {
            assert!(Spec::parse(text).is_err(), "{text}");
        }
    }
}
