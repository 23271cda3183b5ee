//! `squares`: what each disc is worth where it stands, early and late, kept in step with the moves.

use tesuji_game::Outcome;
use tesuji_othello::{Move, Othello};
use tesuji_search::{Eval, Value};

use super::square::{each, spread};
use super::worth::{estimate, over};

/// Weights of squares, from those of the opening to those of the last discs. In the opening every disc costs
/// something, because discs are what the opponent's moves need; at the end each counts for itself.
#[derive(Clone, Copy, Debug, Default)]
pub struct Squares;

const EARLY: [i16; 64] = spread([
    900, -250, 60, 20, //
    -450, -80, -50, //
    -10, -20, -20,
]);

const LATE: [i16; 64] = spread([
    450, 110, 150, 130, //
    40, 90, 95, //
    100, 95, 95,
]);

/// As many discs as the weights stay early; from there on they change steadily until the board is full.
const OPENING: i32 = 24;

/// Sums over the mover's discs less those over the opponent's, and the number of all discs.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Sums {
    early: i32,
    late: i32,
    discs: i32,
}

impl Sums {
    fn add(&mut self, set: u64, times: i32) {
        each(set, |square| {
            self.early += times * i32::from(EARLY[square]);
            self.late += times * i32::from(LATE[square]);
        });
    }
}

impl Eval<Othello> for Squares {
    type Accumulator = Sums;

    fn begin(&self, game: &Othello) -> Sums {
        let mut sums = Sums { discs: 64 - game.empties().count_ones() as i32, ..Sums::default() };
        sums.add(game.own(), 1);
        sums.add(game.other(), -1);
        sums
    }

    #[inline]
    fn advance(&self, accumulator: &Sums, mv: Move, before: &Othello, after: &Othello, next: &mut Sums) {
        // Seen by the next mover, a disc the last one put counts once against, a turned one twice.
        *next = Sums { early: -accumulator.early, late: -accumulator.late, discs: accumulator.discs };
        if let Some(square) = mv.square() {
            next.add(square.bit(), -1);
            next.add(before.other() & !after.own(), -2);
            next.discs += 1;
        }
    }

    #[inline]
    fn value(&self, _: &Othello, accumulator: &Sums) -> Value {
        let late = (accumulator.discs - OPENING).max(0);
        estimate((accumulator.early * (64 - OPENING - late) + accumulator.late * late) / (64 - OPENING))
    }

    #[inline]
    fn terminal_value(&self, game: &Othello, _: Outcome) -> Value {
        over(game)
    }
}
