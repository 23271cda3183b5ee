//! The legal moves of a position: the set of squares itself, or the pass.

use tesuji_game::MoveList;

use crate::{Move, Square};

/// Legal moves as a bit set; the pass only where it is compulsory, and then alone.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Moves {
    /// Where a disc may be put.
    pub squares: u64,
    /// Whether the mover has to pass; there are no squares then.
    pub pass: bool,
}

impl MoveList for Moves {
    type Move = Move;

    #[inline]
    fn each(&self) -> impl Iterator<Item = Move> + '_ {
        Each { squares: self.squares, pass: self.pass }
    }

    #[inline]
    fn len(&self) -> usize {
        self.squares.count_ones() as usize + usize::from(self.pass)
    }

    #[inline]
    fn is_empty(&self) -> bool {
        self.squares == 0 && !self.pass
    }

    #[inline]
    fn has(&self, mv: Move) -> bool {
        mv.square().map_or(self.pass, |square| self.squares & square.bit() != 0)
    }
}

/// From a1 to h8; the pass last.
struct Each {
    squares: u64,
    pass: bool,
}

impl Iterator for Each {
    type Item = Move;

    #[inline]
    fn next(&mut self) -> Option<Move> {
        if let Some(square) = Square::lowest(self.squares) {
            self.squares &= self.squares - 1;
            return Some(Move::from(square));
        }
        std::mem::take(&mut self.pass).then_some(Move::PASS)
    }
}
