//! The value of a board from its successors: the forward definition, which symmetric boards and the
//! verification use.

use tesuji_game::{BoardRank, NO_MOVE, Outcome, PerfectIndex, Successor};

use super::BoardValue;

/// Values of successor boards.
pub(super) trait ValueSource {
    /// The value of a ranked board when this reply is forbidden; 0 for a draw or an unknown value.
    fn value(&self, place: BoardRank, forbidden: u8) -> u8;
}

/// Orders the values of a successor for the player who moves there: higher is better.
///
/// A late loss is better than an early one, a draw better than any loss, an early win better than a late one.
#[inline(always)]
fn score(after: u8) -> i16 {
    match after {
        0 => 0,
        lost if lost % 2 == 0 => 512 - i16::from(lost),
        won => i16::from(won) - 512,
    }
}

/// The value of a board whose best successor scores this much.
#[inline(always)]
fn before(score: i16) -> u8 {
    match score {
        0 => 0,
        won if won > 0 => (512 - won + 1) as u8,
        lost => (lost + 512 + 1) as u8,
    }
}

/// The score of a move that loses at once or allows a win in one: the minimum.
const WORST: i16 = 1 - 512;

/// Successors looked up together. They are far apart in memory; independent lookups overlap their cache
/// misses.
const BATCH: usize = 32;

/// A successor to be looked up.
#[derive(Clone, Copy)]
struct PendingLookup {
    place: BoardRank,
    forbidden: u8,
    number: u8,
    reversible: bool,
}

/// The best and second-best move so far.
struct BestMoves {
    best: i16,
    second: i16,
    mv: u8,
    reversible: bool,
}

impl BestMoves {
    /// Adds a move. Of equal moves the first stays; otherwise the order does not matter.
    #[inline(always)]
    fn add(&mut self, score: i16, number: u8, reversible: bool) {
        if score > self.best {
            *self = BestMoves { best: score, second: self.best, mv: number, reversible };
        } else {
            self.second = self.second.max(score);
        }
    }

    #[inline(always)]
    fn add_all(&mut self, pending: &[PendingLookup], known: &impl ValueSource) {
        for one in pending {
            self.add(score(known.value(one.place, one.forbidden)), one.number, one.reversible);
        }
    }
}

/// The value of a board that has no win in one.
pub(super) fn evaluate<G: PerfectIndex>(game: &G, board: G::Board, known: &impl ValueSource) -> BoardValue {
    let mut best = BestMoves { best: WORST, second: WORST, mv: NO_MOVE, reversible: false };
    let nothing = PendingLookup {
        place: BoardRank { class: 0, index: 0, symmetry: 0, symmetric: false },
        forbidden: NO_MOVE,
        number: 0,
        reversible: false,
    };
    let (mut pending, mut count) = ([nothing; BATCH], 0);
    game.successors(board, |number, step| match step {
        Successor::End(Outcome::Loss) => best.add(WORST, number, false),
        Successor::End(Outcome::Draw) => best.add(0, number, false),
        Successor::End(Outcome::Win) => best.add(512, number, false),
        Successor::Board(next, reply) => {
            let reversible = reply != NO_MOVE;
            if game.wins_in_one(next) {
                return best.add(score(1), number, reversible);
            }
            if count == BATCH {
                best.add_all(&pending, known);
                count = 0;
            }
            let place = game.rank(next);
            let forbidden = if reversible { game.image(reply, place.symmetry) } else { reply };
            pending[count] = PendingLookup { place, forbidden, number, reversible };
            count += 1;
        }
    });
    best.add_all(&pending[..count], known);
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
        assert!(ascending.map(score).is_sorted_by(|a, b| a < b));
        assert_eq!(ascending.map(score).map(before), [2, 4, 6, 252, 0, 251, 5, 3]);
    }
}
