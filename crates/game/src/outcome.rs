//! How a game ended: [`Outcome`] as the mover sees it, [`Ending`] as the record tells it.

use std::ops::Neg;

use crate::Side;

/// The result of a finished game, seen by the side whose move it would be.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Outcome {
    /// The mover has lost.
    Loss,
    /// Nobody has won.
    Draw,
    /// The mover has won, by what the opponent's last move completed.
    Win,
}

impl Outcome {
    /// The outcome `mover` sees when `winner` has won.
    pub fn of(winner: Option<Side>, mover: Side) -> Outcome {
        match winner {
            None => Outcome::Draw,
            Some(side) if side == mover => Outcome::Win,
            Some(_) => Outcome::Loss,
        }
    }

    /// Who has won, if anybody.
    pub fn winner(self, mover: Side) -> Option<Side> {
        match self {
            Outcome::Win => Some(mover),
            Outcome::Loss => Some(!mover),
            Outcome::Draw => None,
        }
    }
}

impl Neg for Outcome {
    type Output = Outcome;

    fn neg(self) -> Outcome {
        match self {
            Outcome::Win => Outcome::Loss,
            Outcome::Draw => Outcome::Draw,
            Outcome::Loss => Outcome::Win,
        }
    }
}

/// How a game ended and why, in the words of the game: `"loop"`, `"discs"`, `"resignation"`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Ending {
    /// Who won; `None` for a draw.
    pub winner: Option<Side>,
    /// One word, part of the command-line contract.
    pub reason: &'static str,
}
