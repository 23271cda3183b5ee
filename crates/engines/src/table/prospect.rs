//! What the moves of a position lead to, as a table tells it.

use std::cell::Cell;

use tesuji_game::{HasPerfectIndex, MoveList, Outcome};
use tesuji_search::{Bound, Value};
use tesuji_solve::tablebase::{Tablebase, TablebaseError};

/// A legal move, the position after it, and what it is worth to whoever makes it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Prospect<G: HasPerfectIndex> {
    pub(super) mv: G::Move,
    pub(super) after: G,
    pub(super) outcome: Outcome,
    /// Plies to the end, this move included; `None` for a draw, and where the table does not tell.
    pub(super) plies: Option<u16>,
}

impl<G: HasPerfectIndex> Prospect<G> {
    /// The worth as everybody else writes it. A result without plies is as far away as can be told, and so a bound.
    pub(super) fn value(&self) -> (Value, Bound) {
        match (self.outcome, self.plies) {
            (Outcome::Draw, _) => (Value::DRAW, Bound::Exact),
            (Outcome::Win, Some(plies)) => (Value::win(plies), Bound::Exact),
            (Outcome::Win, None) => (Value::win(Value::FARTHEST), Bound::Lower),
            (Outcome::Loss, Some(plies)) => (Value::loss(plies), Bound::Exact),
            (Outcome::Loss, None) => (Value::loss(Value::FARTHEST), Bound::Upper),
        }
    }
}

/// A table, and how often it was asked.
pub(super) struct Oracle<G: HasPerfectIndex> {
    table: Tablebase<G::Index>,
    asked: Cell<u64>,
}

impl<G: HasPerfectIndex> Oracle<G> {
    pub(super) fn new(table: Tablebase<G::Index>) -> Oracle<G> {
        Oracle { table, asked: Cell::new(0) }
    }

    /// Positions asked about since this was last asked.
    pub(super) fn take_asked(&self) -> u64 {
        self.asked.take()
    }

    /// What a move leads to. The reply that would take it back is forbidden after it, and the table is asked so.
    pub(super) fn prospect(&self, game: &G, mv: G::Move) -> Result<Prospect<G>, TablebaseError> {
        let mut after = *game;
        after.play(mv);
        let (theirs, plies) = match after.outcome() {
            Some(outcome) => (outcome, (outcome != Outcome::Draw).then_some(0)),
            None => {
                self.asked.set(self.asked.get() + 1);
                let worth = self.table.value(after, after.forbidden())?;
                (worth.outcome, worth.plies)
            }
        };
        let outcome = match theirs {
            Outcome::Win => Outcome::Loss,
            Outcome::Draw => Outcome::Draw,
            Outcome::Loss => Outcome::Win,
        };
        Ok(Prospect { mv, after, outcome, plies: plies.map(|plies| u16::from(plies) + 1) })
    }

    /// What every legal move leads to, in the order of the rules.
    pub(super) fn prospects(&self, game: &G) -> Result<Vec<Prospect<G>>, TablebaseError> {
        moves(game).into_iter().map(|mv| self.prospect(game, mv)).collect()
    }
}

/// The legal moves; what is forbidden is not among them.
pub(super) fn moves<G: HasPerfectIndex>(game: &G) -> Vec<G::Move> {
    let mut list = G::Moves::default();
    let mut game = *game;
    game.moves(&mut list);
    list.each().collect()
}
