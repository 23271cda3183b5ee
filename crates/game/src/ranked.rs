//! Games small enough to number all their boards, so that a table over the numbers can hold the whole game.

use std::fmt::Debug;

use crate::Outcome;

/// What stands for "no move" where a move is one number.
pub const NO_MOVE: u8 = 127;

/// Where a board stands in the numbering, and how it got there.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Place {
    /// The class.
    pub class: u8,
    /// The number within the class.
    pub index: u32,
    /// The symmetry that takes the board to the one that is numbered.
    pub symmetry: u8,
    /// Whether the board is symmetric.
    pub symmetric: bool,
}

/// What a move leads to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Step<B> {
    /// The game goes on with this board, where this reply would take the move back, and is forbidden for that;
    /// `NO_MOVE` when nothing can.
    On(B, u8),
    /// The game is over, so for whoever made the move.
    End(Outcome),
}

/// A move that leads to a board, found from that board.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Back {
    /// The class of the board before.
    pub class: u8,
    /// Its number.
    pub index: u32,
    /// The move, as the numbered board before sees it.
    pub mv: u8,
    /// The reply that would take it back, as the numbered board after sees it; `NO_MOVE` when nothing can.
    pub reply: u8,
    /// Whether the board before is symmetric.
    pub symmetric: bool,
}

/// A game whose boards are numbered, class by class, one number for all images of a board.
///
/// A board is what stands before the players, seen by the mover and without memory: where the rules forbid the
/// move that would take the last one back, that move is told beside the board. Moves are numbers below
/// [`NO_MOVE`]. A move is *reversible* when a reply can take it back; then so is that reply.
///
/// Classes hold what no move brings back, such as pieces that were lost. Each belongs to a stage, and a move
/// leads to its own stage or an earlier one: stages can be solved one after the other.
///
/// A board that a symmetry maps to itself is *symmetric*: several of its moves are one and the same, so counting
/// its moves misleads. Such boards are few, and whoever counts moves looks at them separately.
pub trait Ranked: Sync {
    /// A board without memory.
    type Board: Copy + PartialEq + Debug + Send + Sync;

    /// The classes of each stage; a class is named by its place in [`size`](Ranked::size).
    fn stages(&self) -> &[&[u8]];

    /// How many numbers a class has: all of them below 2³².
    fn size(&self, class: u8) -> u32;

    /// The name of a class, fit for a file name.
    fn class_name(&self, class: u8) -> String;

    /// The class of a board in play.
    fn class(&self, board: Self::Board) -> u8;

    /// The number of a board in play.
    fn rank(&self, board: Self::Board) -> Place;

    /// The board of a number; `None` for the few numbers that no board has.
    fn unrank(&self, class: u8, index: u32) -> Option<Self::Board>;

    /// The move that does under a symmetry what `mv` does here.
    fn image(&self, mv: u8, symmetry: u8) -> u8;

    /// Whether a symmetry other than the identity maps this board to itself.
    fn is_symmetric(&self, board: Self::Board) -> bool;

    /// Calls `visit` with every move that the symmetries of this board make of `mv`, itself included: all are one
    /// and the same move. More than one only where the board is symmetric.
    fn twins(&self, board: Self::Board, mv: u8, visit: impl FnMut(u8));

    /// Whether the mover can win with the next move. No rule forbids such a move.
    fn wins_at_once(&self, board: Self::Board) -> bool;

    /// The boards after every move, nothing being forbidden, seen by the next mover and not canonical.
    fn successors(&self, board: Self::Board, visit: impl FnMut(u8, Step<Self::Board>));

    /// The board after one move, and the reply that would take it back; `None` when the game ends with it.
    fn after(&self, board: Self::Board, mv: u8) -> Option<(Self::Board, u8)>;

    /// Every move within the stage that leads to the board of this number: each pair of a board and a move
    /// once. Only a move of a symmetric board may come several times, under the names its symmetries give it.
    fn predecessors(&self, class: u8, index: u32, visit: impl FnMut(Back));

    /// The same for moves that come from a later stage.
    fn entrances(&self, class: u8, index: u32, visit: impl FnMut(Back));
}
