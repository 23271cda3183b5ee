//! The header of a file: lines of text before the frequencies, and what it says about the class.

use std::path::{Path, PathBuf};

use tesuji_game::PerfectIndex;

use super::error::TablebaseError;
use super::file::ClassFile;
use super::value_coding::ValueCounts;

/// The version of the coding of blocks and frequencies.
const CODING: u32 = 1;

/// What a table is about. All of it must be the same when the table is read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TablebaseId {
    /// The name of the game, fit for a file name.
    pub game: String,
    /// The version of its rules: another when a board may be worth something else.
    pub rules: u32,
    /// The version of its numbering: another when a board may have another number, or its moves another order.
    pub index: u32,
}

/// What a file of a class must say of itself to be read.
pub(crate) struct ClassHeader<'t> {
    pub(crate) title: &'t TablebaseId,
    /// What is told of each board.
    pub(crate) kind: &'static str,
    /// The ending of its name.
    pub(crate) ending: &'static str,
    pub(crate) class: u8,
    /// The name of the class.
    pub(crate) name: String,
    pub(crate) size: u32,
}

impl ClassHeader<'_> {
    /// The file in a directory.
    pub(crate) fn path(&self, dir: &Path) -> PathBuf {
        dir.join(format!("{}-{}.{}", self.title.game, self.name, self.ending))
    }

    /// The first lines of a head, and after them the facts.
    pub(super) fn write(&self, block: u32, facts: &str) -> Vec<u8> {
        let TablebaseId { game, rules, index } = self.title;
        let ClassHeader { kind, name, size, .. } = self;
        format!(
            "coding {CODING}\ngame {game}\nrules {rules}\nindex {index}\nkind {kind}\nclass {name}\nsize {size}\n\
             block {block}\n{facts}\n"
        )
        .into_bytes()
    }

    /// Reads a head: its lines and what comes after them.
    pub(super) fn read<'h>(
        &self,
        path: &Path,
        head: &'h [u8],
    ) -> Result<(HeaderLines, &'h [u8]), TablebaseError> {
        let (text, rest) = split(head).ok_or_else(|| TablebaseError::Head { path: path.to_owned() })?;
        let lines = HeaderLines { path: path.to_owned(), text: text.to_owned() };
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
                return Err(TablebaseError::Other { path: path.to_owned(), what, found, expected });
            }
        }
        Ok((lines, rest))
    }
}

/// The lines of a head: a name and what it is.
pub(crate) struct HeaderLines {
    path: PathBuf,
    text: String,
}

impl HeaderLines {
    /// What stands after a name.
    pub(crate) fn word(&self, name: &str) -> Result<&str, TablebaseError> {
        let mut lines = self.text.lines().filter_map(|line| line.split_once(' '));
        let found = lines.find(|&(found, _)| found == name);
        found.map(|(_, value)| value).ok_or_else(|| self.senseless())
    }

    /// The number that stands there.
    pub(crate) fn number<N: std::str::FromStr>(&self, name: &str) -> Result<N, TablebaseError> {
        self.word(name)?.parse().map_err(|_| self.senseless())
    }

    fn senseless(&self) -> TablebaseError {
        TablebaseError::Head { path: self.path.clone() }
    }
}

/// The lines and what comes after the empty one.
fn split(head: &[u8]) -> Option<(&str, &[u8])> {
    let end = head.windows(2).position(|pair| pair == b"\n\n")?;
    Some((std::str::from_utf8(&head[..end]).ok()?, &head[end + 2..]))
}

/// How much a table tells.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Metric {
    /// Win, loss or draw and the plies to the end.
    Dtw,
    /// Win, loss or draw.
    Wdl,
}

impl Metric {
    /// What a file of a class says of itself.
    pub(super) fn about<'t, G: PerfectIndex>(
        self,
        game: &G,
        class: u8,
        title: &'t TablebaseId,
    ) -> ClassHeader<'t> {
        let (kind, ending) = match self {
            Metric::Dtw => ("exact", "table"),
            Metric::Wdl => ("outcomes", "wdl"),
        };
        ClassHeader { title, kind, ending, class, name: game.class_name(class), size: game.size(class) }
    }
}

/// What is known of a class without asking for a board.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ClassInfo {
    /// The file.
    pub path: PathBuf,
    /// How much it tells.
    pub kind: Metric,
    /// The class of the game.
    pub class: u8,
    /// The name of the class.
    pub name: String,
    /// How many numbers the class has.
    pub size: u32,
    /// How many of them are boards.
    pub boards: u64,
    /// Boards that win with the next move.
    pub wins_at_once: u64,
    /// Boards that win, those included; as the following, with nothing forbidden.
    pub wins: u64,
    /// Boards that lose.
    pub losses: u64,
    /// Boards that nobody wins.
    pub draws: u64,
    /// Boards whose worth another move being forbidden changes, as far as the table tells.
    pub exceptions: u64,
    /// The most plies to the end; 0 where the table does not tell.
    pub longest: u8,
    /// Boards in a block.
    pub block: u32,
    /// Bytes of the file.
    pub bytes: u64,
}

/// The lines of a head about all boards of a class.
pub(super) fn lines(kind: Metric, sums: &ValueCounts) -> String {
    let ValueCounts { boards, wins_at_once, outcomes: [losses, draws, wins], exceptions, longest } = sums;
    let longest = if kind == Metric::Dtw { *longest } else { 0 };
    format!(
        "boards {boards}\nwins-at-once {wins_at_once}\nwins {wins}\nlosses {losses}\ndraws {draws}\n\
         exceptions {exceptions}\nlongest {longest}\n"
    )
}

impl ClassInfo {
    /// Reads them from the head of a file.
    pub(super) fn read(
        kind: Metric,
        file: &ClassFile,
        lines: &HeaderLines,
    ) -> Result<ClassInfo, TablebaseError> {
        Ok(ClassInfo {
            path: file.path.clone(),
            kind,
            class: file.class,
            name: file.name.clone(),
            size: file.size,
            boards: lines.number("boards")?,
            wins_at_once: lines.number("wins-at-once")?,
            wins: lines.number("wins")?,
            losses: lines.number("losses")?,
            draws: lines.number("draws")?,
            exceptions: lines.number("exceptions")?,
            longest: lines.number("longest")?,
            block: file.block,
            bytes: file.bytes(),
        })
    }
}
