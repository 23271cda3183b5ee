//! The legal moves of a position: the set of squares itself, or the pass.

use tesuji_game::MoveList;

use crate::{Move, Square};

/// Legal moves as a bit set; the pass only where it is compulsory, and then alone.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Moves {
    /// Where a disc may be put.
    pub squares: u64,
    /// Whether the mover has to pass; there are no squares then.
    pub pass: bool,
}

impl MoveList for Moves {
    type Move = Move;

    #[inline]
    fn each(&self) -> impl Iterator<Item = Move> + '_ {
        Each { squares: self.squares, pass: self.pass }
    }

    #[inline]
    fn len(&self) -> usize {
        self.squares.count_ones() as usize + usize::from(self.pass)
    }

    #[inline]
    fn is_empty(&self) -> bool {
        self.squares == 0 && !self.pass
    }

    #[inline]
    fn has(&self, mv: Move) -> bool {
        mv.square().map_or(self.pass, |square| self.squares & square.bit() != 0)
    }
}

/// From a1 to h8; the pass last.
struct Each {
    squares: u64,
    pass: bool,
}

impl Iterator for Each {
    type Item = Move;

    #[inline]
    fn next(&mut self) -> Option<Move> {
        if let Some(square) = Square::lowest(self.squares) {
            self.squares &= self.squares - 1;
            return Some(Move::from(square));
        }
        std::mem::take(&mut self.pass).then_some(Move::PASS)
    }

    /// Without a loop: a play-out draws its moves by number, and a loop of random length is a guess missed.
    #[inline]
    fn nth(&mut self, number: usize) -> Option<Move> {
        let count = self.squares.count_ones() as usize;
        if number >= count {
            self.squares = 0;
            let passes = std::mem::take(&mut self.pass) && number == count;
            return passes.then_some(Move::PASS);
        }
        let index = select(self.squares, number as u64);
        self.squares &= u64::MAX << index << 1;
        Square::new(index as u8).map(Move::from)
    }

    #[inline]
    fn size_hint(&self) -> (usize, Option<usize>) {
        let count = self.squares.count_ones() as usize + usize::from(self.pass);
        (count, Some(count))
    }
}

/// A one in every byte.
const ONES: u64 = u64::MAX / 255;
/// The highest bit of every byte.
const HIGH: u64 = ONES << 7;

/// How many bytes of `sums` are at most `rank`; all of them are below 128.
#[inline]
fn at_most(sums: u64, rank: u64) -> u64 {
    let reached = (((rank * ONES) | HIGH) - sums) & HIGH;
    (reached >> 7).wrapping_mul(ONES) >> 56
}

/// The place of a set's bit by its number from below, which must be less than the size of the set.
///
/// First the byte, by the sums of the sizes of bytes up to each; then the bit, the same way, with the eight
/// bits of the byte spread over eight bytes.
#[inline]
fn select(set: u64, number: u64) -> u64 {
    let pairs = set - (set >> 1 & (ONES * 0x55));
    let fours = (pairs & (ONES * 0x33)) + (pairs >> 2 & (ONES * 0x33));
    let sums = ((fours + (fours >> 4)) & (ONES * 0x0f)).wrapping_mul(ONES);
    let shift = 8 * at_most(sums, number);
    let rank = number - (sums << 8 >> shift & 0xff);
    let spread = ((set >> shift & 0xff) * ONES) & 0x8040_2010_0804_0201;
    let bits = (spread + (HIGH - ONES)) >> 7 & ONES;
    shift + at_most(bits.wrapping_mul(ONES), rank)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::any;
    use tesuji_laws::{for_all, hold};

    use super::*;

    /// By steps of one, as any iterator would.
    fn stepped(list: &Moves, number: usize) -> (Option<Move>, Vec<Move>) {
        let mut each = Each { squares: list.squares, pass: list.pass };
        let mut found = None;
        for _ in 0..=number {
            found = each.next();
        }
        (found, each.collect())
    }

    #[test]
    fn moves_by_number_are_moves_by_steps() {
        let sets = (any::<u64>(), any::<u64>(), 0..3_u8);
        for_all(400, sets, |(one, two, kind)| {
            let squares = [one & two, one, one | two][usize::from(kind)];
            for squares in [squares, 1 << (one % 64), 0, u64::MAX] {
                let list = Moves { squares, pass: squares == 0 && kind == 0 };
                for number in 0..=list.len() + 1 {
                    let mut each = list.each();
                    hold!(each.size_hint() == (list.len(), Some(list.len())), "the size of {list:?}");
                    let found = (each.nth(number), each.collect::<Vec<_>>());
                    hold!(found == stepped(&list, number), "number {number} of {list:?}: {found:?}");
                }
            }
            Ok(())
        });
    }
}
