//! What is known of positions already searched, shared without a lock: whole boards, so that no position is
//! ever taken for another, with a lower and an upper bound and the two moves that were best.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// Entries side by side in one cache line.
const WAYS: usize = 2;
/// No move is known.
pub(super) const NO_MOVE: u8 = 64;

/// Two entries of three words; the two words left make the line whole.
#[derive(Default, Debug)]
#[repr(align(64))]
struct Line([[AtomicU64; 3]; WAYS]);

/// A table of positions, their bounds and their best moves.
#[derive(Debug)]
pub(super) struct Table {
    lines: Box<[Line]>,
    mask: u64,
    age: u8,
}

/// What is known of one position, seen by its mover.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Known {
    /// The score is at least this.
    pub(super) low: i8,
    /// The score is at most this.
    pub(super) high: i8,
    /// The best move and the one before it; [`NO_MOVE`] where there is none.
    pub(super) moves: [u8; 2],
}

impl Known {
    /// Nothing is known.
    pub(super) const NOTHING: Known = Known { low: -64, high: 64, moves: [NO_MOVE; 2] };
}

/// Where a position is kept.
#[derive(Clone, Copy, Debug)]
pub(super) struct Place(u64);

/// The data word of an entry: bounds, moves, age and the logarithm of the nodes it cost.
#[derive(Clone, Copy)]
struct Data(u64);

impl Data {
    fn new(known: Known, age: u8, cost: u8) -> Data {
        Data(u64::from_le_bytes([
            known.low.cast_unsigned(),
            known.high.cast_unsigned(),
            known.moves[0],
            known.moves[1],
            age,
            cost,
            1,
            0,
        ]))
    }

    #[inline(always)]
    fn known(self) -> Known {
        let [low, high, first, second, ..] = self.0.to_le_bytes();
        Known { low: low.cast_signed(), high: high.cast_signed(), moves: [first, second] }
    }

    /// How much would be lost with it: what this search found before what an older one did.
    #[inline(always)]
    fn merit(self, age: u8) -> u32 {
        let [.., made, cost, used, _] = self.0.to_le_bytes();
        u32::from(used) * (u32::from(cost) + 1 + 256 * u32::from(made == age))
    }

    /// The words that stand beside it: the board, mixed so that words of two writers do not fit together.
    #[inline(always)]
    fn seals(self, own: u64, other: u64) -> (u64, u64) {
        (own ^ self.0, other ^ self.0.wrapping_mul(0x9e37_79b9_7f4a_7c15))
    }
}

impl Table {
    /// A table of about so many MiB, rounded down to a power of two; at least one line.
    pub(super) fn new(mib: usize) -> Table {
        let lines = (mib << 20) / size_of::<Line>();
        let lines = if lines == 0 { 1 } else { 1 << lines.ilog2() };
        Table { lines: (0..lines).map(|_| Line::default()).collect(), mask: lines as u64 - 1, age: 0 }
    }

    /// Begins another search: what was found before gives way first.
    pub(super) fn turn_page(&mut self) {
        self.age = self.age.wrapping_add(1);
    }

    /// Where this board belongs.
    #[inline(always)]
    pub(super) fn place(&self, own: u64, other: u64) -> Place {
        let mixed = own.wrapping_mul(0x9e37_79b9_7f4a_7c15)
            ^ other.wrapping_mul(0xc2b2_ae3d_27d4_eb4f).rotate_left(32);
        let mixed = (mixed ^ mixed >> 32).wrapping_mul(0xd6e8_feb8_6659_fd93);
        Place(mixed >> 32 & self.mask)
    }

    #[inline(always)]
    fn line(&self, place: Place) -> &Line {
        &self.lines[(place.0 & self.mask) as usize]
    }

    /// What is known of this board.
    #[inline(always)]
    pub(super) fn get(&self, place: Place, own: u64, other: u64) -> Option<Known> {
        for entry in &self.line(place).0 {
            let data = Data(entry[2].load(Relaxed));
            if (entry[0].load(Relaxed), entry[1].load(Relaxed)) == data.seals(own, other) && data.0 != 0 {
                return Some(data.known());
            }
        }
        None
    }

    /// Adds what a null-window search found: that the score is at least `score` if that is more than `alpha`,
    /// and at most `score` otherwise. `nodes` is what it cost to find.
    pub(super) fn put(&self, place: Place, board: (u64, u64), alpha: i32, score: i32, mv: u8, nodes: u64) {
        let (own, other) = board;
        let entries = &self.line(place).0;
        let found = |entry: &[AtomicU64; 3]| {
            let data = Data(entry[2].load(Relaxed));
            let same =
                (entry[0].load(Relaxed), entry[1].load(Relaxed)) == data.seals(own, other) && data.0 != 0;
            (same, data)
        };
        let [first, second] = [found(&entries[0]), found(&entries[1])];
        let (entry, before) = match (first, second) {
            ((true, data), _) => (&entries[0], data.known()),
            (_, (true, data)) => (&entries[1], data.known()),
            ((_, one), (_, two)) => {
                let least = usize::from(one.merit(self.age) > two.merit(self.age));
                (&entries[least], Known::NOTHING)
            }
        };
        let score = score as i8;
        let mut known = before;
        if i32::from(score) > alpha {
            known.low = known.low.max(score);
        } else {
            known.high = known.high.min(score);
        }
        if mv != NO_MOVE && mv != known.moves[0] {
            known.moves = [mv, known.moves[0]];
        }
        let data = Data::new(known, self.age, nodes.max(1).ilog2() as u8);
        let (one, two) = data.seals(own, other);
        entry[0].store(one, Relaxed);
        entry[1].store(two, Relaxed);
        entry[2].store(data.0, Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds_close_in_and_moves_are_remembered() {
        assert_eq!(size_of::<Line>(), 64);
        let table = Table::new(0);
        let board = (0x0f, 0xf0);
        let place = table.place(board.0, board.1);
        assert_eq!(table.get(place, board.0, board.1), None);
        table.put(place, board, 3, 6, 19, 10);
        table.put(place, board, 9, 8, NO_MOVE, 10);
        table.put(place, board, 5, 6, 44, 10);
        assert_eq!(table.get(place, board.0, board.1), Some(Known { low: 6, high: 8, moves: [44, 19] }));
        assert_eq!(table.get(place, board.1, board.0), None);
        assert_eq!(table.get(place, 0, 0), None);
    }

    #[test]
    fn what_cost_least_or_is_oldest_gives_way() {
        let mut table = Table::new(0);
        let boards = [(1, 2), (4, 8), (16, 32)];
        let at = |table: &Table, (own, other): (u64, u64)| table.get(table.place(own, other), own, other);
        let put = |table: &Table, (own, other): (u64, u64), nodes: u64| {
            table.put(table.place(own, other), (own, other), 0, 2, 0, nodes);
        };
        put(&table, boards[0], 1000);
        put(&table, boards[1], 10);
        put(&table, boards[2], 100);
        assert_eq!(boards.map(|board| at(&table, board).is_some()), [true, false, true]);
        table.turn_page();
        put(&table, boards[1], 1);
        put(&table, boards[2], 1);
        assert_eq!(boards.map(|board| at(&table, board).is_some()), [false, true, true]);
    }
}
