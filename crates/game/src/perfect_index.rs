//! Perfect index: a bijection between the boards of a small game and the numbers of a tablebase.
//!
//! [`PerfectIndex`] ranks and unranks boards. [`HasPerfectIndex`] ties a game to its index.

use std::fmt::Debug;

use crate::{Game, Outcome};

/// The move number that means "no move".
pub const NO_MOVE: u8 = 127;

/// The rank of a board in the index.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct BoardRank {
    /// The class.
    pub class: u8,
    /// The number within the class.
    pub index: u32,
    /// The symmetry that maps the board to its representative, which has this number.
    pub symmetry: u8,
    /// Whether the board is symmetric.
    pub symmetric: bool,
}

/// The result of a move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Successor<B> {
    /// The next board, and the reply that would take the move back; [`NO_MOVE`] when no reply can. The rules
    /// forbid that reply.
    Board(B, u8),
    /// The game is over with this outcome for the player who moved.
    End(Outcome),
}

/// A move that leads to a board, found from that board.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Predecessor {
    /// The class of the board before the move.
    pub class: u8,
    /// Its number.
    pub index: u32,
    /// The move, in the frame of the representative of the board before.
    pub mv: u8,
    /// The reply that would take it back, in the frame of the representative of the board after; [`NO_MOVE`]
    /// when no reply can.
    pub reply: u8,
    /// Whether the board before is symmetric.
    pub symmetric: bool,
}

/// A perfect index of all boards of a game, class by class, with one number for all images of a board.
///
/// A board is seen by the mover and has no history. Where the rules forbid the move that would take the last
/// one back, that move stands beside the board. Moves are numbers below [`NO_MOVE`]. A move is *reversible*
/// when a reply can take it back; then that reply is reversible too.
///
/// A class holds the boards with the same material. Each class belongs to a stage, and a move leads to its own
/// stage or an earlier one. So retrograde analysis can solve the stages one after the other.
///
/// A board that a symmetry maps to itself is *symmetric*. Several of its moves are equivalent, so code that
/// counts moves must treat symmetric boards separately. There are few of them.
pub trait PerfectIndex: Sync {
    /// A board without history.
    type Board: Copy + PartialEq + Debug + Send + Sync;

    /// The classes of each stage. A class is an argument of [`size`](PerfectIndex::size).
    fn stages(&self) -> &[&[u8]];

    /// The number of ranks in a class.
    fn size(&self, class: u8) -> u32;

    /// The name of a class, usable as a file name.
    fn class_name(&self, class: u8) -> String;

    /// The class of a board in play.
    fn class(&self, board: Self::Board) -> u8;

    /// The rank of a board in play.
    fn rank(&self, board: Self::Board) -> BoardRank;

    /// The board of a rank; `None` for the few numbers that no board has.
    fn unrank(&self, class: u8, index: u32) -> Option<Self::Board>;

    /// The image of a move under a symmetry.
    fn image(&self, mv: u8, symmetry: u8) -> u8;

    /// Whether a symmetry other than the identity maps this board to itself.
    fn is_symmetric(&self, board: Self::Board) -> bool;

    /// Calls `visit` with the images of `mv` under the symmetries that map the board to itself. `mv` is one of
    /// them, and the only one unless the board is symmetric.
    fn equivalent_moves(&self, board: Self::Board, mv: u8, visit: impl FnMut(u8));

    /// Whether the mover can win with the next move. No rule forbids such a move.
    fn wins_in_one(&self, board: Self::Board) -> bool;

    /// Calls `visit` with every move and its result, seen by the next mover. No move is forbidden, and the
    /// boards are not representatives.
    fn successors(&self, board: Self::Board, visit: impl FnMut(u8, Successor<Self::Board>));

    /// The board after one move, and the reply that would take it back; `None` when the move ends the game.
    fn after(&self, board: Self::Board, mv: u8) -> Option<(Self::Board, u8)>;

    /// Calls `visit` with every move within the stage that leads to this board: each pair of a board and a move
    /// once. Only the moves of a symmetric board may come several times, once for each equivalent move.
    fn predecessors(&self, class: u8, index: u32, visit: impl FnMut(Predecessor));

    /// Like [`predecessors`](PerfectIndex::predecessors), for the moves that come from a later stage.
    fn conversions(&self, class: u8, index: u32, visit: impl FnMut(Predecessor));
}

/// A game with a perfect index: a tablebase can solve it. Each position is a board of the index with at most
/// one forbidden move.
pub trait HasPerfectIndex: Game + Copy {
    /// The index.
    type Index: PerfectIndex<Board = Self> + Send + 'static;

    /// The version of the rules. It changes when the value of a board may change.
    const RULES_VERSION: u32;
    /// The version of the index. It changes when the rank of a board or the order of its moves may change.
    const INDEX_VERSION: u32;
    /// The names of the stages on the command line, for example the number of pieces on the board.
    const STAGES: &'static [&'static str];

    /// Creates the index.
    fn index() -> Self::Index;

    /// The forbidden move, or [`NO_MOVE`].
    fn forbidden(&self) -> u8;

    /// The same board with another forbidden move, or none. A reply must be able to take the move back.
    fn forbidding(self, number: u8) -> Self;

    /// The number of a move.
    fn move_number(mv: Self::Move) -> u8;

    /// The move of a number that [`move_number`](HasPerfectIndex::move_number) returned.
    fn move_from_number(number: u8) -> Self::Move;

    /// Results of other programs, to compare with.
    fn published_results() -> Option<&'static PublishedResults> {
        None
    }
}

/// Results that other programs found for a game. An empty list means "not known".
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PublishedResults {
    /// By class: its boards, and those with a win in one.
    pub classes: &'static [(u64, u64)],
    /// Boards of the first class by distance to the end in plies; draws at 0.
    pub first_class: &'static [u64],
    /// Nodes of the whole game by distance in plies; draws at 0, boards with a win in one left out.
    pub nodes: &'static [u64],
    /// Boards of the whole game without an irreversible predecessor.
    pub unled: u64,
    /// The distance of the start position in plies; 0 for a draw.
    pub start: u8,
    /// Nodes by their distance from the start position.
    pub depths: &'static [u64],
}
