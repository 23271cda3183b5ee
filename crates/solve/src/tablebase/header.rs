//! The header of a file: lines of text before the frequencies, and what it says about the class.

use std::path::{Path, PathBuf};

use tesuji_game::PerfectIndex;

use super::error::TablebaseError;
use super::file::ClassFile;
use super::value_coding::ValueCounts;

/// The version of the coding of blocks and frequencies.
const CODING: u32 = 1;

/// Identifies a tablebase. A reader rejects any difference.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TablebaseId {
    /// The name of the game, usable in file names.
    pub game: String,
    /// The version of the rules; changes when the value of a board may change.
    pub rules: u32,
    /// The version of the index; changes when a board may get another index or another move order.
    pub index: u32,
}

/// The expected header of a class file.
pub(crate) struct ClassHeader<'t> {
    pub(crate) id: &'t TablebaseId,
    /// What an entry holds.
    pub(crate) metric: &'static str,
    /// The file extension.
    pub(crate) ending: &'static str,
    pub(crate) class: u8,
    /// The name of the class.
    pub(crate) name: String,
    pub(crate) size: u32,
}

impl ClassHeader<'_> {
    /// The path of the file.
    pub(crate) fn path(&self, dir: &Path) -> PathBuf {
        dir.join(format!("{}-{}.{}", self.id.game, self.name, self.ending))
    }

    /// The text of the header; `facts` are its last lines.
    pub(super) fn write(&self, block: u32, info: &str) -> Vec<u8> {
        let TablebaseId { game, rules, index } = self.id;
        let ClassHeader { metric, name, size, .. } = self;
        format!(
            "coding {CODING}\ngame {game}\nrules {rules}\nindex {index}\nkind {metric}\nclass {name}\nsize {size}\n\
             block {block}\n{info}\n"
        )
        .into_bytes()
    }

    /// Parses and checks a header; returns its lines and the remaining bytes.
    pub(super) fn read<'h>(&self, path: &Path, head: &'h [u8]) -> Result<(HeaderLines, &'h [u8]), TablebaseError> {
        let (text, rest) = split(head).ok_or_else(|| TablebaseError::InvalidHeader { path: path.to_owned() })?;
        let lines = HeaderLines { path: path.to_owned(), text: text.to_owned() };
        for (what, expected) in [
            ("coding", CODING.to_string()),
            ("game", self.id.game.clone()),
            ("rules", self.id.rules.to_string()),
            ("index", self.id.index.to_string()),
            ("kind", self.metric.to_owned()),
            ("class", self.name.clone()),
            ("size", self.size.to_string()),
        ] {
            let found = lines.word(what)?.to_owned();
            if found != expected {
                return Err(TablebaseError::Mismatch { path: path.to_owned(), what, found, expected });
            }
        }
        Ok((lines, rest))
    }
}

/// The lines of a header: a key and a value each.
pub(crate) struct HeaderLines {
    path: PathBuf,
    text: String,
}

impl HeaderLines {
    /// The value of a key.
    pub(crate) fn word(&self, name: &str) -> Result<&str, TablebaseError> {
        let mut lines = self.text.lines().filter_map(|line| line.split_once(' '));
        let found = lines.find(|&(found, _)| found == name);
        found.map(|(_, value)| value).ok_or_else(|| self.invalid())
    }

    /// The value of a key as a number.
    pub(crate) fn number<N: std::str::FromStr>(&self, name: &str) -> Result<N, TablebaseError> {
        self.word(name)?.parse().map_err(|_| self.invalid())
    }

    fn invalid(&self) -> TablebaseError {
        TablebaseError::InvalidHeader { path: self.path.clone() }
    }
}

/// Splits at the first empty line.
fn split(head: &[u8]) -> Option<(&str, &[u8])> {
    let end = head.windows(2).position(|pair| pair == b"\n\n")?;
    Some((std::str::from_utf8(&head[..end]).ok()?, &head[end + 2..]))
}

/// What a tablebase stores.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Metric {
    /// Distance to win (DTW): win, draw or loss with the plies to the end.
    Dtw,
    /// Win, draw or loss (WDL) only.
    Wdl,
}

impl Metric {
    /// The expected header of a class.
    pub(super) fn header<'t, G: PerfectIndex>(self, game: &G, class: u8, id: &'t TablebaseId) -> ClassHeader<'t> {
        let (metric, ending) = match self {
            Metric::Dtw => ("exact", "table"),
            Metric::Wdl => ("outcomes", "wdl"),
        };
        ClassHeader { id, metric, ending, class, name: game.class_name(class), size: game.size(class) }
    }
}

/// The header of a class: totals over its boards.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ClassInfo {
    /// The file.
    pub path: PathBuf,
    /// What the file stores.
    pub metric: Metric,
    /// The class of the game.
    pub class: u8,
    /// The name of the class.
    pub name: String,
    /// The number of indices.
    pub size: u32,
    /// The number of boards.
    pub boards: u64,
    /// Boards with a win in one.
    pub wins_at_once: u64,
    /// Won boards, including those; like the following counts, with nothing forbidden.
    pub wins: u64,
    /// Lost boards.
    pub losses: u64,
    /// Drawn boards.
    pub draws: u64,
    /// Boards with an exceptional move, as far as the metric shows.
    pub exceptions: u64,
    /// The longest distance to the end; 0 for WDL.
    pub longest: u8,
    /// Boards per block.
    pub block: u32,
    /// File size in bytes.
    pub bytes: u64,
}

/// The header lines about the values of a class.
pub(super) fn lines(metric: Metric, totals: &ValueCounts) -> String {
    let ValueCounts { boards, wins_at_once, outcomes: [losses, draws, wins], exceptions, longest } = totals;
    let longest = if metric == Metric::Dtw { *longest } else { 0 };
    format!(
        "boards {boards}\nwins-at-once {wins_at_once}\nwins {wins}\nlosses {losses}\ndraws {draws}\n\
         exceptions {exceptions}\nlongest {longest}\n"
    )
}

impl ClassInfo {
    /// Reads the header.
    pub(super) fn read(metric: Metric, file: &ClassFile, lines: &HeaderLines) -> Result<ClassInfo, TablebaseError> {
        Ok(ClassInfo {
            path: file.path.clone(),
            metric,
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
