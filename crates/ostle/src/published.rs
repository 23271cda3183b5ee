//! The ko rule of the published solution, for comparison: it forbids any reply to an image of the board before, while the
//! rules forbid only the reply to that board itself.
//!
//! The two differ on few boards, all of them nearly symmetric. Those are found once and handled separately; all
//! others are as in the [`Index`]. Their moves cannot be counted one by one, so they are treated as symmetric.

use tesuji_game::{BoardRank, NO_MOVE, PerfectIndex, Predecessor, Successor};

use crate::board::Ostle;
use crate::index::Index;

/// The size of the bit filter.
const BITS: u32 = 1 << 22;

/// The perfect index under the wider ko.
pub struct Published {
    index: Index,
    /// Class and number of boards where the two differ, in order.
    odd: Vec<(u8, u32)>,
    bits: Vec<u64>,
}

impl Published {
    /// The numbers of a class that differ or are neighbours of one that does: see [`new`](Published::new).
    pub fn odd(index: &Index, class: u8, numbers: std::ops::Range<u32>) -> Vec<(u8, u32)> {
        let (mut after, mut before, mut odd) = (Vec::new(), Vec::new(), Vec::new());
        for number in numbers {
            let Some(board) = index.unrank(class, number).filter(|board| is_nearly_symmetric(index, *board)) else {
                continue;
            };
            after.clear();
            before.clear();
            index.successors(board, |_, step| {
                if let Successor::Board(next, reply) = step
                    && next.pieces() == (board.pieces().1, board.pieces().0)
                {
                    let place = index.rank(next);
                    after.push((place.class, place.index, reply != NO_MOVE));
                }
            });
            index.predecessors(class, number, |back| before.push((back.class, back.index)));
            for (at, &(class, index, reversible)) in after.iter().enumerate() {
                let ways = before.iter().filter(|back| **back == (class, index)).count();
                let alone =
                    !after[..at].iter().chain(&after[at + 1..]).any(|other| (other.0, other.1) == (class, index));
                let as_usual = ways == 0 || (ways == 1 && alone && reversible);
                if !as_usual {
                    odd.push((class, index));
                    odd.push((class_of(board), number));
                }
            }
        }
        odd.sort_unstable();
        odd.dedup();
        odd
    }

    /// The index, given the results of [`odd`](Published::odd) for all numbers of all classes, in any order.
    pub fn new(index: Index, mut odd: Vec<(u8, u32)>) -> Published {
        odd.sort_unstable();
        odd.dedup();
        let mut bits = vec![0; BITS as usize / 64];
        for &(class, index) in &odd {
            let bit = bit(class, index);
            bits[bit as usize / 64] |= 1 << (bit % 64);
        }
        Published { index, odd, bits }
    }

    /// The number of boards that differ or are neighbours of one that does.
    pub fn differing(&self) -> usize {
        self.odd.len()
    }

    #[inline(always)]
    fn is_odd(&self, class: u8, index: u32) -> bool {
        let bit = bit(class, index);
        self.bits[bit as usize / 64] >> (bit % 64) & 1 != 0 && self.odd.binary_search(&(class, index)).is_ok()
    }

    /// The reply on `board` that leads to an image of the board of this number, if there is one.
    #[cold]
    fn reply(&self, board: Ostle, (class, index): (u8, u32)) -> u8 {
        let mut least = (u8::MAX, NO_MOVE);
        let turn = self.index.rank(board).symmetry;
        self.index.successors(board, |mv, step| {
            if let Successor::Board(next, _) = step {
                let place = self.index.rank(next);
                if (place.class, place.index) == (class, index) {
                    // The same one of several, however the board is turned.
                    least = least.min((self.index.image(mv, turn), mv));
                }
            }
        });
        least.1
    }

    fn step(&self, from: BoardRank, step: Successor<Ostle>) -> Successor<Ostle> {
        match step {
            Successor::Board(next, NO_MOVE) if !same_stage(from.class, class_of(next)) => {
                Successor::Board(next, NO_MOVE)
            }
            Successor::Board(next, _) => Successor::Board(next, self.reply(next, (from.class, from.index))),
            end => end,
        }
    }
}

/// The class of a board.
fn class_of(board: Ostle) -> u8 {
    let (own, other) = board.pieces();
    (own & 1 | (other & 1) << 1) as u8
}

/// Whether a move without a fall can lead from one class to the other: the sides change.
fn same_stage(class: u8, next: u8) -> bool {
    class.count_ones() == next.count_ones()
}

#[inline(always)]
fn bit(class: u8, index: u32) -> u32 {
    (index ^ u32::from(class) << 30).wrapping_mul(0x9e37_79b1) >> (32 - BITS.trailing_zeros())
}

/// Whether two moves may lead to an image of the board. Each changes one line only, and there empties one cell and
/// fills another.
fn is_nearly_symmetric(index: &Index, board: Ostle) -> bool {
    let (own, other, hole) = (board.own(), board.other(), 1 << board.hole());
    (1..8).any(|symmetry| {
        let differs = |set: u32| set ^ index.image_of(set, symmetry);
        differs(own | other).count_ones() <= 4 && in_two_lines(differs(own) | differs(other) | differs(hole))
    })
}

/// Whether all these cells are in two rows, two columns, or one of each.
fn in_two_lines(cells: u32) -> bool {
    const ROW: u32 = 0x1f;
    const COLUMN: u32 = 0x0010_8421;
    let lines = || (0..5).flat_map(|at| [ROW << (5 * at), COLUMN << at]);
    lines().any(|one| lines().any(|two| cells & !one & !two == 0))
}

impl PerfectIndex for Published {
    type Board = Ostle;

    fn stages(&self) -> &[&[u8]] {
        self.index.stages()
    }

    fn size(&self, class: u8) -> u32 {
        self.index.size(class)
    }

    fn class_name(&self, class: u8) -> String {
        self.index.class_name(class)
    }

    #[inline]
    fn class(&self, board: Ostle) -> u8 {
        self.index.class(board)
    }

    #[inline]
    fn rank(&self, board: Ostle) -> BoardRank {
        let place = self.index.rank(board);
        BoardRank { symmetric: place.symmetric || self.is_odd(place.class, place.index), ..place }
    }

    #[inline]
    fn unrank(&self, class: u8, index: u32) -> Option<Ostle> {
        self.index.unrank(class, index)
    }

    #[inline]
    fn image(&self, mv: u8, symmetry: u8) -> u8 {
        self.index.image(mv, symmetry)
    }

    fn is_symmetric(&self, board: Ostle) -> bool {
        self.rank(board).symmetric
    }

    fn equivalent_moves(&self, board: Ostle, mv: u8, visit: impl FnMut(u8)) {
        self.index.equivalent_moves(board, mv, visit);
    }

    #[inline]
    fn wins_in_one(&self, board: Ostle) -> bool {
        self.index.wins_in_one(board)
    }

    #[inline]
    fn successors(&self, board: Ostle, mut visit: impl FnMut(u8, Successor<Ostle>)) {
        let from = self.index.rank(board);
        if self.is_odd(from.class, from.index) {
            self.index.successors(board, |mv, step| visit(mv, self.step(from, step)));
        } else {
            self.index.successors(board, visit);
        }
    }

    #[inline]
    fn after(&self, board: Ostle, mv: u8) -> Option<(Ostle, u8)> {
        let (next, reply) = self.index.after(board, mv)?;
        let from = self.index.rank(board);
        if !self.is_odd(from.class, from.index) {
            return Some((next, reply));
        }
        match self.step(from, Successor::Board(next, reply)) {
            Successor::Board(next, reply) => Some((next, reply)),
            Successor::End(_) => None,
        }
    }

    #[inline]
    fn predecessors(&self, class: u8, index: u32, mut visit: impl FnMut(Predecessor)) {
        let odd = self.is_odd(class, index);
        self.index.predecessors(class, index, |mut back| {
            if self.is_odd(back.class, back.index) {
                back.symmetric = true;
                if odd && let Some(board) = self.index.unrank(class, index) {
                    back.reply = self.reply(board, (back.class, back.index));
                }
            }
            visit(back);
        });
    }

    #[inline]
    fn conversions(&self, class: u8, index: u32, mut visit: impl FnMut(Predecessor)) {
        self.index.conversions(class, index, |mut back| {
            back.symmetric |= self.is_odd(back.class, back.index);
            visit(back);
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The replies that the published solution forbids, by its definition.
    fn replies(index: &Index, before: BoardRank, board: Ostle) -> Vec<u8> {
        let mut found = Vec::new();
        index.successors(board, |mv, step| {
            if let Successor::Board(next, _) = step
                && (index.rank(next).class, index.rank(next).index) == (before.class, before.index)
            {
                found.push(mv);
            }
        });
        found
    }

    #[test]
    fn every_reply_to_an_image_of_the_board_before_is_forbidden() {
        let plain = Index::new();
        // The hole in the middle, where boards are most symmetric, and all numbers of that part are looked at.
        let starts = plain.hole_starts(0);
        let part = starts[5]..starts[5] + 600_000;
        let odd = Published::odd(&plain, 0, part.clone());
        let game = Published::new(Index::new(), odd);
        let (mut wider, mut odd) = (0, 0);
        for number in part.clone().step_by(7).chain(game.odd.iter().map(|&(_, number)| number)) {
            let Some(board) = plain.unrank(0, number) else { continue };
            let (from, is_odd) = (plain.rank(board), game.is_odd(0, number));
            odd += u32::from(is_odd);
            let mut usual = Vec::new();
            plain.successors(board, |_, step| usual.push(step));
            let mut at = 0;
            game.successors(board, |mv, step| {
                let plain_step = usual[at];
                at += 1;
                let Successor::Board(next, reply) = step else { return assert_eq!(step, plain_step) };
                let right = replies(&plain, from, next);
                assert_eq!(reply != NO_MOVE, !right.is_empty(), "{number} {mv}");
                assert!(reply == NO_MOVE || right.contains(&reply), "{number} {mv}");
                assert_eq!(game.after(board, mv), Some((next, reply)));
                let Successor::Board(_, plain_reply) = plain_step else { panic!("the game goes on") };
                assert!(is_odd || reply == plain_reply, "{number} {mv}");
                wider += u32::from(reply != NO_MOVE && plain_reply == NO_MOVE);
            });
            game.predecessors(0, number, |back| {
                let before = plain.unrank(back.class, back.index).expect("a board");
                let right = replies(&plain, plain.rank(before), board);
                // Boards before may lie outside the part that was looked at.
                if part.contains(&back.index) || !is_odd {
                    assert_eq!(back.reply != NO_MOVE, !right.is_empty(), "{number} {back:?}");
                }
            });
        }
        assert!(wider > 10 && odd > 100, "{wider} {odd}");
    }
}
