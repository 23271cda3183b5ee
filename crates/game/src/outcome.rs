//! Results: [`Outcome`] from the mover's point of view, [`Ending`] with winner and reason.

use std::ops::Neg;

use crate::Side;

/// The result of a finished game for the side to move.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Outcome {
    /// The mover has lost.
    Loss,
    /// The game is drawn.
    Draw,
    /// The mover has won by the opponent's last move.
    Win,
}

impl Outcome {
    /// The outcome for `mover` when `winner` has won.
    pub fn of(winner: Option<Side>, mover: Side) -> Outcome {
        match winner {
            None => Outcome::Draw,
            Some(side) if side == mover => Outcome::Win,
            Some(_) => Outcome::Loss,
        }
    }

    /// The winner; `None` for a draw.
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

/// Winner and reason: `"loop"`, `"discs"`, `"resignation"`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Ending {
    /// The winner; `None` for a draw.
    pub winner: Option<Side>,
    /// One word; part of the command-line contract.
    pub reason: &'static str,
}

/// A result for people: `black won 41–23` with the final score of a game that counts, the winner's first; without one
/// `white won (resignation)` or `a draw (repetition)`.
///
/// ```
/// use tesuji_game::{Side, result_text};
/// assert_eq!(result_text(["black", "white"], Some(Side::Second), "discs", Some([23, 41])), "white won 41–23");
/// assert_eq!(result_text(["black", "white"], None, "discs", Some([32, 32])), "a draw, 32–32");
/// assert_eq!(result_text(["white", "red"], Some(Side::First), "loop", None), "white won (loop)");
/// ```
pub fn result_text(players: [&str; 2], winner: Option<Side>, reason: &str, score: Option<[u32; 2]>) -> String {
    match (winner, score) {
        (Some(side), Some(score)) => {
            format!("{} won {}–{}", players[side.index()], score[side.index()], score[(!side).index()])
        }
        (Some(side), None) => format!("{} won ({reason})", players[side.index()]),
        (None, Some([first, second])) => format!("a draw, {first}–{second}"),
        (None, None) => format!("a draw ({reason})"),
    }
}
