//! Oracles that need no table.

use std::cell::RefCell;
use std::cmp::Reverse;
use std::collections::HashMap;

use tesuji_game::{Game, MoveList, Outcome, PerfectIndex};
use tesuji_ostle::{Index, Moves, Ostle};
use tesuji_solve::tablebase::PositionValue;

use crate::command::query::oracle::Oracle;
use crate::failure::Failure;

const DRAW: PositionValue = PositionValue { outcome: Outcome::Draw, plies: None };

/// Knows every end within so many plies by plain search, and takes all else for a draw.
pub(super) struct Near {
    index: Index,
    depth: u8,
    known: RefCell<HashMap<(Ostle, u8), PositionValue>>,
}

impl Near {
    pub(super) fn new(depth: u8) -> Near {
        Near { index: Index::new(), depth, known: RefCell::default() }
    }

    fn search(&self, position: Ostle, depth: u8) -> PositionValue {
        if self.index.wins_in_one(position) {
            return PositionValue { outcome: Outcome::Win, plies: Some(1) };
        }
        if depth <= 1 {
            return DRAW;
        }
        if let Some(&worth) = self.known.borrow().get(&(position, depth)) {
            return worth;
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
        let worst = after.min_by_key(|worth| match worth.outcome {
            Outcome::Loss => (0, Ok(worth.plies)),
            Outcome::Draw => (1, Ok(None)),
            Outcome::Win => (2, Err(Reverse(worth.plies))),
        });
        let worth = worst.map_or(DRAW, |worth| PositionValue {
            outcome: -worth.outcome,
            plies: worth.plies.map(|plies| plies + 1),
        });
        self.known.borrow_mut().insert((position, depth), worth);
        worth
    }
}

impl Oracle<Ostle> for Near {
    fn worth(&self, position: Ostle) -> Result<PositionValue, Failure> {
        // What ends soon is found by a shallow search.
        let found = (1..self.depth).map(|depth| self.search(position, depth)).find(|&worth| worth != DRAW);
        Ok(found.unwrap_or_else(|| self.search(position, self.depth)))
    }
}

/// As a table of outcomes: no plies but those of a win at once.
pub(super) struct Outcomes(pub(super) Near);

impl Oracle<Ostle> for Outcomes {
    fn worth(&self, position: Ostle) -> Result<PositionValue, Failure> {
        let worth = self.0.worth(position)?;
        Ok(PositionValue { plies: worth.plies.filter(|&plies| plies == 1), ..worth })
    }
}

/// Says the same of all.
pub(super) struct Stubborn(pub(super) PositionValue);

impl Oracle<Ostle> for Stubborn {
    fn worth(&self, _: Ostle) -> Result<PositionValue, Failure> {
        Ok(self.0)
    }
}
