//! What is known of the distances of a class without asking for a board.

use std::path::PathBuf;

use tesuji_game::PerfectIndex;

use super::context::{ALONE, NEVER};
use crate::table::cell::{Cell, Sums};
use crate::table::file::File;
use crate::table::head::{About, Lines};
use crate::table::{TableError, Title};

/// What is known of the distances of a class.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DistanceFacts {
    /// The file.
    pub path: PathBuf,
    /// The class of the game.
    pub class: u8,
    /// The name of the class.
    pub name: String,
    /// How many numbers the class has.
    pub size: u32,
    /// How many of them are boards.
    pub boards: u64,
    /// Boards that no game reaches.
    pub unreached: u64,
    /// Boards where a move is forbidden on first arrival, whichever way that is.
    pub exceptions: u64,
    /// Those of them where that move can never be played.
    pub never: u64,
    /// The most plies to a first arrival; 0 when there is none.
    pub deepest: u8,
    /// Boards in a block.
    pub block: u32,
    /// Bytes of the file.
    pub bytes: u64,
}

/// What the file of a class says of itself.
pub(super) fn about<'t, G: PerfectIndex>(game: &G, class: u8, title: &'t Title) -> About<'t> {
    let (name, size) = (game.class_name(class), game.size(class));
    About { title, kind: "distances", ending: "reach", class, name, size }
}

/// How a file names the board that distances are from.
pub(super) fn start<G: PerfectIndex>(game: &G, (class, index): (u8, u32)) -> String {
    format!("{index} {}", game.class_name(class))
}

/// The board that a file names so, by class and number; `None` when there is no such board.
pub(super) fn place_of_start<G: PerfectIndex>(game: &G, start: &str) -> Option<(u8, u32)> {
    let (index, name) = start.split_once(' ')?;
    let mut classes = game.stages().iter().flat_map(|classes| classes.iter().copied());
    let class = classes.find(|&class| game.class_name(class) == name)?;
    let index = index.parse().ok().filter(|&index| index < game.size(class))?;
    game.unrank(class, index).map(|_| (class, index))
}

/// The lines of a head about all boards of a class; `start` names the board that distances are from.
pub(super) fn lines(start: &str, sums: &Arrivals) -> String {
    let Arrivals { boards, unreached, exceptions, never, deepest } = sums;
    format!(
        "start {start}\nboards {boards}\nunreached {unreached}\nexceptions {exceptions}\nnever {never}\n\
         deepest {deepest}\n"
    )
}

impl DistanceFacts {
    /// Reads them from the head of a file.
    pub(super) fn read(file: &File, lines: &Lines) -> Result<DistanceFacts, TableError> {
        Ok(DistanceFacts {
            path: file.path.clone(),
            class: file.class,
            name: file.name.clone(),
            size: file.size,
            boards: lines.number("boards")?,
            unreached: lines.number("unreached")?,
            exceptions: lines.number("exceptions")?,
            never: lines.number("never")?,
            deepest: lines.number("deepest")?,
            block: file.block,
            bytes: file.bytes(),
        })
    }
}

/// How many boards are reached, and how.
#[derive(Default)]
pub(super) struct Arrivals {
    boards: u64,
    unreached: u64,
    exceptions: u64,
    never: u64,
    deepest: u8,
}

impl Sums for Arrivals {
    fn board(&mut self, [first, second, _]: Cell, _: bool) {
        self.boards += 1;
        self.unreached += u64::from(first == 0);
        self.exceptions += u64::from(second != ALONE);
        self.never += u64::from(second == NEVER);
        self.deepest = self.deepest.max(first.saturating_sub(1));
    }

    fn add(&mut self, other: &Arrivals) {
        self.boards += other.boards;
        self.unreached += other.unreached;
        self.exceptions += other.exceptions;
        self.never += other.never;
        self.deepest = self.deepest.max(other.deepest);
    }
}
