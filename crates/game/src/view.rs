//! What to draw: a description of a board that terminals and pages turn into pictures.

use crate::{Game, Side};

/// A game that can be drawn.
pub trait BoardView: Game {
    /// The position as a picture in words.
    fn view(&self) -> View;

    /// The cells of this view that `mv`, legal here, is about: where it goes, or from where to where.
    fn cells(&self, mv: Self::Move) -> Vec<usize>;

    /// What the players are called: `["black", "white"]`.
    fn players() -> [&'static str; 2] {
        ["first", "second"]
    }
}

/// A board of cells, row by row from the top left.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct View {
    /// Labels of the columns, left to right.
    pub columns: Vec<String>,
    /// Labels of the rows, top to bottom.
    pub rows: Vec<String>,
    /// `rows.len() * columns.len()` cells.
    pub cells: Vec<ViewCell>,
    /// What each side holds in hand.
    pub hands: [Vec<HandPiece>; 2],
    /// Cells of the last move, where the position remembers it.
    pub last: Vec<usize>,
    /// What the board is made of.
    pub ground: Ground,
}

/// The look of an empty board.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ground {
    /// Green cloth with ruled lines.
    Felt,
    /// Light wood with ruled lines.
    Wood,
    /// Neutral, without lines: tiles lie on a table.
    Table,
}

/// What lies on a cell.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ViewCell {
    /// Nothing.
    Empty,
    /// A disc of that side.
    Disc(Side),
    /// A hole that pieces fall into.
    Hole,
    /// A piece with a name on it.
    Piece {
        /// Whose it is.
        side: Side,
        /// Its native sign, possibly two columns wide: `"歩"`.
        sign: &'static str,
        /// Its name in ASCII, at most two characters, in upper case: `"P"`, `"+P"`.
        letters: &'static str,
    },
    /// A tile with two tracks: whose track leaves by the north, east, south and west edge.
    Tile([Side; 4]),
}

/// Pieces of one kind in hand.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct HandPiece {
    /// The native sign.
    pub sign: &'static str,
    /// The name in ASCII.
    pub letters: &'static str,
    /// How many.
    pub count: usize,
}

impl View {
    /// A board labelled `a b c …` and `1 2 3 …`, its cells row by row from the top left.
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
