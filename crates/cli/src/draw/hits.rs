//! What is where in a picture of a board, for mouse clicks.

use std::ops::Range;

use tesuji_registry::SideName;

/// Something on a board that can be clicked.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Target {
    /// A cell, by its index.
    Cell(usize),
    /// A piece in hand, by its owner and its ASCII name.
    Hand(SideName, String),
}

/// The cells and the pieces in hand of a picture.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Hits {
    /// Column and line of the first cell.
    pub(super) origin: (usize, usize),
    /// Columns and lines of a cell.
    pub(super) cell: (usize, usize),
    /// Columns and rows of cells.
    pub(super) cells: (usize, usize),
    pub(super) hands: Vec<HandArea>,
}

/// Where a piece in hand is drawn.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct HandArea {
    pub(super) line: usize,
    pub(super) columns: Range<usize>,
    pub(super) side: SideName,
    pub(super) letters: String,
}

impl Hits {
    /// What is drawn at this column and line of the picture.
    pub(crate) fn at(&self, column: usize, line: usize) -> Option<Target> {
        let hand = self.hands.iter().find(|hand| hand.line == line && hand.columns.contains(&column));
        if let Some(hand) = hand {
            return Some(Target::Hand(hand.side, hand.letters.clone()));
        }
        let part = |at: usize, origin: usize, size: usize| at.checked_sub(origin)?.checked_div(size);
        let x = part(column, self.origin.0, self.cell.0).filter(|&x| x < self.cells.0)?;
        let y = part(line, self.origin.1, self.cell.1).filter(|&y| y < self.cells.1)?;
        Some(Target::Cell(y * self.cells.0 + x))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_and_hands_are_found() {
        let hand = HandArea { line: 0, columns: 4..6, side: SideName::Second, letters: "P".to_owned() };
        let hits = Hits { origin: (2, 1), cell: (4, 2), cells: (3, 2), hands: vec![hand] };
        assert_eq!(hits.at(2, 1), Some(Target::Cell(0)));
        assert_eq!(hits.at(13, 4), Some(Target::Cell(5)));
        assert_eq!(hits.at(14, 4), None);
        assert_eq!(hits.at(1, 1), None);
        assert_eq!(hits.at(2, 5), None);
        assert_eq!(hits.at(5, 0), Some(Target::Hand(SideName::Second, "P".to_owned())));
        assert_eq!(hits.at(6, 0), None);
        assert_eq!(Hits::default().at(0, 0), None);
    }
}
