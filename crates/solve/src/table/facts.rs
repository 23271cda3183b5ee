//! What is known of a class of a table without asking for a board.

use std::path::PathBuf;

use tesuji_game::PerfectIndex;

use super::error::TableError;
use super::file::File;
use super::head::{About, Lines, Title};
use super::solved::Outcomes;

/// How much a table tells.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Kind {
    /// Win, loss or draw and the plies to the end.
    Exact,
    /// Win, loss or draw.
    Outcomes,
}

impl Kind {
    /// What a file of a class says of itself.
    pub(super) fn about<'t, G: PerfectIndex>(self, game: &G, class: u8, title: &'t Title) -> About<'t> {
        let (kind, ending) = match self {
            Kind::Exact => ("exact", "table"),
            Kind::Outcomes => ("outcomes", "wdl"),
        };
        About { title, kind, ending, class, name: game.class_name(class), size: game.size(class) }
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

/// The lines of a head about all boards of a class.
pub(super) fn lines(kind: Kind, sums: &Outcomes) -> String {
    let Outcomes { boards, wins_at_once, outcomes: [losses, draws, wins], exceptions, longest } = sums;
    let longest = if kind == Kind::Exact { *longest } else { 0 };
    format!(
        "boards {boards}\nwins-at-once {wins_at_once}\nwins {wins}\nlosses {losses}\ndraws {draws}\n\
         exceptions {exceptions}\nlongest {longest}\n"
    )
}

impl Facts {
    /// Reads them from the head of a file.
    pub(super) fn read(kind: Kind, file: &File, lines: &Lines) -> Result<Facts, TableError> {
        Ok(Facts {
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
