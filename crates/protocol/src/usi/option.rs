//! The options of an engine, and normalisation of their values.

use std::fmt;

use super::tokens::Tokens;
use crate::on_one_line;

/// An option: its name and its type.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct EngineOption {
    /// The name of the option.
    pub name: String,
    /// The type of its value.
    pub kind: OptionKind,
}

/// The type of an option's value.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum OptionKind {
    /// A boolean.
    Check {
        /// The default value.
        default: bool,
    },
    /// A whole number.
    Spin {
        /// The default value.
        default: i64,
        /// The smallest value.
        min: i64,
        /// The largest value.
        max: i64,
    },
    /// One of several texts.
    Combo {
        /// The default value.
        default: String,
        /// All values.
        choices: Vec<String>,
    },
    /// An action without a value.
    Button,
    /// Any text.
    Text {
        /// The default value.
        default: String,
    },
    /// The name of a file.
    File {
        /// The default value.
        default: String,
    },
}

const EMPTY: &str = "<empty>";

impl OptionKind {
    /// The canonical form of a value: numbers are clamped to the range, texts get the spelling of the choice.
    /// `None` when the value is not valid.
    ///
    /// ```
    /// # use tesuji_protocol::usi::OptionKind;
    /// let hash = OptionKind::Spin { default: 64, min: 1, max: 1024 };
    /// assert_eq!(hash.normalize("999999"), Some("1024".to_owned()));
    /// assert_eq!(hash.normalize("lots"), None);
    /// ```
    pub fn normalize(&self, value: &str) -> Option<String> {
        match self {
            OptionKind::Check { .. } => match value.to_ascii_lowercase().as_str() {
                "true" | "on" | "1" => Some("true".to_owned()),
                "false" | "off" | "0" => Some("false".to_owned()),
                _ => None,
            },
            OptionKind::Spin { min, max, .. } => {
                let number = Tokens::new(value).number(i64::MIN, i64::MAX)?;
                Some(number.max(*min).min(*max).to_string())
            }
            OptionKind::Combo { choices, .. } => {
                choices.iter().find(|choice| choice.eq_ignore_ascii_case(value)).cloned()
            }
            OptionKind::Button => None,
            OptionKind::Text { .. } | OptionKind::File { .. } => {
                Some(if value == EMPTY { String::new() } else { value.to_owned() })
            }
        }
    }

    /// The default value; empty for a button.
    pub fn default(&self) -> String {
        match self {
            OptionKind::Check { default } => default.to_string(),
            OptionKind::Spin { default, .. } => default.to_string(),
            OptionKind::Combo { default, .. } | OptionKind::Text { default } | OptionKind::File { default } => {
                default.clone()
            }
            OptionKind::Button => String::new(),
        }
    }
}

impl EngineOption {
    /// Parses the tokens after `option`.
    pub(super) fn parse(tokens: &mut Tokens<'_>) -> Option<EngineOption> {
        tokens.next_if("name");
        let name = tokens.until(|word| word == "type");
        tokens.next();
        let kind = tokens.next()?;
        let (mut default, mut choices, mut min, mut max) = (String::new(), Vec::new(), None, None);
        let ends = |word: &str| ["default", "min", "max", "var"].contains(&word);
        while let Some(word) = tokens.next() {
            match word {
                "default" if ["string", "filename"].contains(&kind) => default = tokens.rest().to_owned(),
                "default" => default = tokens.until(ends),
                "min" => min = tokens.number(i64::MIN, i64::MAX).or(min),
                "max" => max = tokens.number(i64::MIN, i64::MAX).or(max),
                "var" => choices.push(tokens.until(ends)),
                _ => {}
            }
        }
        let text = || if default == EMPTY { String::new() } else { default.clone() };
        let kind = match kind {
            "check" => OptionKind::Check { default: default == "true" },
            "spin" => OptionKind::Spin {
                default: Tokens::new(&default).number(i64::MIN, i64::MAX)?,
                min: min.unwrap_or(i64::MIN),
                max: max.unwrap_or(i64::MAX),
            },
            "combo" => OptionKind::Combo { default, choices },
            "button" => OptionKind::Button,
            "string" => OptionKind::Text { default: text() },
            "filename" => OptionKind::File { default: text() },
            _ => return None,
        };
        (!name.is_empty()).then_some(EngineOption { name, kind })
    }
}

impl fmt::Display for EngineOption {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "option name {} type ", on_one_line(&self.name))?;
        let or_empty = |text: &str| if text.is_empty() { EMPTY.to_owned() } else { on_one_line(text).into_owned() };
        match &self.kind {
            OptionKind::Check { default } => write!(f, "check default {default}"),
            OptionKind::Spin { default, min, max } => write!(f, "spin default {default} min {min} max {max}"),
            OptionKind::Combo { default, choices } => {
                write!(f, "combo default {}", on_one_line(default))?;
                choices.iter().try_for_each(|choice| write!(f, " var {}", on_one_line(choice)))
            }
            OptionKind::Button => f.write_str("button"),
            OptionKind::Text { default } => write!(f, "string default {}", or_empty(default)),
            OptionKind::File { default } => write!(f, "filename default {}", or_empty(default)),
        }
    }
}
