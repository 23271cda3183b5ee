//! Command lines about tablebases, to be shown in messages and pasted into a shell.

use std::borrow::Cow;
use std::fmt;
use std::path::Path;

/// A command line of tesuji, quoted for a POSIX shell.
///
/// ```
/// use tesuji_solve::tablebase::ShellCommand;
///
/// let command = ShellCommand::solve("ostle").option("--pieces", "8").out("my tables");
/// assert_eq!(command.to_string(), "tesuji solve ostle --pieces 8 --out 'my tables'");
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
#[must_use]
pub struct ShellCommand(Vec<String>);

impl ShellCommand {
    /// `tesuji solve` of a game.
    pub fn solve(game: &str) -> ShellCommand {
        ShellCommand(["tesuji", "solve", game].map(str::to_owned).to_vec())
    }

    /// `tesuji verify` of a directory.
    pub fn verify(dir: &str) -> ShellCommand {
        ShellCommand(["tesuji", "verify", dir].map(str::to_owned).to_vec())
    }

    /// Adds an option without a value.
    pub fn flag(mut self, name: &str) -> ShellCommand {
        self.0.push(name.to_owned());
        self
    }

    /// Adds an option and its value.
    pub fn option(mut self, name: &str, value: impl ToString) -> ShellCommand {
        self.0.extend([name.to_owned(), value.to_string()]);
        self
    }

    /// Adds the directory of the tablebase.
    pub fn out(self, dir: impl AsRef<Path>) -> ShellCommand {
        self.option("--out", dir.as_ref().display())
    }
}

impl fmt::Display for ShellCommand {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (at, word) in self.0.iter().enumerate() {
            write!(f, "{}{}", if at == 0 { "" } else { " " }, quoted(word))?;
        }
        Ok(())
    }
}

/// A word as a POSIX shell reads it back: unchanged, or in single quotes.
fn quoted(word: &str) -> Cow<'_, str> {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"_-./:=@%+,".contains(&byte);
    match word {
        word if !word.is_empty() && word.bytes().all(plain) => Cow::Borrowed(word),
        word => Cow::Owned(format!("'{}'", word.replace('\'', r"'\''"))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_survive_a_shell() {
        let cases = [
            ("/data/tables", "/data/tables"),
            ("", "''"),
            ("a b", "'a b'"),
            ("it's", r"'it'\''s'"),
            ("$HOME/`x`*", "'$HOME/`x`*'"),
            ("tablé", "'tablé'"),
        ];
        for (word, expected) in cases {
            assert_eq!(quoted(word), expected);
        }
    }
}
