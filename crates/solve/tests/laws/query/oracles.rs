//! Value oracles that need no tablebase.

use std::cell::RefCell;
use std::cmp::Reverse;
use std::collections::HashMap;

use tesuji_game::{Game, MoveList, Outcome, PerfectIndex};
use tesuji_ostle::{Index, Moves, Ostle};
use tesuji_solve::tablebase::PositionValue;
use tesuji_solve::tablebase::query::{QueryError, ValueOracle};

const DRAW: PositionValue = PositionValue { outcome: Outcome::Draw, plies: None };

/// Finds every end within `depth` plies by plain search; everything else is a draw.
pub(crate) struct ShallowSearch {
    index: Index,
    depth: u8,
    known: RefCell<HashMap<(Ostle, u8), PositionValue>>,
}

impl ShallowSearch {
    pub(crate) fn new(depth: u8) -> ShallowSearch {
        ShallowSearch { index: Index::new(), depth, known: RefCell::default() }
    }

    fn search(&self, position: Ostle, depth: u8) -> PositionValue {
        if self.index.wins_in_one(position) {
            return PositionValue { outcome: Outcome::Win, plies: Some(1) };
        }
        if depth <= 1 {
            return DRAW;
        }
        if let Some(&value) = self.known.borrow().get(&(position, depth)) {
            return value;
        }
        let mut list = Moves::default();
        position.clone().moves(&mut list);
        let after = list.each().map(|mv| {
            let mut next = position;
            next.play(mv);
            match next.outcome() {
                Some(outcome) => PositionValue { outcome, plies: Some(0) },
                None => self.search(next, depth - 1),
            }
        });
        // The worst for the opponent: a quick loss, a draw, a slow win.
        let worst = after.min_by_key(|value| match value.outcome {
            Outcome::Loss => (0, Ok(value.plies)),
            Outcome::Draw => (1, Ok(None)),
            Outcome::Win => (2, Err(Reverse(value.plies))),
        });
        let value = worst
            .map_or(DRAW, |value| PositionValue { outcome: -value.outcome, plies: value.plies.map(|plies| plies + 1) });
        self.known.borrow_mut().insert((position, depth), value);
        value
    }
}

impl ValueOracle<Ostle> for ShallowSearch {
    fn value(&self, position: Ostle) -> Result<PositionValue, QueryError> {
        // Iterative deepening finds the shortest end.
        let found = (1..self.depth).map(|depth| self.search(position, depth)).find(|&value| value != DRAW);
        Ok(found.unwrap_or_else(|| self.search(position, self.depth)))
    }
}

/// Like a WDL tablebase: no plies except of a win in one.
pub(crate) struct WdlOnly(pub(crate) ShallowSearch);

impl ValueOracle<Ostle> for WdlOnly {
    fn value(&self, position: Ostle) -> Result<PositionValue, QueryError> {
        let value = self.0.value(position)?;
        Ok(PositionValue { plies: value.plies.filter(|&plies| plies == 1), ..value })
    }
}

/// The same value for every position.
pub(crate) struct Constant(pub(crate) PositionValue);

impl ValueOracle<Ostle> for Constant {
    fn value(&self, _: Ostle) -> Result<PositionValue, QueryError> {
        Ok(self.0)
    }
}
