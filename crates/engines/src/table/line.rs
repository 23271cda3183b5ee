//! What follows when both play as well as they can.

use tesuji_game::{HasPerfectIndex, Outcome};
use tesuji_solve::tablebase::TablebaseError;

use super::prospect::{Oracle, Prospect, moves};

/// A line to the end of the game is cut here.
const LONGEST: usize = 200;
/// A draw has no end: so many plies show how it is held.
const DRAWN: usize = 12;

/// The line that begins with this move. It ends with the game, where a drawn line comes back to a position, or where
/// the table does not tell who wins how fast.
pub(super) fn line<G: HasPerfectIndex>(
    oracle: &Oracle<G>,
    first: &Prospect<G>,
) -> Result<Vec<G::Move>, TablebaseError> {
    let drawn = first.outcome == Outcome::Draw;
    let (mut line, mut stood) = (vec![first.mv], vec![first.after]);
    let mut last = *first;
    while line.len() < if drawn { DRAWN } else { LONGEST } && last.after.outcome().is_none() {
        let Some(next) = follow(oracle, &last)? else { break };
        if drawn && stood.contains(&next.after) {
            break;
        }
        line.push(next.mv);
        stood.push(next.after);
        last = next;
    }
    Ok(line)
}

/// The first reply that is worth what the move before it said.
fn follow<G: HasPerfectIndex>(
    oracle: &Oracle<G>,
    last: &Prospect<G>,
) -> Result<Option<Prospect<G>>, TablebaseError> {
    let expected = match (last.outcome, last.plies) {
        (Outcome::Draw, _) => (Outcome::Draw, None),
        (Outcome::Win, Some(plies)) => (Outcome::Loss, Some(plies.saturating_sub(1))),
        (Outcome::Loss, Some(plies)) => (Outcome::Win, Some(plies.saturating_sub(1))),
        (_, None) => return Ok(None),
    };
    for mv in moves(&last.after) {
        let reply = oracle.prospect(&last.after, mv)?;
        if (reply.outcome, reply.plies) == expected {
            return Ok(Some(reply));
        }
    }
    Ok(None)
}
