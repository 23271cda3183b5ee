//! A description of a board that terminals and pages draw.

use crate::{Game, Side};

/// A game that can be drawn.
pub trait BoardView: Game {
    /// The description of the position.
    fn view(&self) -> View;

    /// The cells of the view that belong to a legal move: its target, or its origin and target.
    fn cells(&self, mv: Self::Move) -> Vec<usize>;

    /// The names of the players: `["black", "white"]`.
    fn players() -> [&'static str; 2] {
        ["first", "second"]
    }
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
