//! A description of a board that terminals and pages draw.

use crate::{Game, Side};

/// A game that can be drawn.
pub trait BoardView: Game {
    /// What [`highlights`](BoardView::highlights) shows.
    const HIGHLIGHTS: Option<HighlightKind> = None;

    /// The description of the position.
    fn view(&self) -> View;

    /// The cells of the view that belong to a legal move: its target, or its origin and target.
    fn cells(&self, mv: Self::Move) -> Vec<usize>;

    /// The names of the players: `["black", "white"]`.
    fn players() -> [&'static str; 2] {
        ["first", "second"]
    }

    /// The pieces of each side on the board, in games where their number decides.
    fn piece_counts(&self) -> Option<PieceCounts> {
        None
    }

    /// The piece in hand that a legal move drops: its ASCII name in [`HandPiece`].
    fn dropped(&self, mv: Self::Move) -> Option<&'static str> {
        let _ = mv;
        None
    }

    /// The cells that a legal move fills, where that is more than its target shows.
    fn preview(&self, mv: Self::Move) -> Vec<(usize, ViewCell)> {
        let _ = mv;
        Vec::new()
    }

    /// The winner of a finished game and the cells that won it, such as those of a loop.
    fn winning_cells(&self) -> Option<(Side, Vec<usize>)> {
        None
    }

    /// The move that only the one before forbids, such as a ko.
    fn forbidden_move(&self) -> Option<Self::Move> {
        None
    }

    /// Where the first cell of the view lies on a plane that stays put when the board grows: its column and row.
    fn origin(&self) -> (i32, i32) {
        (0, 0)
    }

    /// The cell of what is attacked and must be saved at once, such as a king in check.
    fn checked_cell(&self) -> Option<usize> {
        None
    }

    /// Cells that a player may want to have pointed out, at most one list for each side.
    fn highlights(&self) -> Vec<Highlight> {
        Vec::new()
    }

    /// Where a legal move heads that leaves the board: `up`, `down`, `left` or `right`.
    fn leaves_towards(&self, mv: Self::Move) -> Option<&'static str> {
        let _ = mv;
        None
    }

    /// The words of the country where the game is at home.
    fn native() -> Option<NativeWords> {
        None
    }

    /// A legal move in that country's notation: `▲７六歩`. `before` is the move before it.
    fn native_move(&self, mv: Self::Move, before: Option<Self::Move>) -> Option<String> {
        let _ = (mv, before);
        None
    }
}

/// The pieces of each side on the board.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PieceCounts {
    /// What is counted: `"discs"`.
    pub noun: &'static str,
    /// The first player's, then the second's.
    pub sides: [u32; 2],
    /// How many each side begins with, in games where pieces are lost.
    pub full: Option<u32>,
}

/// Cells that a player may want to have pointed out.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Highlight {
    /// Whose they are.
    pub side: Side,
    /// The cells.
    pub cells: Vec<usize>,
}

/// What is special about cells.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum HighlightKind {
    /// Pieces that stay as they are to the end of the game.
    Stable,
    /// Cells where the side would win at once if it were to move.
    Attack,
}

/// The words of the country where a game is at home.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct NativeWords {
    /// The language: `"Japanese"`.
    pub language: &'static str,
    /// The names of the players.
    pub players: [&'static str; 2],
    /// Labels of the rows, top to bottom.
    pub rows: &'static [&'static str],
}

/// A board of cells, in rows from the top left.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct View {
    /// Labels of the columns, left to right.
    pub columns: Vec<String>,
    /// Labels of the rows, top to bottom.
    pub rows: Vec<String>,
    /// `rows.len() * columns.len()` cells.
    pub cells: Vec<ViewCell>,
    /// The pieces in hand of each side.
    pub hands: [Vec<HandPiece>; 2],
    /// The cells of the last move, if the position knows it.
    pub last: Vec<usize>,
    /// The look of the board.
    pub ground: Ground,
}

/// The look of an empty board.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ground {
    /// Green with lines.
    Felt,
    /// Light wood with lines.
    Wood,
    /// Neutral, without lines, for tiles.
    Table,
}

/// The contents of a cell.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ViewCell {
    /// An empty cell.
    Empty,
    /// A disc of a side.
    Disc(Side),
    /// A hole.
    Hole,
    /// A piece with a name on it.
    Piece {
        /// Its owner.
        side: Side,
        /// Its native name, possibly two columns wide: `"歩"`.
        sign: &'static str,
        /// Its ASCII name, at most two characters, in upper case: `"P"`, `"+P"`.
        letters: &'static str,
    },
    /// A tile with two tracks: the owners of the tracks at the north, east, south and west edge.
    Tile([Side; 4]),
}

/// Pieces of one kind in hand.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct HandPiece {
    /// The native name.
    pub sign: &'static str,
    /// The ASCII name.
    pub letters: &'static str,
    /// The number of pieces.
    pub count: usize,
}

impl View {
    /// A board with the labels `a b c …` and `1 2 3 …`; cells in rows from the top left.
    pub fn grid(columns: usize, ground: Ground, cells: Vec<ViewCell>) -> View {
        let rows = cells.len() / columns;
        View {
            columns: ('a'..='z').take(columns).map(String::from).collect(),
            rows: (1..=rows).map(|row| row.to_string()).collect(),
            cells,
            hands: [Vec::new(), Vec::new()],
            last: Vec::new(),
            ground,
        }
    }
}
