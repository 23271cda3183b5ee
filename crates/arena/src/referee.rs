//! Endings that no rule of the game knows: who loses by a fault, and when a game is decided or drawn because
//! everybody agrees. The words are part of the journal.

use tesuji_game::{Ending, Side};

use crate::player::{Fault, Thought};

/// Reasons that only the arena gives.
pub mod reason {
    /// The flag fell.
    pub const TIME: &str = "time";
    /// No legal move.
    pub const ILLEGAL: &str = "illegal";
    /// The player ended, or panicked.
    pub const CRASH: &str = "crash";
    /// The player does not speak the protocol.
    pub const PROTOCOL: &str = "protocol";
    /// A win was claimed that the rules do not grant.
    pub const FALSE_CLAIM: &str = "false-claim";
    /// A win was claimed rightly.
    pub const DECLARATION: &str = "declaration";
    /// Somebody gave up.
    pub const RESIGNATION: &str = "resignation";
    /// The game took too long: a draw.
    pub const MOVE_LIMIT: &str = "move-limit";
    /// Both players agreed for long enough who wins.
    pub const AGREED_WIN: &str = "adjudicated-win";
    /// Both players agreed for long enough that nobody wins.
    pub const AGREED_DRAW: &str = "adjudicated-draw";
    /// A solver knows the result.
    pub const SOLVED: &str = "solved";

    /// The faults that lose a game, in the order tables show them.
    pub const FAULTS: [&str; 5] = [TIME, ILLEGAL, CRASH, PROTOCOL, FALSE_CLAIM];
}

/// The reason of a fault; `None` when it prevented the game from beginning.
pub fn reason_of(fault: &Fault) -> Option<&'static str> {
    match fault {
        Fault::Start(_) => None,
        Fault::Crash(_) => Some(reason::CRASH),
        Fault::Late(_) => Some(reason::TIME),
        Fault::Illegal { .. } => Some(reason::ILLEGAL),
        Fault::Protocol(_) => Some(reason::PROTOCOL),
    }
}

/// When a game is ended because both players agree; everything is off unless asked for.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Adjudication {
    /// One side is lost in the eyes of both.
    pub win: Option<Agreement>,
    /// Nobody will win in the eyes of both.
    pub draw: Option<Agreement>,
    /// Whether the solver of the game is asked, where there is one.
    pub solver: bool,
}

/// What both players have to say, and how often.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Agreement {
    /// At least so much ahead, or at most so far from even; in the unit of the game.
    pub value: f64,
    /// Moves of each player in a row.
    pub moves: usize,
    /// Not before so many plies.
    pub after: usize,
}

/// What has been said in a game, as far as adjudication needs it.
#[derive(Clone, Debug, Default)]
pub struct Minutes {
    plies: usize,
    /// By side: for how many moves in a row it has thought that the first player wins, that the second does,
    /// that nobody does.
    runs: [[usize; 3]; 2],
}

impl Minutes {
    /// Counts what `side` said about its move, `plies` into the game.
    pub fn hear(&mut self, adjudication: &Adjudication, side: Side, thought: &Thought, plies: usize) {
        self.plies = plies;
        let runs = &mut self.runs[side.index()];
        let value = match thought.proven {
            Some(plies) if plies > 0 => Some(f64::INFINITY),
            Some(_) => Some(f64::NEG_INFINITY),
            None => thought.value,
        };
        // A player that says nothing agrees with nothing.
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

    /// The ending both agree on, if they have for long enough.
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
