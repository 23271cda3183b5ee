//! What a file of a table says of itself: lines of text before the frequencies, to be read by people too.

use std::path::{Path, PathBuf};

use super::error::TableError;
use super::model::Model;

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

/// How much a table tells.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Kind {
    /// Win, loss or draw and the plies to the end.
    Exact,
    /// Win, loss or draw.
    Outcomes,
}

impl Kind {
    fn name(self) -> &'static str {
        match self {
            Kind::Exact => "exact",
            Kind::Outcomes => "outcomes",
        }
    }

    pub(super) fn ending(self) -> &'static str {
        match self {
            Kind::Exact => "table",
            Kind::Outcomes => "wdl",
        }
    }
}

/// What is known of a class without asking for a board.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Facts {
    /// The file.
    pub path: PathBuf,
    /// How much it tells.
    pub kind: Kind,
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

/// The name of the file of a class.
pub(super) fn file(dir: &Path, title: &Title, class: &str, kind: Kind) -> PathBuf {
    dir.join(format!("{}-{class}.{}", title.game, kind.ending()))
}

/// The head of a file.
pub(super) fn write(title: &Title, facts: &Facts, model: &Model) -> Vec<u8> {
    let Title { game, rules, index } = title;
    let Facts {
        kind, name, size, block, boards, wins_at_once, wins, losses, draws, exceptions, longest, ..
    } = facts;
    let kind = kind.name();
    let text = format!(
        "coding {CODING}\ngame {game}\nrules {rules}\nindex {index}\nkind {kind}\nclass {name}\nsize {size}\n\
         block {block}\nboards {boards}\nwins-at-once {wins_at_once}\nwins {wins}\nlosses {losses}\ndraws {draws}\n\
         exceptions {exceptions}\nlongest {longest}\n\n"
    );
    let mut bytes = text.into_bytes();
    model.write(&mut bytes);
    bytes
}

/// What a head must say.
pub(super) struct Expected<'e> {
    pub(super) title: &'e Title,
    pub(super) kind: Kind,
    pub(super) class: u8,
    pub(super) name: String,
    pub(super) size: u32,
}

/// Reads the head of a file.
pub(super) fn read(
    path: &Path,
    head: &[u8],
    bytes: u64,
    expected: Expected<'_>,
) -> Result<(Facts, Model), TableError> {
    let senseless = || TableError::Head { path: path.to_owned() };
    let (text, model) = split(head).ok_or_else(senseless)?;
    let line = |name: &str| {
        let mut lines = text.lines().filter_map(|line| line.split_once(' '));
        lines.find(|&(found, _)| found == name).map(|(_, value)| value)
    };
    let Expected { title, kind, class, name, size } = expected;
    for (what, expected) in [
        ("coding", CODING.to_string()),
        ("game", title.game.clone()),
        ("rules", title.rules.to_string()),
        ("index", title.index.to_string()),
        ("kind", kind.name().to_owned()),
        ("class", name.clone()),
        ("size", size.to_string()),
    ] {
        let found = line(what).ok_or_else(senseless)?.to_owned();
        if found != expected {
            return Err(TableError::Other { path: path.to_owned(), what, found, expected });
        }
    }
    let number = |name: &str| line(name).and_then(|value| value.parse::<u64>().ok()).ok_or_else(senseless);
    let block = u32::try_from(number("block")?).ok().filter(|&block| block > 0).ok_or_else(senseless)?;
    let facts = Facts {
        path: path.to_owned(),
        kind,
        class,
        name,
        size,
        boards: number("boards")?,
        wins_at_once: number("wins-at-once")?,
        wins: number("wins")?,
        losses: number("losses")?,
        draws: number("draws")?,
        exceptions: number("exceptions")?,
        longest: u8::try_from(number("longest")?).map_err(|_| senseless())?,
        block,
        bytes,
    };
    let model = Model::read(model).ok_or_else(senseless)?;
    Ok((facts, model))
}

/// The lines and what comes after the empty one.
fn split(head: &[u8]) -> Option<(&str, &[u8])> {
    let end = head.windows(2).position(|pair| pair == b"\n\n")?;
    Some((std::str::from_utf8(&head[..end]).ok()?, &head[end + 2..]))
}
