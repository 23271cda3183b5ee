//! What a board is worth, found from the boards after it: the plain definition, against the direction the solver
//! works in.

use tesuji_game::{BoardRank, NO_MOVE, Outcome, PerfectIndex, Successor};

use super::BoardValue;

/// What a table knows of the boards after a move.
pub(super) trait ValueSource {
    /// The value of a numbered board when this reply is forbidden there; 0 when it is a draw or not known.
    fn value(&self, place: BoardRank, forbidden: u8) -> u8;
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

/// The moves that are looked up together. Boards are far apart in memory: asked for one by one, each would be waited
/// for; asked for at once they come together.
const TOGETHER: usize = 32;

/// A board after a move that has to be looked up.
#[derive(Clone, Copy)]
struct PendingLookup {
    place: BoardRank,
    forbidden: u8,
    number: u8,
    reversible: bool,
}

/// The best of the moves so far.
struct BestMoves {
    best: i16,
    second: i16,
    mv: u8,
    reversible: bool,
}

impl BestMoves {
    /// Another move. Of equals the first stays; in what order they come does not matter otherwise.
    #[inline(always)]
    fn take(&mut self, worth: i16, number: u8, reversible: bool) {
        if worth > self.best {
            *self = BestMoves { best: worth, second: self.best, mv: number, reversible };
        } else {
            self.second = self.second.max(worth);
        }
    }

    #[inline(always)]
    fn take_all(&mut self, sought: &[PendingLookup], known: &impl ValueSource) {
        for one in sought {
            self.take(worth(known.value(one.place, one.forbidden)), one.number, one.reversible);
        }
    }
}

/// Everything about a board that cannot win with the next move.
pub(super) fn evaluate<G: PerfectIndex>(game: &G, board: G::Board, known: &impl ValueSource) -> BoardValue {
    let mut best = BestMoves { best: WORST, second: WORST, mv: NO_MOVE, reversible: false };
    let nothing = PendingLookup {
        place: BoardRank { class: 0, index: 0, symmetry: 0, symmetric: false },
        forbidden: NO_MOVE,
        number: 0,
        reversible: false,
    };
    let (mut sought, mut count) = ([nothing; TOGETHER], 0);
    game.successors(board, |number, step| match step {
        Successor::End(Outcome::Loss) => best.take(WORST, number, false),
        Successor::End(Outcome::Draw) => best.take(0, number, false),
        Successor::End(Outcome::Win) => best.take(512, number, false),
        Successor::Board(next, reply) => {
            let reversible = reply != NO_MOVE;
            if game.wins_in_one(next) {
                return best.take(worth(1), number, reversible);
            }
            if count == TOGETHER {
                best.take_all(&sought, known);
                count = 0;
            }
            let place = game.rank(next);
            let forbidden = if reversible { game.image(reply, place.symmetry) } else { reply };
            sought[count] = PendingLookup { place, forbidden, number, reversible };
            count += 1;
        }
    });
    best.take_all(&sought[..count], known);
    let first = before(best.best);
    if best.reversible && best.second < best.best {
        BoardValue { first, mv: best.mv, second: before(best.second) }
    } else {
        BoardValue { first, mv: NO_MOVE, second: 0 }
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
