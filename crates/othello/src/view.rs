//! The board as a picture.

use tesuji_game::{BoardView, Ground, PieceCounts, Side, View, ViewCell};

use crate::{Move, Othello};

impl BoardView for Othello {
    fn view(&self) -> View {
        let [black, white] = Side::BOTH.map(|side| self.discs(side));
        let cell = |square: u32| match (black >> square & 1, white >> square & 1) {
            (1, _) => ViewCell::Disc(Side::First),
            (_, 1) => ViewCell::Disc(Side::Second),
            _ => ViewCell::Empty,
        };
        View::grid(8, Ground::Felt, (0..64).map(cell).collect())
    }

    fn cells(&self, mv: Move) -> Vec<usize> {
        mv.square().map(|square| square.index()).into_iter().collect()
    }

    fn players() -> [&'static str; 2] {
        ["black", "white"]
    }

    fn piece_counts(&self) -> Option<PieceCounts> {
        let sides = Side::BOTH.map(|side| self.discs(side).count_ones());
        Some(PieceCounts { noun: "discs", sides, full: None })
    }
}
