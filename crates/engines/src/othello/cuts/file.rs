//! The file of an error model: a few lines of text that anybody can read, and a sum that tells when one was changed.

use std::fmt::Write;
use std::path::Path;

use super::Cuts;

/// The first line.
const HEAD: &str = "tesuji othello cuts 1";

/// Why a text is no error model.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum CutsError {
    /// It is something else.
    #[error("no file of `tesuji train cuts`: the first line should be {HEAD:?}")]
    Foreign,
    /// A line does not say what it should.
    #[error("line {line}: {text:?}: expected {expected}")]
    Line {
        /// Which one, from 1.
        line: usize,
        /// What it says.
        text: String,
        /// What it should say.
        expected: String,
    },
    /// The sum in the last line is not that of the lines before it.
    #[error("damaged or changed by hand: the sum does not fit")]
    Sum,
}

impl Cuts {
    /// The text of a file; `story` says how the parameters were found.
    pub fn print(&self, story: &str) -> String {
        let mut text = format!("{HEAD}\n");
        // Writing to a string cannot fail.
        for line in story.lines() {
            let _ = writeln!(text, "# {line}");
        }
        for (name, parameter) in Cuts::NAMES.iter().zip(self.parameters) {
            let _ = writeln!(text, "{name} {parameter:.4}");
        }
        let sum = crc32fast::hash(text.as_bytes());
        text + &format!("sum {sum:08x}\n")
    }

    /// The parameters of a text that [`Cuts::print`] printed.
    pub fn parse(text: &str) -> Result<Cuts, CutsError> {
        let mut lines = text.lines().enumerate().map(|(at, line)| (at + 1, line));
        if lines.next().is_none_or(|(_, head)| head != HEAD) {
            return Err(CutsError::Foreign);
        }
        let mut lines = lines.filter(|(_, line)| !line.starts_with('#'));
        let mut next = |name: &str, what: &str| {
            let (line, text) = lines.next().unwrap_or((text.lines().count() + 1, ""));
            let value = text.strip_prefix(name).and_then(|rest| rest.strip_prefix(' '));
            let expected = format!("{name:?} and {what}");
            (value.unwrap_or_default(), CutsError::Line { line, text: text.to_owned(), expected })
        };
        let mut parameters = [0.0; Cuts::NAMES.len()];
        for (parameter, name) in parameters.iter_mut().zip(Cuts::NAMES) {
            let (value, error) = next(name, "a number");
            *parameter = value.parse().ok().filter(|number: &f64| number.is_finite()).ok_or(error)?;
        }
        let (value, error) = next("sum", "eight digits");
        let sum = u32::from_str_radix(value, 16).map_err(|_| error)?;
        let summed = text.rfind("sum ").map_or("", |at| &text[..at]);
        if sum != crc32fast::hash(summed.as_bytes()) {
            return Err(CutsError::Sum);
        }
        Ok(Cuts { parameters })
    }

    /// The parameters of a file, or why there are none.
    pub fn load(path: impl AsRef<Path>) -> Result<Cuts, String> {
        let text =
            std::fs::read_to_string(path).map_err(|error| format!("the file cannot be read: {error}"))?;
        Cuts::parse(&text).map_err(|error| error.to_string())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_says_what_it_was_given() {
        let cuts = Cuts { parameters: std::array::from_fn(|at| at as f64 / 8.0 - 0.25) };
        let text = cuts.print("two lines\nof a story");
        assert_eq!(Cuts::parse(&text), Ok(cuts));
        assert!(text.contains("# of a story\nconstant -0.2500\n"), "{text}");
    }

    #[test]
    fn what_is_wrong_with_a_file_is_told() {
        let text = Cuts { parameters: [0.5; Cuts::NAMES.len()] }.print("");
        assert_eq!(Cuts::parse("nonsense"), Err(CutsError::Foreign));
        assert_eq!(Cuts::parse(""), Err(CutsError::Foreign));
        assert_eq!(Cuts::parse(&text.replacen("0.5", "0.6", 1)), Err(CutsError::Sum));
        let told = |text: &str| Cuts::parse(text).unwrap_err().to_string();
        assert_eq!(
            told(&text.replace("unseen 0.5000", "unseen much")),
            "line 3: \"unseen much\": expected \"unseen\" and a number"
        );
        assert!(told(&text.replace("seen 0.5", "seen inf")).contains("a number"));
        let cut = &text[..text.rfind("sum").unwrap()];
        assert!(told(cut).contains("line 10: \"\": expected \"sum\""), "{}", told(cut));
    }
}
