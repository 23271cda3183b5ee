//! Othello for neural networks: own discs, the opponent's discs, legal moves; a label for every square.

use tesuji_game::{Encoding, PlaneInput, Planes};

use crate::{Move, Othello, mobility};

impl Planes for Othello {
    const ENCODING: Encoding = Encoding { name: "othello-3/1", height: 8, width: 8, planes: 3, policy_planes: 1 };

    fn planes(&self, input: &mut impl PlaneInput) {
        for (plane, mut squares) in
            [self.own(), self.other(), mobility(self.own(), self.other())].into_iter().enumerate()
        {
            while squares != 0 {
                input.square(plane, squares.trailing_zeros() as usize);
                squares &= squares - 1;
            }
        }
    }

    /// A pass has no label: it is never one of several moves.
    fn label(&self, mv: Move) -> Option<usize> {
        mv.square().map(|square| square.index())
    }
}
