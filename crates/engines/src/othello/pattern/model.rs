//! What training needs to know of the patterns.

use tesuji_learn::Model;
use tesuji_othello::Othello;

use super::fold::Fold;
use super::numbers::Numbers;
use super::shapes::{INSTANCES, SHAPES};
use super::{PLIES, STAGES};

/// The patterns as features to be trained: [`Pattern`](super::Pattern) is what comes of it.
pub struct Patterns {
    folds: &'static [Fold; SHAPES.len()],
    /// The first weight of each shape.
    firsts: [u32; SHAPES.len()],
    weights: usize,
}

impl Patterns {
    /// The patterns, with their weights numbered.
    pub fn new() -> Patterns {
        let folds = Fold::all();
        let mut weights = 0;
        let firsts = std::array::from_fn(|shape| {
            let first = weights as u32;
            weights += folds[shape].count;
            first
        });
        Patterns { folds, firsts, weights }
    }
}

impl Default for Patterns {
    fn default() -> Patterns {
        Patterns::new()
    }
}

/// The discs of the mover and of the opponent.
pub type Boards = (u64, u64);

impl Model for Patterns {
    type Position = Boards;

    const BYTES: usize = 16;

    fn pack(&self, (own, other): &Boards, to: &mut [u8]) {
        to[..8].copy_from_slice(&own.to_le_bytes());
        to[8..].copy_from_slice(&other.to_le_bytes());
    }

    fn unpack(&self, from: &[u8]) -> Option<Boards> {
        let (boards, rest) = from.as_chunks::<8>();
        let &[own, other] = boards else { return None };
        let (own, other) = (u64::from_le_bytes(own), u64::from_le_bytes(other));
        (own & other == 0 && rest.is_empty()).then_some((own, other))
    }

    fn name(&self) -> &'static str {
        "othello/pattern/1"
    }

    fn stages(&self) -> usize {
        STAGES
    }

    fn stage(&self, (own, other): &Boards) -> usize {
        ((!(own | other)).count_ones() as usize / PLIES).min(STAGES - 1)
    }

    fn weights(&self) -> usize {
        self.weights
    }

    fn features(&self) -> usize {
        INSTANCES
    }

    fn list(&self, &(own, other): &Boards, to: &mut [u32]) {
        let numbers = Numbers::new(own, other);
        for (shape, (fold, first)) in SHAPES.iter().zip(self.folds.iter().zip(&self.firsts)) {
            let lanes = shape.first..shape.first + shape.places;
            for (to, &number) in to[lanes.clone()].iter_mut().zip(&numbers.0[lanes]) {
                *to = first + fold.weight(number);
            }
        }
    }
}

/// A position as it is kept in data sets.
pub fn boards(game: &Othello) -> Boards {
    (game.own(), game.other())
}
