//! The words for how a game ended: one list, so that a record format and the arena mean the same by a word.

use crate::{Ending, Side};

/// The flag fell.
pub const TIME: &str = "time";
/// An illegal move or another foul.
pub const ILLEGAL: &str = "illegal";
/// The program of a player ended or panicked.
pub const CRASH: &str = "crash";
/// The program of a player violated the protocol.
pub const PROTOCOL: &str = "protocol";
/// A claimed win that the rules do not grant.
pub const FALSE_CLAIM: &str = "false-claim";
/// A claimed win that the rules grant.
pub const DECLARATION: &str = "declaration";
/// A player resigned.
pub const RESIGNATION: &str = "resignation";
/// A player did not appear or left.
pub const FORFEIT: &str = "forfeit";
/// The move limit was reached.
pub const MOVE_LIMIT: &str = "move-limit";
/// Neither side can win, as the players agree (jishogi).
pub const IMPASSE: &str = "impasse";
/// The players agreed on the result.
pub const AGREEMENT: &str = "agreement";
/// Both players evaluated the game as won for the same side.
pub const ADJUDICATED_WIN: &str = "adjudicated-win";
/// Both players evaluated the game as drawn.
pub const ADJUDICATED_DRAW: &str = "adjudicated-draw";
/// The result is known from a solver.
pub const SOLVED: &str = "solved";
/// The record states a result and no reason.
pub const STATED: &str = "stated";

/// The word for a game without an ending.
pub const UNFINISHED: &str = "unfinished";

/// All reasons off the board. Those on the board are the game's own: [`Game::REASONS`](crate::Game::REASONS).
pub const OFF_BOARD: [&str; 15] = [
    TIME,
    ILLEGAL,
    CRASH,
    PROTOCOL,
    FALSE_CLAIM,
    DECLARATION,
    RESIGNATION,
    FORFEIT,
    MOVE_LIMIT,
    IMPASSE,
    AGREEMENT,
    ADJUDICATED_WIN,
    ADJUDICATED_DRAW,
    SOLVED,
    STATED,
];

/// The reason off the board of this name.
pub fn named(word: &str) -> Option<&'static str> {
    OFF_BOARD.into_iter().find(|known| *known == word)
}

/// The prefix of a comment that states an ending for which a format has no word.
const COMMENT: &str = "ending: ";

impl Ending {
    /// The comment that states this ending where a format has no word for it: `ending: first adjudicated-win`.
    pub fn comment(&self) -> String {
        let winner = self.winner.map_or("draw".to_owned(), |side| side.to_string());
        format!("{COMMENT}{winner} {}", self.reason)
    }

    /// The ending of such a comment; `None` for any other comment.
    pub fn from_comment(comment: &str) -> Option<Ending> {
        let (winner, reason) = comment.strip_prefix(COMMENT)?.split_once(' ')?;
        let winner = match winner {
            "draw" => None,
            word => Some(Side::BOTH.into_iter().find(|side| side.to_string() == word)?),
        };
        named(reason).map(|reason| Ending { winner, reason })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_ending_survives_its_comment() {
        for reason in OFF_BOARD {
            for winner in [None, Some(Side::First), Some(Side::Second)] {
                let ending = Ending { winner, reason };
                assert_eq!(Ending::from_comment(&ending.comment()), Some(ending));
            }
        }
        for other in
            ["", "ending: ", "ending: first", "ending: first luck", "ending: third time", "the ending: draw time"]
        {
            assert_eq!(Ending::from_comment(other), None, "{other}");
        }
    }
}
