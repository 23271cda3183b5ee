//! The end of the book at a position: the best move that leads out of it.

use std::fmt;

use crate::othello::Selectivity;

/// The best move out of the book, and how it was found. Squares are those of the book's own board.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Leaf {
    pub(super) square: u8,
    /// Discs, seen by the mover.
    pub(super) value: i8,
    /// Plies that were looked ahead.
    pub(super) depth: u8,
    /// How surely.
    pub(super) level: Selectivity,
}

impl Leaf {
    /// No score is beyond this.
    pub(super) const MOST: i8 = 64;

    /// A leaf on a square of the board, if its numbers are possible with so many empty squares.
    pub(super) fn new(square: u8, value: i32, depth: u32, level: Selectivity, empties: u32) -> Option<Leaf> {
        let most = i32::from(Leaf::MOST);
        let possible = square < 64 && (-most..=most).contains(&value) && (1..=empties).contains(&depth);
        possible.then_some(Leaf { square, value: value as i8, depth: depth as u8, level })
    }

    /// How far the search went, then how surely: more is better.
    pub(super) fn sight(self) -> (u32, Selectivity) {
        (u32::from(self.depth), self.level)
    }
}

/// `12`, or `21/73` where branches were left out as 73 per cent allow.
pub(super) struct Sight(pub(super) u32, pub(super) Selectivity);

impl fmt::Display for Sight {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.1 {
            Selectivity::EXACT => write!(f, "{}", self.0),
            level => write!(f, "{}/{}", self.0, level.percent()),
        }
    }
}
