//! Coding of distances: the context in which each symbol is coded, the entries, and the header of a file.
//!
//! A first depth is close to those before it: the last one exactly, and its difference from three others, carry nearly all
//! the information (measured on Ostle). A second depth is coded as its difference from the first, which is nearly constant.

use std::path::PathBuf;

use tesuji_game::{NO_MOVE, PerfectIndex};

use super::{Distance, DistanceMap, UNREACHED};
use crate::tablebase::coding::{CodedEntry, CodingContext, EntryCounts, EntrySource, place, reversible};
use crate::tablebase::file::ClassFile;
use crate::tablebase::header::{ClassHeader, HeaderLines};
use crate::tablebase::{TablebaseError, TablebaseId};

/// The second symbol when nothing is forbidden on first arrival.
pub(super) const ALONE: u8 = 1;
/// The second symbol when the forbidden move can never be played.
pub(super) const NEVER: u8 = 0;

const LEVELS: usize = 46;
const TURNS: usize = 7;
const LATER: usize = 8;
const ORDERS: usize = 17;
/// Contexts of first depths.
const FIRST: usize = LEVELS * TURNS * TURNS * TURNS;
/// Contexts of second depths.
const SECOND: usize = LEVELS * TURNS * LATER;
/// Contexts of moves.
const ORDER: usize = ORDERS * ORDERS;

/// Depth plus one, 0 for unreached, in coarser steps as it grows.
const LEVEL: [u8; 256] = {
    let mut level = [0; 256];
    let mut plies = 0;
    while plies < 256 {
        level[plies] = (match plies {
            0..32 => plies,
            32..64 => 32 + (plies - 32) / 4,
            _ => 40 + (plies - 64) / 32,
        }) as u8;
        plies += 1;
    }
    level
};

/// The distances of the preceding boards in the block; depths are stored plus one.
#[derive(Clone, Copy, Default)]
pub(super) struct DistanceContext {
    firsts: [u8; 4],
    second: u8,
    /// The positions of the last moves, plus one: 0 for none.
    orders: [u8; 2],
}

impl CodingContext for DistanceContext {
    const CONTEXTS: usize = FIRST + SECOND + ORDER;
    const ALONE: u8 = ALONE;

    /// Boards with a win in one have distances too.
    fn known<G: PerfectIndex>(_: &G, _: G::Board) -> Option<CodedEntry> {
        None
    }

    #[inline(always)]
    fn first(&self) -> usize {
        let [last, others @ ..] = self.firsts;
        others.iter().fold(level(last), |context, &other| context * TURNS + turn(other, last))
    }

    #[inline(always)]
    fn second(&self, first: u8) -> usize {
        FIRST + (level(first) * TURNS + turn(first, self.firsts[0])) * LATER + later(self.second)
    }

    #[inline(always)]
    fn order(&self, _: u8, _: u8) -> usize {
        let [last, before] = self.orders.map(usize::from);
        FIRST + SECOND + last * ORDERS + before
    }

    #[inline(always)]
    fn push(&mut self, [first, second, order]: CodedEntry) {
        let [last, before, third, _] = self.firsts;
        self.firsts = [first, last, before, third];
        self.second = second;
        if second != ALONE {
            self.orders = [order.min(ORDERS as u8 - 2) + 1, self.orders[0]];
        }
    }
}

#[inline(always)]
fn level(depth: u8) -> usize {
    usize::from(LEVEL[usize::from(depth)])
}

/// The clamped difference of two depths.
#[inline(always)]
fn turn(depth: u8, other: u8) -> usize {
    const MOST: i16 = TURNS as i16 / 2;
    ((i16::from(depth) - i16::from(other)).clamp(-MOST, MOST) + MOST) as usize
}

/// A second symbol, clamped.
#[inline(always)]
fn later(second: u8) -> usize {
    usize::from(second).min(LATER - 1)
}

/// The distances of a class, to be written.
pub(super) struct CodedDistances<'r> {
    pub(super) distances: &'r DistanceMap,
    pub(super) class: u8,
}

impl EntrySource for CodedDistances<'_> {
    type CodingContext = DistanceContext;
    type EntryCounts = DistanceCounts;

    fn entry<G: PerfectIndex>(&self, game: &G, index: u32, board: G::Board) -> Result<CodedEntry, &'static str> {
        let Distance { first, mv, second } = self.distances.get(self.class, index);
        let encode = first.wrapping_add(1);
        if mv == NO_MOVE {
            return match second {
                UNREACHED => Ok([encode, ALONE, 0]),
                _ => Err("a board is arrived at a second time, and nothing was forbidden the first time"),
            };
        }
        if first == UNREACHED {
            return Err("a board is not reached, and something is forbidden there");
        }
        let later = match second {
            UNREACHED => NEVER,
            _ if second <= first => return Err("the second arrival is not after the first"),
            _ => second - first + 1,
        };
        let order = place(game, board, mv).ok_or("the move that is forbidden is none that can be taken back")?;
        Ok([encode, later, order])
    }
}

/// Decodes a distance; `None` when the entry is inconsistent.
pub(super) fn distance<G: PerfectIndex>(
    game: &G,
    class: u8,
    index: u32,
    [encode, later, order]: CodedEntry,
) -> Option<Distance> {
    let first = encode.wrapping_sub(1);
    if later == ALONE {
        return Some(Distance { first, mv: NO_MOVE, second: UNREACHED });
    }
    let board = game.unrank(class, index).filter(|_| first != UNREACHED)?;
    let mv = reversible(game, board, order)?;
    let second = match later {
        NEVER => UNREACHED,
        _ => first.checked_add(later - 1).filter(|&second| second != UNREACHED)?,
    };
    Some(Distance { first, mv, second })
}

/// The distances of a class, from the header of its file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DistanceInfo {
    /// The file.
    pub path: PathBuf,
    /// The class of the game.
    pub class: u8,
    /// The name of the class.
    pub name: String,
    /// The number of indices.
    pub size: u32,
    /// The number of boards.
    pub boards: u64,
    /// Boards that no game reaches.
    pub unreached: u64,
    /// Boards where every first arrival forbids the same move.
    pub exceptions: u64,
    /// Those where that move can never be played.
    pub never: u64,
    /// The largest distance; 0 when there is none.
    pub deepest: u8,
    /// Boards per block.
    pub block: u32,
    /// File size in bytes.
    pub bytes: u64,
}

/// The expected header of a class.
pub(super) fn header<'t, G: PerfectIndex>(game: &G, class: u8, id: &'t TablebaseId) -> ClassHeader<'t> {
    let (name, size) = (game.class_name(class), game.size(class));
    ClassHeader { id, metric: "distances", ending: "reach", class, name, size }
}

/// The start board as the header names it.
pub(super) fn start<G: PerfectIndex>(game: &G, (class, index): (u8, u32)) -> String {
    format!("{index} {}", game.class_name(class))
}

/// Parses [`start`] into class and index; `None` when there is no such board.
pub(super) fn place_of_start<G: PerfectIndex>(game: &G, start: &str) -> Option<(u8, u32)> {
    let (index, name) = start.split_once(' ')?;
    let mut classes = game.stages().iter().flat_map(|classes| classes.iter().copied());
    let class = classes.find(|&class| game.class_name(class) == name)?;
    let index = index.parse().ok().filter(|&index| index < game.size(class))?;
    game.unrank(class, index).map(|_| (class, index))
}

/// The header lines about the distances of a class.
pub(super) fn lines(start: &str, totals: &DistanceCounts) -> String {
    let DistanceCounts { boards, unreached, exceptions, never, deepest } = totals;
    format!(
        "start {start}\nboards {boards}\nunreached {unreached}\nexceptions {exceptions}\nnever {never}\n\
         deepest {deepest}\n"
    )
}

impl DistanceInfo {
    /// Reads the header.
    pub(super) fn read(file: &ClassFile, lines: &HeaderLines) -> Result<DistanceInfo, TablebaseError> {
        Ok(DistanceInfo {
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

/// Totals of a class.
#[derive(Default)]
pub(super) struct DistanceCounts {
    boards: u64,
    unreached: u64,
    exceptions: u64,
    never: u64,
    deepest: u8,
}

impl EntryCounts for DistanceCounts {
    fn board(&mut self, [first, second, _]: CodedEntry, _: bool) {
        self.boards += 1;
        self.unreached += u64::from(first == 0);
        self.exceptions += u64::from(second != ALONE);
        self.never += u64::from(second == NEVER);
        self.deepest = self.deepest.max(first.saturating_sub(1));
    }

    fn add(&mut self, other: &DistanceCounts) {
        self.boards += other.boards;
        self.unreached += other.unreached;
        self.exceptions += other.exceptions;
        self.never += other.never;
        self.deepest = self.deepest.max(other.deepest);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_context_has_its_own_number() {
        const { assert!(DistanceContext::CONTEXTS < 1 << 16) };
        let extremes = [0, 1, 3, 30, 31, 32, 63, 64, 128, 254, 255];
        for last in extremes {
            for other in extremes {
                let mut past = DistanceContext::default();
                for entry in [[other, other, other], [255, 255, 255], [other, last, last], [last, other, other]] {
                    past.push(entry);
                }
                assert!(past.first() < FIRST);
                assert!((FIRST..FIRST + SECOND).contains(&past.second(other)));
                assert!((FIRST + SECOND..DistanceContext::CONTEXTS).contains(&past.order(other, other)));
            }
        }
        let mut past = DistanceContext::default();
        [[255; 3], [254, 255, 255], [0, 255, 255], [255; 3]].into_iter().for_each(|entry| past.push(entry));
        assert_eq!(past.order(0, 0), DistanceContext::CONTEXTS - 1);
        assert_eq!(past.second(255), FIRST + (45 * TURNS + 3) * LATER + 7);
        // No preceding depth is greater than the last.
        assert_eq!(past.first(), ((45 * TURNS) * TURNS + 2) * TURNS + 3);
    }

    #[test]
    fn levels_never_fall() {
        assert!(LEVEL.is_sorted() && LEVEL[255] as usize == LEVELS - 1);
    }
}
