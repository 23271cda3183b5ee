//! What a table answers.

use tesuji_game::{NO_MOVE, Outcome};

use crate::retrograde::Value;

/// What a board is worth to the mover when both play as well as they can.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Worth {
    /// Who wins.
    pub outcome: Outcome,
    /// Plies to the end; `None` for a draw, and where the table holds outcomes only. A win with the next move is
    /// known to every table.
    pub plies: Option<u8>,
}

impl Worth {
    /// The worth of a value in plies: odd for a win, even for a loss, 0 for a draw.
    pub(super) fn of(value: u8, exact: bool) -> Worth {
        let outcome = match value {
            0 => Outcome::Draw,
            won if won % 2 == 1 => Outcome::Win,
            _ => Outcome::Loss,
        };
        Worth { outcome, plies: (value == 1 || exact && value != 0).then_some(value) }
    }
}

/// What a table knows of a board.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Verdict {
    /// The worth when nothing is forbidden, or a move that does not matter.
    pub worth: Worth,
    /// The only move whose being forbidden changes that, as the board asked about sees it, and the worth without it.
    pub exception: Option<(u8, Worth)>,
}

impl Verdict {
    /// The worth when this move, as the board asked about sees it, is forbidden; [`NO_MOVE`] for none.
    pub fn when_forbidden(&self, mv: u8) -> Worth {
        match self.exception {
            Some((matters, without)) if mv == matters && mv != NO_MOVE => without,
            _ => self.worth,
        }
    }

    pub(super) fn of(value: Value, exact: bool) -> Verdict {
        let exception = (value.mv != NO_MOVE).then(|| (value.mv, Worth::of(value.second, exact)));
        Verdict { worth: Worth::of(value.first, exact), exception }
    }
}
