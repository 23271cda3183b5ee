//! The board view, from a fixed point of view: a replayed game does not rotate or change colours.

use tesuji_game::{BoardView, Game, Ground, PieceCounts, Side, View, ViewCell};

use crate::board::{CELLS, Ostle, SIDE};
use crate::moves::{Direction, Move};

impl BoardView for Ostle {
    /// The digits 1 and 2 change hands with every ply; the discs drawn here do not. The first player begins
    /// at the bottom.
    fn view(&self) -> View {
        let cell = |cell| match self.digit(cell) {
            0 => ViewCell::Empty,
            1 => ViewCell::Disc(self.mover()),
            2 => ViewCell::Disc(!self.mover()),
            _ => ViewCell::Hole,
        };
        View::grid(SIDE, Ground::Wood, (0..CELLS).map(cell).collect())
    }

    fn players() -> [&'static str; 2] {
        ["black", "white"]
    }

    /// Where the piece or hole stands and where it goes; only the former when it leaves the board.
    fn cells(&self, mv: Move) -> Vec<usize> {
        [Some(mv.cell()), mv.direction().step(mv.cell())].into_iter().flatten().collect()
    }

    fn leaves_towards(&self, mv: Move) -> Option<&'static str> {
        let word = match mv.direction() {
            Direction::Up => "up",
            Direction::Down => "down",
            Direction::Left => "left",
            Direction::Right => "right",
        };
        mv.direction().step(mv.cell()).is_none().then_some(word)
    }

    fn piece_counts(&self) -> Option<PieceCounts> {
        let (own, other) = self.pieces();
        let sides = if self.mover() == Side::First { [own, other] } else { [other, own] };
        Some(PieceCounts { noun: "pieces", sides, full: Some(SIDE as u32) })
    }

    fn forbidden_move(&self) -> Option<Move> {
        self.ko().filter(|_| !self.is_over())
    }
}
