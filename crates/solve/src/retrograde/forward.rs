//! What a board is worth, found from the boards after it: the plain definition, against the direction the solver
//! works in.

use tesuji_game::{NO_MOVE, Outcome, Place, Ranked, Step};

use super::Value;

/// What a table knows of the boards after a move.
pub(super) trait Known {
    /// The value of a numbered board when this reply is forbidden there; 0 when it is a draw or not known.
    fn value(&self, place: Place, forbidden: u8) -> u8;
}

/// How good a value of the board after is for whoever moves there: the higher the better.
///
/// Losing late is better than losing soon, any win is better than that, and winning soon is better than late.
#[inline(always)]
fn worth(after: u8) -> i16 {
    match after {
        0 => 0,
        lost if lost % 2 == 0 => 512 - i16::from(lost),
        won => i16::from(won) - 512,
    }
}

/// The value of a board none of whose moves leads to more than what is worth so much.
#[inline(always)]
fn before(worth: i16) -> u8 {
    match worth {
        0 => 0,
        won if won > 0 => (512 - won + 1) as u8,
        lost => (lost + 512 + 1) as u8,
    }
}

/// The worth of a move that loses at once or hands over a win: no board is worth less.
const WORST: i16 = 1 - 512;

/// Everything about a board that cannot win with the next move.
pub(super) fn evaluate<G: Ranked>(game: &G, board: G::Board, known: &impl Known) -> Value {
    let (mut best, mut second, mut mv, mut reversible) = (WORST, WORST, NO_MOVE, false);
    game.successors(board, |number, step| {
        let (worth, back) = match step {
            Step::End(Outcome::Loss) => (WORST, NO_MOVE),
            Step::End(Outcome::Draw) => (0, NO_MOVE),
            Step::End(Outcome::Win) => (512, NO_MOVE),
            Step::On(next, reply) => {
                if game.wins_at_once(next) {
                    (worth(1), reply)
                } else {
                    let place = game.rank(next);
                    let forbidden = if reply == NO_MOVE { reply } else { game.image(reply, place.symmetry) };
                    (worth(known.value(place, forbidden)), reply)
                }
            }
        };
        if worth > best {
            (second, best) = (best, worth);
            (mv, reversible) = (number, back != NO_MOVE);
        } else {
            second = second.max(worth);
        }
    });
    let first = before(best);
    if reversible && second < best {
        Value { first, mv, second: before(second) }
    } else {
        Value { first, mv: NO_MOVE, second: 0 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_ordered_and_one_ply_apart() {
        let ascending = [1, 3, 5, 251, 0, 250, 4, 2];
        assert!(ascending.map(worth).is_sorted_by(|a, b| a < b));
        assert_eq!(ascending.map(worth).map(before), [2, 4, 6, 252, 0, 251, 5, 3]);
    }
}
