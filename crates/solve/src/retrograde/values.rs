//! Values of boards: two distances and the move that decides between them.

use std::io;

use tesuji_game::{BoardRank, NO_MOVE, PerfectIndex};

use super::evaluate::ValueSource;
use super::memory::Plane;

/// The value of a board as distance to win (DTW) in plies: odd when the side to move wins, even when it
/// loses, 0 for a draw.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct BoardValue {
    /// The value with nothing forbidden.
    pub first: u8,
    /// The exceptional move: the only one whose prohibition changes the value; [`NO_MOVE`] for none.
    pub mv: u8,
    /// The value without the exceptional move; 0 if there is none.
    pub second: u8,
}

impl BoardValue {
    /// The value when `mv` is forbidden; [`NO_MOVE`] for none.
    #[inline]
    pub fn when_forbidden(self, mv: u8) -> u8 {
        if mv != NO_MOVE && mv == self.mv { self.second } else { self.first }
    }
}

/// Values of boards by their index in a class.
pub trait BoardSource: Sync {
    /// The value of a board.
    fn board(&self, index: u32) -> BoardValue;
}

impl<V: BoardSource> BoardSource for &V {
    #[inline(always)]
    fn board(&self, index: u32) -> BoardValue {
        (**self).board(index)
    }
}

impl BoardSource for ClassValues {
    #[inline(always)]
    fn board(&self, index: u32) -> BoardValue {
        self.get(index as usize)
    }
}

/// The values of a class, one plane per field of [`BoardValue`].
///
/// An index without a board has the value 0.
#[derive(Debug)]
pub struct ClassValues {
    /// Values with nothing forbidden.
    pub first: Plane,
    /// Exceptional moves.
    pub mv: Plane,
    /// Values without the exceptional moves.
    pub second: Plane,
}

impl ClassValues {
    /// Zeroed values for `len` indices.
    pub fn new(len: usize) -> io::Result<ClassValues> {
        Ok(ClassValues { first: Plane::zeros(len)?, mv: Plane::zeros(len)?, second: Plane::zeros(len)? })
    }

    /// The number of indices.
    #[inline]
    pub fn len(&self) -> usize {
        self.first.len()
    }

    /// Whether there is no index.
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

/// The values of all solved classes.
#[derive(Default, Debug)]
pub struct Solution {
    pub(super) classes: Vec<Option<ClassValues>>,
}

impl Solution {
    /// The values of a class; `None` when it is not solved or not loaded.
    pub fn class(&self, class: u8) -> Option<&ClassValues> {
        self.classes.get(usize::from(class))?.as_ref()
    }

    /// Sets the values of a class.
    pub fn insert(&mut self, class: u8, values: ClassValues) {
        let at = usize::from(class);
        if self.classes.len() <= at {
            self.classes.resize_with(at + 1, || None);
        }
        self.classes[at] = Some(values);
    }

    /// The value of a board when `forbidden`, in the board's own frame, is forbidden; [`NO_MOVE`] for none.
    /// `None` when its class is not loaded.
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
