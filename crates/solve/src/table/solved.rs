//! The values of a class as they are coded: boards that win at once take no room.

use tesuji_game::{NO_MOVE, PerfectIndex};

use super::cell::{Cell, Source, Sums, place};
use super::context::{NO_SECOND, PastValues, outcomes};
use super::facts::Kind;
use crate::retrograde::{Value, Values};

/// The value of a board that wins with the next move.
pub(super) const AT_ONCE: Value = Value { first: 1, mv: NO_MOVE, second: 0 };

/// The values of a class, to be written in full or as outcomes.
pub(super) struct Solved<'v> {
    pub(super) values: &'v Values,
    pub(super) kind: Kind,
}

impl Source for Solved<'_> {
    type Past = PastValues;
    type Sums = Outcomes;

    fn cell<G: PerfectIndex>(&self, game: &G, index: u32, board: G::Board) -> Result<Cell, &'static str> {
        let value = self.values.get(index as usize);
        if game.wins_in_one(board) {
            if value != AT_ONCE {
                return Err("the board wins at once, and the value says something else");
            }
        } else if value.first == 1 || value.second == 1 {
            return Err("the board does not win at once, and the value says so");
        }
        let value = if self.kind == Kind::Exact { value } else { outcomes(value) };
        if value.mv == NO_MOVE {
            return Ok([value.first, NO_SECOND, 0]);
        }
        let order = place(game, board, value.mv);
        Ok([value.first, value.second, order.ok_or("the move that matters is none that can be taken back")?])
    }
}

/// How many boards are worth what.
#[derive(Default)]
pub(super) struct Outcomes {
    pub(super) boards: u64,
    pub(super) wins_at_once: u64,
    /// Losses, draws and wins, those at once included.
    pub(super) outcomes: [u64; 3],
    pub(super) exceptions: u64,
    pub(super) longest: u8,
}

impl Sums for Outcomes {
    fn board(&mut self, [first, second, _]: Cell, known: bool) {
        self.boards += 1;
        self.wins_at_once += u64::from(known);
        let outcome = if first == 0 { 1 } else { 2 * usize::from(first % 2) };
        self.outcomes[outcome] += 1;
        self.exceptions += u64::from(second != NO_SECOND);
        self.longest = self.longest.max(first);
    }

    fn add(&mut self, other: &Outcomes) {
        for (sum, count) in self.outcomes.iter_mut().zip(other.outcomes) {
            *sum += count;
        }
        self.boards += other.boards;
        self.wins_at_once += other.wins_at_once;
        self.exceptions += other.exceptions;
        self.longest = self.longest.max(other.longest);
    }
}
