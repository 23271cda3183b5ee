//! Endings that the rules of the game do not know: forfeits and adjudication. The reasons are part of the journal.

use serde::{Deserialize, Serialize};
use tesuji_game::{Ending, Side};

use crate::player::{PlayerFault, SearchInfo};

/// Reasons given by the arena.
pub mod reason {
    pub use tesuji_game::reason::{
        ADJUDICATED_DRAW as AGREED_DRAW, ADJUDICATED_WIN as AGREED_WIN, CRASH, DECLARATION, FALSE_CLAIM, ILLEGAL,
        MOVE_LIMIT, PROTOCOL, RESIGNATION, SOLVED, TIME,
    };

    /// The faults that lose a game, in the order of the tables.
    pub const FAULTS: [&str; 5] = [TIME, ILLEGAL, CRASH, PROTOCOL, FALSE_CLAIM];
}

/// The reason of a fault; `None` when the game did not start.
pub fn reason_of(fault: &PlayerFault) -> Option<&'static str> {
    match fault {
        PlayerFault::Start(_) => None,
        PlayerFault::Crash(_) => Some(reason::CRASH),
        PlayerFault::Late(_) => Some(reason::TIME),
        PlayerFault::Illegal { .. } => Some(reason::ILLEGAL),
        PlayerFault::Protocol(_) => Some(reason::PROTOCOL),
    }
}

/// Early adjudication; everything is off by default.
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Adjudication {
    /// Both players agree on the winner.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub win: Option<Agreement>,
    /// Both players agree on a draw.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub draw: Option<Agreement>,
    /// Whether the solver of the game decides, where there is one.
    #[serde(default)]
    pub solver: bool,
}

/// When both players agree.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Agreement {
    /// The least advantage of a win, or the largest deviation of a draw, in the unit of the game (discs, centipawns).
    pub value: f64,
    /// Consecutive moves of each player.
    pub moves: usize,
    /// Not before this ply.
    #[serde(default)]
    pub after: usize,
}

/// Follows the evaluations of both players and adjudicates.
#[derive(Clone, Debug, Default)]
pub struct Adjudicator {
    plies: usize,
    /// By side: consecutive moves on which it saw a win of the first player, of the second, or a draw.
    runs: [[usize; 3]; 2],
}

impl Adjudicator {
    /// Records the evaluation that `side` gave with its move, `plies` into the game.
    pub fn observe(&mut self, adjudication: &Adjudication, side: Side, info: &SearchInfo, plies: usize) {
        self.plies = plies;
        let runs = &mut self.runs[side.index()];
        let value = match info.proven {
            Some(plies) if plies > 0 => Some(f64::INFINITY),
            Some(_) => Some(f64::NEG_INFINITY),
            None => info.value,
        };
        // Without a value there is no agreement.
        let Some(own) = value.filter(|value| !value.is_nan()) else {
            *runs = [0; 3];
            return;
        };
        let first = if side == Side::First { own } else { -own };
        let ahead = |value: f64| adjudication.win.is_some_and(|win| value >= win.value);
        let even = adjudication.draw.is_some_and(|draw| own.abs() <= draw.value && plies >= draw.after);
        for (run, holds) in runs.iter_mut().zip([ahead(first), ahead(-first), even]) {
            *run = if holds { *run + 1 } else { 0 };
        }
    }

    /// The ending both agree on, if they agreed long enough.
    pub fn verdict(&self, adjudication: &Adjudication) -> Option<Ending> {
        let long = |what: usize, moves: usize| self.runs.iter().all(|runs| runs[what] >= moves.max(1));
        if let Some(win) = adjudication.win.filter(|win| self.plies >= win.after) {
            for side in Side::BOTH {
                if long(side.index(), win.moves) {
                    return Some(Ending { winner: Some(side), reason: reason::AGREED_WIN });
                }
            }
        }
        let draw = adjudication.draw.filter(|draw| self.plies >= draw.after)?;
        long(2, draw.moves).then_some(Ending { winner: None, reason: reason::AGREED_DRAW })
    }
}
