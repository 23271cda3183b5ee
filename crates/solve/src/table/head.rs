//! What a file says of itself: lines of text before the frequencies, to be read by people too.

use std::path::{Path, PathBuf};

use super::error::TableError;

/// The version of the coding of blocks and frequencies.
const CODING: u32 = 1;

/// What a table is about. All of it must be the same when the table is read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Title {
    /// The name of the game, fit for a file name.
    pub game: String,
    /// The version of its rules: another when a board may be worth something else.
    pub rules: u32,
    /// The version of its numbering: another when a board may have another number, or its moves another order.
    pub index: u32,
}

/// What a file of a class must say of itself to be read.
pub(crate) struct About<'t> {
    pub(crate) title: &'t Title,
    /// What is told of each board.
    pub(crate) kind: &'static str,
    /// The ending of its name.
    pub(crate) ending: &'static str,
    pub(crate) class: u8,
    /// The name of the class.
    pub(crate) name: String,
    pub(crate) size: u32,
}

impl About<'_> {
    /// The file in a directory.
    pub(crate) fn path(&self, dir: &Path) -> PathBuf {
        dir.join(format!("{}-{}.{}", self.title.game, self.name, self.ending))
    }

    /// The first lines of a head, and after them the facts.
    pub(super) fn write(&self, block: u32, facts: &str) -> Vec<u8> {
        let Title { game, rules, index } = self.title;
        let About { kind, name, size, .. } = self;
        format!(
            "coding {CODING}\ngame {game}\nrules {rules}\nindex {index}\nkind {kind}\nclass {name}\nsize {size}\n\
             block {block}\n{facts}\n"
        )
        .into_bytes()
    }

    /// Reads a head: its lines and what comes after them.
    pub(super) fn read<'h>(&self, path: &Path, head: &'h [u8]) -> Result<(Lines, &'h [u8]), TableError> {
        let (text, rest) = split(head).ok_or_else(|| TableError::Head { path: path.to_owned() })?;
        let lines = Lines { path: path.to_owned(), text: text.to_owned() };
        for (what, expected) in [
            ("coding", CODING.to_string()),
            ("game", self.title.game.clone()),
            ("rules", self.title.rules.to_string()),
            ("index", self.title.index.to_string()),
            ("kind", self.kind.to_owned()),
            ("class", self.name.clone()),
            ("size", self.size.to_string()),
        ] {
            let found = lines.word(what)?.to_owned();
            if found != expected {
                return Err(TableError::Other { path: path.to_owned(), what, found, expected });
            }
        }
        Ok((lines, rest))
    }
}

/// The lines of a head: a name and what it is.
pub(crate) struct Lines {
    path: PathBuf,
    text: String,
}

impl Lines {
    /// What stands after a name.
    pub(crate) fn word(&self, name: &str) -> Result<&str, TableError> {
        let mut lines = self.text.lines().filter_map(|line| line.split_once(' '));
        let found = lines.find(|&(found, _)| found == name);
        found.map(|(_, value)| value).ok_or_else(|| self.senseless())
    }

    /// The number that stands there.
    pub(crate) fn number<N: std::str::FromStr>(&self, name: &str) -> Result<N, TableError> {
        self.word(name)?.parse().map_err(|_| self.senseless())
    }

    fn senseless(&self) -> TableError {
        TableError::Head { path: self.path.clone() }
    }
}

/// The lines and what comes after the empty one.
fn split(head: &[u8]) -> Option<(&str, &[u8])> {
    let end = head.windows(2).position(|pair| pair == b"\n\n")?;
    Some((std::str::from_utf8(&head[..end]).ok()?, &head[end + 2..]))
}
