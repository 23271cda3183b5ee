//! The result that a record states, checked against the board.
//!
//! The board decides. A result on the board (mate, fourfold repetition) may be stated again in any form that names the
//! same winner: a resignation of a mated player is no contradiction. A stated mate, repetition or declaration that is
//! not on the board is an error. Results off the board (resignation, time, agreement) are accepted.

use tesuji_game::{Claims, Ending, Game, Outcome, Record, Side};

use crate::Shogi;

/// Reasons for the end of a game, as the command line prints them. The first three come from the rules alone.
pub(super) mod reason {
    pub(in crate::formats) const CHECKMATE: &str = "checkmate";
    pub(in crate::formats) const REPETITION: &str = "repetition";
    pub(in crate::formats) const PERPETUAL_CHECK: &str = "perpetual-check";
    pub(in crate::formats) use tesuji_game::reason::{
        ADJUDICATED_DRAW, AGREEMENT, CRASH, DECLARATION, FALSE_CLAIM, FORFEIT, ILLEGAL, IMPASSE, MOVE_LIMIT, PROTOCOL,
        RESIGNATION, SOLVED, TIME, UNFINISHED,
    };
}

/// An ending as a record states it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Stated {
    /// Interrupted: the record stays open.
    Open,
    /// The player to move is mated.
    Mate,
    /// The fourth occurrence of the position.
    Repetition,
    /// The player to move claims the win by points.
    Declaration,
    /// Decided off the board.
    Beside(Ending),
}

impl Stated {
    /// A win off the board.
    pub(super) fn won(winner: Side, reason: &'static str) -> Stated {
        Stated::Beside(Ending { winner: Some(winner), reason })
    }

    /// A draw off the board.
    pub(super) fn drawn(reason: &'static str) -> Stated {
        Stated::Beside(Ending { winner: None, reason })
    }

    /// Ends `record` with this result, or explains why that is impossible.
    pub(super) fn settle(self, record: &mut Record<Shogi>) -> Result<(), String> {
        self.apply(record)?;
        record.state(match self {
            Stated::Open => reason::UNFINISHED,
            Stated::Mate => reason::CHECKMATE,
            Stated::Repetition => reason::REPETITION,
            Stated::Declaration => reason::DECLARATION,
            Stated::Beside(ending) => ending.reason,
        });
        Ok(())
    }

    fn apply(self, record: &mut Record<Shogi>) -> Result<(), String> {
        let mover = record.now().mover();
        match record.ending() {
            Some(board) if self.agrees(board, record) => Ok(()),
            Some(board) => Err(format!("the game had ended on the board: {}", told(board.winner, board.reason))),
            None => match self {
                Stated::Open => Ok(()),
                Stated::Beside(ending) => record.end(ending).map_err(|refusal| refusal.to_string()),
                Stated::Declaration => declare(record, mover),
                Stated::Mate => Err("the player to move is not mated; a player who gives up resigns".to_owned()),
                Stated::Repetition => {
                    let times = record.path().repetition().map_or(1, |repetition| repetition.times);
                    Err(format!("this position has stood {times} times; only the fourth ends the game"))
                }
            },
        }
    }

    /// This statement, made exact by the ending that a comment gives: such a comment stands where a format has no word
    /// or a coarser one.
    pub(super) fn refined(self, exact: Ending) -> Stated {
        match self {
            Stated::Open => Stated::Beside(exact),
            Stated::Beside(coarse) if coarse.winner == exact.winner => Stated::Beside(exact),
            other => other,
        }
    }

    /// Whether a record that ended as `ending` is read back exactly from this statement.
    pub(super) fn is_exact(self, record: &Record<Shogi>) -> bool {
        match (self, record.ending()) {
            (Stated::Open, ending) => ending.is_none(),
            (Stated::Beside(stated), Some(ending)) => stated == ending || is_on_board(record),
            (Stated::Beside(_), None) => false,
            (Stated::Mate | Stated::Repetition | Stated::Declaration, _) => true,
        }
    }

    /// Whether this agrees with a result on the board.
    fn agrees(self, board: Ending, record: &Record<Shogi>) -> bool {
        match self {
            Stated::Open => true,
            Stated::Mate => record.now().outcome() == Some(Outcome::Loss),
            Stated::Repetition => record.path().repetition().is_some_and(|repetition| repetition.times >= 4),
            Stated::Declaration => board.winner == Some(record.now().mover()),
            Stated::Beside(ending) => board.winner == ending.winner,
        }
    }
}

/// Whether the player to move is mated and, in the words of the source, resigned.
pub(super) fn is_resigned_mate(record: &Record<Shogi>) -> bool {
    record.stated() == Some(reason::RESIGNATION) && record.now().outcome() == Some(Outcome::Loss)
}

/// Whether the board shows the ending, so that it needs no word.
pub(super) fn is_on_board(record: &Record<Shogi>) -> bool {
    let by_rule = |reason| matches!(reason, reason::REPETITION | reason::PERPETUAL_CHECK);
    record.now().outcome().is_some() || record.ending().is_some_and(|ending| by_rule(ending.reason))
}

/// Whether the player to move may declare the win.
pub(super) fn may_declare(record: &Record<Shogi>) -> bool {
    record.now().claim(&record.path().rules)
}

fn declare(record: &mut Record<Shogi>, mover: Side) -> Result<(), String> {
    if !may_declare(record) {
        return Err("the declaration does not hold: it asks for the king in the last three ranks and not in \
                    check, ten more pieces there, and 28 points of the first player or 27 of the second, hand \
                    included"
            .to_owned());
    }
    let ending = Ending { winner: Some(mover), reason: reason::DECLARATION };
    record.end(ending).map_err(|refusal| refusal.to_string())
}

/// A description of a result.
pub(super) fn told(winner: Option<Side>, reason: &str) -> String {
    match winner {
        Some(side) => format!("won by the {side} player, {reason}"),
        None => format!("a draw, {reason}"),
    }
}
