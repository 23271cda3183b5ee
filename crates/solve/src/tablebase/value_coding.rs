//! Coding of values: the context in which each symbol is coded, and the entries of a solved class.
//!
//! The context is the values of the preceding boards in the block, in decreasing precision. Measured on real classes, two
//! neighbours carry nearly all the information. Boards that win at once need no entry.

use tesuji_game::{NO_MOVE, PerfectIndex};

use super::coding::{CodedEntry, CodingContext, EntryCounts, EntrySource, place};
use super::header::Metric;
use crate::retrograde::{BoardSource, BoardValue};

/// The second value of a board without an exceptional move. No coded value is 1: boards with a win in one are
/// not coded, and a win in one is never forbidden.
pub(super) const NO_SECOND: u8 = 1;

const LEVELS: usize = 36;
const COARSE: usize = 5;
/// Contexts of first values.
const FIRST: usize = LEVELS * LEVELS * COARSE;
/// Contexts of second values.
const SECOND: usize = 256 * (LEVELS + 1);
/// Contexts of moves.
const ORDER: usize = 3 * 17;

/// Plies to the end in coarser steps as they grow; parity is kept.
const LEVEL: [u8; 256] = {
    let mut level = [0; 256];
    let mut plies = 0;
    while plies < 256 {
        let parity = plies % 2;
        level[plies] = (match plies {
            0..=16 => plies,
            17..=32 => 17 + (plies - 17) / 4 * 2 + parity,
            33..=95 => 26 + (plies - 33) / 16 * 2 + parity,
            _ => 34 + parity,
        }) as u8;
        plies += 1;
    }
    level
};

/// A coarser version.
const fn coarse(plies: u8) -> usize {
    match plies {
        0 => 0,
        1..=9 => 1 + (plies % 2) as usize,
        _ => 3 + (plies % 2) as usize,
    }
}

/// The values of the preceding boards in the block.
#[derive(Clone, Copy, Default)]
pub(super) struct ValueContext {
    firsts: [u8; 3],
    /// The last second value, and whether it belongs to the preceding board.
    second: u8,
    fresh: bool,
    /// The position of the last move plus one: 0 for none.
    order: u8,
}

impl CodingContext for ValueContext {
    const CONTEXTS: usize = FIRST + SECOND + ORDER;
    const ALONE: u8 = NO_SECOND;

    #[inline(always)]
    fn known<G: PerfectIndex>(game: &G, board: G::Board) -> Option<CodedEntry> {
        game.wins_in_one(board).then_some([1, NO_SECOND, 0])
    }

    #[inline(always)]
    fn first(&self) -> usize {
        let [last, before, third] = self.firsts;
        (usize::from(LEVEL[usize::from(last)]) * LEVELS + usize::from(LEVEL[usize::from(before)])) * COARSE
            + coarse(third)
    }

    #[inline(always)]
    fn second(&self, first: u8) -> usize {
        let last = if self.fresh { usize::from(LEVEL[usize::from(self.second)]) } else { LEVELS };
        FIRST + usize::from(first) * (LEVELS + 1) + last
    }

    #[inline(always)]
    fn order(&self, first: u8, _: u8) -> usize {
        let outcome = usize::from(first % 2) + 2 * usize::from(first == 0);
        FIRST + SECOND + outcome * 17 + usize::from(self.order)
    }

    #[inline(always)]
    fn push(&mut self, [first, second, order]: CodedEntry) {
        self.firsts = [first, self.firsts[0], self.firsts[1]];
        self.fresh = second != NO_SECOND;
        if self.fresh {
            self.second = second;
            self.order = order.min(15) + 1;
        }
    }
}

/// Reduces a DTW value to WDL: 3 for a win and 2 for a loss.
pub(super) fn outcomes(value: BoardValue) -> BoardValue {
    let outcome = |value: u8| if value < 2 { value } else { 2 + value % 2 };
    let (first, second) = (outcome(value.first), outcome(value.second));
    if value.mv == NO_MOVE || first == second {
        BoardValue { first, mv: NO_MOVE, second: 0 }
    } else {
        BoardValue { first, mv: value.mv, second }
    }
}

/// The value of a board with a win in one.
pub(super) const AT_ONCE: BoardValue = BoardValue { first: 1, mv: NO_MOVE, second: 0 };

/// The values of a class, to be written as DTW or WDL.
pub(super) struct CodedValues<V> {
    pub(super) values: V,
    pub(super) metric: Metric,
}

impl<V: BoardSource> EntrySource for CodedValues<V> {
    type CodingContext = ValueContext;
    type EntryCounts = ValueCounts;

    fn entry<G: PerfectIndex>(&self, game: &G, index: u32, board: G::Board) -> Result<CodedEntry, &'static str> {
        let value = self.values.board(index);
        if game.wins_in_one(board) {
            if value != AT_ONCE {
                return Err("the board wins at once, and the value says something else");
            }
        } else if value.first == 1 || value.second == 1 {
            return Err("the board does not win at once, and the value says so");
        }
        let value = if self.metric == Metric::Dtw { value } else { outcomes(value) };
        if value.mv == NO_MOVE {
            return Ok([value.first, NO_SECOND, 0]);
        }
        let order = place(game, board, value.mv);
        Ok([value.first, value.second, order.ok_or("the move that matters is none that can be taken back")?])
    }
}

/// Totals by outcome.
#[derive(Default)]
pub(super) struct ValueCounts {
    pub(super) boards: u64,
    pub(super) wins_at_once: u64,
    /// Losses, draws and wins, including wins in one.
    pub(super) outcomes: [u64; 3],
    pub(super) exceptions: u64,
    pub(super) longest: u8,
}

impl ValueCounts {
    /// The counts as numbers, for [`of`](ValueCounts::of).
    pub(super) fn numbers(&self) -> [u64; 7] {
        let [losses, draws, wins] = self.outcomes;
        [self.boards, self.wins_at_once, losses, draws, wins, self.exceptions, u64::from(self.longest)]
    }

    pub(super) fn of([boards, wins_at_once, losses, draws, wins, exceptions, longest]: [u64; 7]) -> ValueCounts {
        ValueCounts { boards, wins_at_once, outcomes: [losses, draws, wins], exceptions, longest: longest as u8 }
    }
}

impl EntryCounts for ValueCounts {
    fn board(&mut self, [first, second, _]: CodedEntry, known: bool) {
        self.boards += 1;
        self.wins_at_once += u64::from(known);
        let outcome = if first == 0 { 1 } else { 2 * usize::from(first % 2) };
        self.outcomes[outcome] += 1;
        self.exceptions += u64::from(second != NO_SECOND);
        self.longest = self.longest.max(first);
    }

    fn add(&mut self, other: &ValueCounts) {
        for (sum, count) in self.outcomes.iter_mut().zip(other.outcomes) {
            *sum += count;
        }
        self.boards += other.boards;
        self.wins_at_once += other.wins_at_once;
        self.exceptions += other.exceptions;
        self.longest = self.longest.max(other.longest);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn levels_fit_and_keep_who_wins_apart() {
        for plies in 0..=255u8 {
            let level = LEVEL[usize::from(plies)];
            assert!(usize::from(level) < LEVELS && coarse(plies) < COARSE);
            for other in (0..=255u8).filter(|other| other % 2 != plies % 2 || (plies == 0) != (*other == 0)) {
                assert_ne!(level, LEVEL[usize::from(other)], "{plies} {other}");
            }
        }
    }

    #[test]
    fn every_context_has_its_own_number() {
        let mut past = ValueContext::default();
        (0..3).for_each(|_| past.push([255, 254, 200]));
        assert!(past.first() < FIRST);
        assert!((FIRST..FIRST + SECOND).contains(&past.second(255)));
        assert!((FIRST + SECOND..ValueContext::CONTEXTS).contains(&past.order(0, 2)));
        assert_eq!(past.second(0), FIRST + usize::from(LEVEL[254]));
    }

    #[test]
    fn outcomes_keep_what_changes_who_wins() {
        let reduced = |first, mv, second| {
            let value = outcomes(BoardValue { first, mv, second });
            (value.first, value.mv, value.second)
        };
        assert_eq!(reduced(7, 5, 9), (3, NO_MOVE, 0));
        assert_eq!(reduced(7, 5, 0), (3, 5, 0));
        assert_eq!(reduced(7, 5, 8), (3, 5, 2));
        assert_eq!(reduced(0, 5, 8), (0, 5, 2));
        assert_eq!(reduced(8, 5, 6), (2, NO_MOVE, 0));
        assert_eq!(reduced(1, NO_MOVE, 0), (1, NO_MOVE, 0));
        assert_eq!(reduced(0, NO_MOVE, 0), (0, NO_MOVE, 0));
    }
}
