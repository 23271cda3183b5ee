//! `pattern`: the sum of learned weights, one for each pattern on the board, apart for each stage of the game.
//!
//! A pattern is a small set of squares; how its discs lie makes a number, and the number has a weight. All
//! numbers are kept in step with the moves, so that a position is judged by looking up its weights. Where both sides
//! could play has weights, too.

mod export;
mod fold;
mod freedom;
mod model;
mod numbers;
mod shapes;
mod shipped;
mod tables;

use tesuji_game::Outcome;
use tesuji_othello::{Move, Othello};
use tesuji_search::{Eval, Value};

use super::worth::{estimate, over};
use fold::Fold;
pub use freedom::Freedom;
pub use model::{Boards, Patterns, boards};
pub use numbers::Numbers;
use tables::Tables;

/// Plies that share their weights.
const PLIES: usize = 2;
/// Stages of the game, by the number of empty squares. The first eight plies have none of their own: nothing is
/// known of how they end, so they are judged like the ninth.
pub(super) const STAGES: usize = 52 / PLIES + 1;
/// What a disc is worth in weights.
pub(super) const DISC: i32 = 128;

/// Learned weights, ready to be looked up.
#[derive(Clone)]
pub struct Pattern {
    stages: std::sync::Arc<[Tables]>,
}

impl std::fmt::Debug for Pattern {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Pattern({} stages)", self.stages.len())
    }
}

impl Pattern {
    /// Weights of all stages together.
    pub const WEIGHTS: usize = STAGES * (235_863 + Freedom::WEIGHTS);

    /// Weights that are all zero: every position is worth nothing until something is learned.
    pub fn untrained() -> Pattern {
        Pattern { stages: vec![Tables::ZERO; STAGES].into() }
    }

    /// The worth of a position to its mover, in whole discs.
    pub fn discs(&self, game: &Othello) -> i32 {
        let (own, other) = (game.own(), game.other());
        self.whole(&Numbers::new(own, other), game.empties().count_ones(), Freedom::new(own, other))
    }

    /// The weights of all stages one behind the other, each with all shapes one behind the other and
    /// freedom last; none if there are not as many as there should be.
    pub fn new(weights: &[i16]) -> Option<Pattern> {
        let folds = Fold::all();
        let per_stage = Freedom::WEIGHTS + folds.iter().map(|fold| fold.count).sum::<usize>();
        if weights.len() != STAGES * per_stage {
            return None;
        }
        let mut stages = vec![Tables::ZERO; STAGES];
        for (tables, mut weights) in stages.iter_mut().zip(weights.chunks_exact(per_stage)) {
            for (shape, fold) in folds.iter().enumerate() {
                let (own, rest) = weights.split_at(fold.count);
                let table = tables.shape(shape);
                for number in fold.numbers() {
                    table[number as usize & (table.len() - 1)] = own[fold.weight(number) as usize];
                }
                weights = rest;
            }
            tables.freedom().copy_from_slice(weights);
        }
        Some(Pattern { stages: stages.into() })
    }

    /// The worth of a position to its mover, in 128ths of a disc.
    #[inline(always)]
    pub fn sum(&self, numbers: &Numbers, empties: u32, freedom: Freedom) -> i32 {
        self.stages[(empties as usize / PLIES).min(STAGES - 1)].sum(numbers, empties, freedom)
    }

    /// The worth of a position to its mover, in whole discs, within what a game can end with.
    #[inline(always)]
    pub(super) fn whole(&self, numbers: &Numbers, empties: u32, freedom: Freedom) -> i32 {
        ((self.sum(numbers, empties, freedom) + DISC / 2) >> 7).clamp(-63, 63)
    }
}

impl Eval<Othello> for Pattern {
    type Accumulator = Numbers;

    fn begin(&self, game: &Othello) -> Numbers {
        Numbers::new(game.own(), game.other())
    }

    #[inline]
    fn advance(
        &self,
        accumulator: &Numbers,
        mv: Move,
        before: &Othello,
        after: &Othello,
        next: &mut Numbers,
    ) {
        *next = match mv.square() {
            Some(square) => accumulator.after(square.index(), before.other() & !after.own()),
            None => accumulator.passed(),
        };
    }

    #[inline]
    fn value(&self, game: &Othello, accumulator: &Numbers) -> Value {
        let freedom = Freedom::new(game.own(), game.other());
        estimate(self.sum(accumulator, game.empties().count_ones(), freedom) * 100 / DISC)
    }

    #[inline]
    fn terminal_value(&self, game: &Othello, _: Outcome) -> Value {
        over(game)
    }
}
