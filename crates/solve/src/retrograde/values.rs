//! What a solution says of each board: two values and the move that decides between them.

use std::io;

use tesuji_game::{BoardRank, NO_MOVE, PerfectIndex};

use super::evaluate::ValueSource;
use super::memory::Plane;

/// What a board is worth, in plies to the end: odd when the mover wins, even when the mover loses, 0 for a draw.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct BoardValue {
    /// With nothing forbidden.
    pub first: u8,
    /// The only move whose being forbidden changes the value; [`NO_MOVE`] when there is none.
    pub mv: u8,
    /// The value when that move is forbidden; 0 when there is none.
    pub second: u8,
}

impl BoardValue {
    /// The value when this move is forbidden, [`NO_MOVE`] for none.
    #[inline]
    pub fn when_forbidden(self, mv: u8) -> u8 {
        if mv != NO_MOVE && mv == self.mv { self.second } else { self.first }
    }
}

/// The values of all boards of a class, one plane for each part of a [`Value`].
///
/// A number that no board has is worth 0.
#[derive(Debug)]
pub struct ClassValues {
    /// The values with nothing forbidden.
    pub first: Plane,
    /// The moves that matter.
    pub mv: Plane,
    /// The values without them.
    pub second: Plane,
}

impl ClassValues {
    /// Room for so many boards.
    pub fn new(len: usize) -> io::Result<ClassValues> {
        Ok(ClassValues { first: Plane::zeros(len)?, mv: Plane::zeros(len)?, second: Plane::zeros(len)? })
    }

    /// How many numbers there are.
    #[inline]
    pub fn len(&self) -> usize {
        self.first.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.first.is_empty()
    }

    /// The value of a board.
    #[inline]
    pub fn get(&self, index: usize) -> BoardValue {
        BoardValue { first: self.first[index], mv: self.mv[index], second: self.second[index] }
    }

    #[inline]
    pub(super) fn set(&mut self, index: usize, value: BoardValue) {
        self.first[index] = value.first;
        self.mv[index] = value.mv;
        self.second[index] = value.second;
    }
}

/// The values of all classes solved, by the name of the class.
#[derive(Default, Debug)]
pub struct Solution {
    pub(super) classes: Vec<Option<ClassValues>>,
}

impl Solution {
    /// The values of a class; `None` when it was not solved, or is kept on a checkpoints.
    pub fn class(&self, class: u8) -> Option<&ClassValues> {
        self.classes.get(usize::from(class))?.as_ref()
    }

    /// Puts the values of a class in their place, as from a checkpoints.
    pub fn insert(&mut self, class: u8, values: ClassValues) {
        let at = usize::from(class);
        if self.classes.len() <= at {
            self.classes.resize_with(at + 1, || None);
        }
        self.classes[at] = Some(values);
    }

    /// What a board is worth when this move, as the board given sees it, is forbidden; [`NO_MOVE`] for none.
    /// `None` when its class was not solved.
    pub fn value<G: PerfectIndex>(&self, game: &G, board: G::Board, forbidden: u8) -> Option<u8> {
        let place = game.rank(board);
        let values = self.class(place.class)?;
        let forbidden = if forbidden == NO_MOVE { forbidden } else { game.image(forbidden, place.symmetry) };
        Some(values.get(place.index as usize).when_forbidden(forbidden))
    }
}

impl ValueSource for Solution {
    fn value(&self, place: BoardRank, forbidden: u8) -> u8 {
        self.class(place.class).map_or(0, |values| values.get(place.index as usize).when_forbidden(forbidden))
    }
}
