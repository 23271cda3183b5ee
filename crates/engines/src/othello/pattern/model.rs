//! What training needs to know of the patterns.

use tesuji_learn::Model;
use tesuji_othello::Othello;

use super::fold::Fold;
use super::freedom::Freedom;
use super::numbers::Numbers;
use super::shapes::{INSTANCES, PLAIN, PLAIN_INSTANCES, SHAPES};
use super::{PLIES, STAGES};

/// The patterns as features to be trained: [`Pattern`](super::Pattern) is what comes of it.
pub struct Patterns {
    folds: &'static [Fold; SHAPES.len()],
    /// The first weight of each shape.
    firsts: [u32; SHAPES.len()],
    /// The first weight of freedom.
    freedom: u32,
    /// Whether only what other programs have is looked at.
    plain: bool,
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
        Patterns { folds, firsts, freedom: weights as u32, plain: false }
    }

    /// The same without all that Edax and Egaroucid have no weights for: their files can hold what is trained by it.
    pub fn plain() -> Patterns {
        Patterns { plain: true, ..Patterns::new() }
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
        "othello/pattern/2"
    }

    fn stages(&self) -> usize {
        STAGES
    }

    fn stage(&self, (own, other): &Boards) -> usize {
        ((!(own | other)).count_ones() as usize / PLIES).min(STAGES - 1)
    }

    fn weights(&self) -> usize {
        self.freedom as usize + Freedom::WEIGHTS
    }

    fn features(&self) -> usize {
        if self.plain { PLAIN_INSTANCES } else { INSTANCES + Freedom::FEATURES }
    }

    fn active_features(&self, &(own, other): &Boards, to: &mut [u32]) {
        let numbers = Numbers::new(own, other);
        let shapes = if self.plain { PLAIN } else { SHAPES.len() };
        for (shape, (fold, first)) in SHAPES[..shapes].iter().zip(self.folds.iter().zip(&self.firsts)) {
            let lanes = shape.first..shape.first + shape.places;
            for (to, &number) in to[lanes.clone()].iter_mut().zip(&numbers.0[lanes]) {
                *to = first + fold.weight(number);
            }
        }
        if !self.plain {
            let empties = (!(own | other)).count_ones();
            let numbers = Freedom::new(own, other).numbers(empties);
            for (to, number) in to[INSTANCES..].iter_mut().zip(numbers) {
                *to = self.freedom + number as u32;
            }
        }
    }
}

/// A position as it is kept in data sets.
pub fn boards(game: &Othello) -> Boards {
    (game.own(), game.other())
}
