//! Options an engine offers, and values brought into their range.

use std::fmt;

use super::words::{Words, on_one_line};

/// An option: its name and what it takes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Offer {
    /// The name.
    pub name: String,
    /// What it takes.
    pub kind: Kind,
}

/// What an option takes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Kind {
    /// Yes or no.
    Check {
        /// Until it is set.
        default: bool,
    },
    /// A whole number.
    Spin {
        /// Until it is set.
        default: i64,
        /// The smallest.
        min: i64,
        /// The largest.
        max: i64,
    },
    /// One of several words.
    Combo {
        /// Until it is set.
        default: String,
        /// All of them.
        choices: Vec<String>,
    },
    /// Something to do at once.
    Button,
    /// Any text.
    Text {
        /// Until it is set.
        default: String,
    },
    /// The name of a file.
    File {
        /// Until it is set.
        default: String,
    },
}

const EMPTY: &str = "<empty>";

impl Kind {
    /// A value as the option takes it: numbers within the range, words as they are written in the offer.
    /// `None` when it cannot be understood.
    ///
    /// ```
    /// # use tesuji_protocol::usi::Kind;
    /// let hash = Kind::Spin { default: 64, min: 1, max: 1024 };
    /// assert_eq!(hash.settle("999999"), Some("1024".to_owned()));
    /// assert_eq!(hash.settle("lots"), None);
    /// ```
    pub fn settle(&self, value: &str) -> Option<String> {
        match self {
            Kind::Check { .. } => match value.to_ascii_lowercase().as_str() {
                "true" | "on" | "1" => Some("true".to_owned()),
                "false" | "off" | "0" => Some("false".to_owned()),
                _ => None,
            },
            Kind::Spin { min, max, .. } => {
                let number = Words::new(value).number(i64::MIN, i64::MAX)?;
                Some(number.max(*min).min(*max).to_string())
            }
            Kind::Combo { choices, .. } => {
                choices.iter().find(|choice| choice.eq_ignore_ascii_case(value)).cloned()
            }
            Kind::Button => None,
            Kind::Text { .. } | Kind::File { .. } => {
                Some(if value == EMPTY { String::new() } else { value.to_owned() })
            }
        }
    }

    /// The value until one is set; nothing for a button.
    pub fn default(&self) -> String {
        match self {
            Kind::Check { default } => default.to_string(),
            Kind::Spin { default, .. } => default.to_string(),
            Kind::Combo { default, .. } | Kind::Text { default } | Kind::File { default } => default.clone(),
            Kind::Button => String::new(),
        }
    }
}

impl Offer {
    /// Reads the words behind `option`.
    pub(super) fn parse(words: &mut Words<'_>) -> Option<Offer> {
        words.next_if("name");
        let name = words.until(|word| word == "type");
        words.next();
        let kind = words.next()?;
        let (mut default, mut choices, mut min, mut max) = (String::new(), Vec::new(), None, None);
        let ends = |word: &str| ["default", "min", "max", "var"].contains(&word);
        while let Some(word) = words.next() {
            match word {
                "default" if ["string", "filename"].contains(&kind) => default = words.rest().to_owned(),
                "default" => default = words.until(ends),
                "min" => min = words.number(i64::MIN, i64::MAX).or(min),
                "max" => max = words.number(i64::MIN, i64::MAX).or(max),
                "var" => choices.push(words.until(ends)),
                _ => {}
            }
        }
        let text = || if default == EMPTY { String::new() } else { default.clone() };
        let kind = match kind {
            "check" => Kind::Check { default: default == "true" },
            "spin" => Kind::Spin {
                default: Words::new(&default).number(i64::MIN, i64::MAX)?,
                min: min.unwrap_or(i64::MIN),
                max: max.unwrap_or(i64::MAX),
            },
            "combo" => Kind::Combo { default, choices },
            "button" => Kind::Button,
            "string" => Kind::Text { default: text() },
            "filename" => Kind::File { default: text() },
            _ => return None,
        };
        (!name.is_empty()).then_some(Offer { name, kind })
    }
}

impl fmt::Display for Offer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "option name {} type ", on_one_line(&self.name))?;
        let or_empty =
            |text: &str| if text.is_empty() { EMPTY.to_owned() } else { on_one_line(text).into_owned() };
        match &self.kind {
            Kind::Check { default } => write!(f, "check default {default}"),
            Kind::Spin { default, min, max } => write!(f, "spin default {default} min {min} max {max}"),
            Kind::Combo { default, choices } => {
                write!(f, "combo default {}", on_one_line(default))?;
                choices.iter().try_for_each(|choice| write!(f, " var {}", on_one_line(choice)))
            }
            Kind::Button => f.write_str("button"),
            Kind::Text { default } => write!(f, "string default {}", or_empty(default)),
            Kind::File { default } => write!(f, "filename default {}", or_empty(default)),
        }
    }
}
