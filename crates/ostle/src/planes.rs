//! Ostle for neural networks: own pieces, the opponent's pieces, the hole, and the forbidden move by its direction; a
//! label for each piece or hole and direction.

use tesuji_game::{Encoding, PlaneInput, Planes};

use crate::{Move, Ostle};

impl Planes for Ostle {
    const ENCODING: Encoding = Encoding { name: "ostle-7/1", height: 5, width: 5, planes: 7, policy_planes: 4 };

    fn planes(&self, input: &mut impl PlaneInput) {
        for (plane, pieces) in [self.own(), self.other()].into_iter().enumerate() {
            (0..25).filter(|cell| pieces >> cell & 1 != 0).for_each(|cell| input.square(plane, cell));
        }
        input.square(2, usize::from(self.hole()));
        if let Some(ko) = self.ko() {
            input.square(3 + ko.direction() as usize, ko.cell());
        }
    }

    fn label(&self, mv: Move) -> Option<usize> {
        Some(mv.direction() as usize * 25 + mv.cell())
    }
}
