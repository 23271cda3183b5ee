//! The board as a picture.

use tesuji_game::{BoardView, Ground, Highlight, HighlightKind, PieceCounts, Side, View, ViewCell};

use crate::{EdgeStability, Move, Othello, stable_discs};

impl BoardView for Othello {
    const HIGHLIGHTS: Option<HighlightKind> = Some(HighlightKind::Stable);

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

    /// The discs that are certainly stable.
    fn highlights(&self) -> Vec<Highlight> {
        let stable = |side: Side| {
            let found = stable_discs(EdgeStability::table(), self.discs(side), self.discs(!side));
            let cells: Vec<usize> = (0..64).filter(|square| found >> square & 1 != 0).collect();
            Highlight { side, cells }
        };
        Side::BOTH.map(stable).into_iter().filter(|highlight| !highlight.cells.is_empty()).collect()
    }
}
