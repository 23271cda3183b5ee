//! Games that can be solved whole: what ties a game to the numbering of its boards.

use crate::{Game, Ranked};

/// A game whose positions in play are the boards of a numbering, each with at most one move forbidden.
pub trait Numbered: Game + Copy {
    /// The numbering.
    type Index: Ranked<Board = Self> + Send + 'static;

    /// The version of the rules: another when a board may be worth something else.
    const RULES: u32;
    /// The version of the numbering: another when a board may have another number, or its moves another order.
    const INDEX: u32;
    /// What the stages of the numbering are called on the command line, as how many pieces are on the board.
    const STAGES: &'static [&'static str];

    /// Makes the numbering.
    fn index() -> Self::Index;

    /// The move that is forbidden here, [`NO_MOVE`](crate::NO_MOVE) for none.
    fn forbidden(&self) -> u8;

    /// The same board with another move forbidden, or none. The move must be one that a reply can take back.
    fn forbidding(self, number: u8) -> Self;

    /// The number of a move.
    fn number(mv: Self::Move) -> u8;

    /// The move of a number below [`NO_MOVE`](crate::NO_MOVE) that a legal move has.
    fn numbered(number: u8) -> Self::Move;

    /// What others found out, to compare with.
    fn known() -> Option<&'static Known> {
        None
    }
}

/// What is known of a game from elsewhere. A list that is empty is not known.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Known {
    /// By class: its boards, and those that win at once.
    pub classes: &'static [(u64, u64)],
    /// Boards of the first class by plies, draws at 0.
    pub first_class: &'static [u64],
    /// Nodes of the whole game by plies, draws at 0, boards that win at once left out.
    pub nodes: &'static [u64],
    /// Boards of the whole game that no irreversible move leads to.
    pub unled: u64,
    /// Plies of the start position, 0 for a draw.
    pub start: u8,
    /// Nodes by how many plies they are from the start.
    pub depths: &'static [u64],
}
