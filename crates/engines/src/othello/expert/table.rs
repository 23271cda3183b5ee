//! What is known of positions already searched, shared without a lock: whole boards, so that no position is
//! ever taken for another, with a lower and an upper bound, how far and how surely they were searched, and the two
//! moves that were best.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use tesuji_search::pages::{CacheLine, Pages};

use super::level::Level;

/// Entries side by side in one cache line.
const WAYS: usize = 2;
/// Marks a word that holds something.
const USED: u8 = 0x80;
/// No move is known.
pub(super) const NO_MOVE: u8 = 64;

/// A table of positions, their bounds and their best moves.
#[derive(Debug)]
pub(super) struct Table {
    lines: Pages,
    /// Of all lines those in use: the lowest bits of a number.
    mask: u64,
    /// Those in use at any time since everything was forgotten.
    touched: u64,
    age: u8,
}

/// Up to so many plies a search does with [`ENOUGH`] lines; each ply more wants twice as many.
const SHORT: u32 = 24;
/// Lines that still fit near caches: 16 MiB.
const ENOUGH: u64 = 1 << 18;

/// What is known of one position, seen by its mover.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Known {
    /// The score is at least this.
    pub(super) low: i8,
    /// The score is at most this.
    pub(super) high: i8,
    /// The best move and the one before it; [`NO_MOVE`] where there is none.
    pub(super) moves: [u8; 2],
    /// What the bounds hold for.
    pub(super) reach: Reach,
}

/// How far a search looked, and how surely: what is deeper and surer is the greater.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct Reach {
    /// Plies; as many as there are empty squares is to the end.
    pub(super) depth: u8,
    /// How surely.
    pub(super) level: Level,
}

impl Reach {
    /// Whether what holds for this reach is good enough for another.
    #[inline(always)]
    pub(super) fn covers(self, other: Reach) -> bool {
        self.depth >= other.depth && self.level >= other.level
    }
}

impl Known {
    /// NoEval is known.
    pub(super) const NOTHING: Known =
        Known { low: -64, high: 64, moves: [NO_MOVE; 2], reach: Reach { depth: 0, level: Level::FASTEST } };

    /// A score that answers whether it is more than `alpha`, if the bounds do for this reach.
    #[inline(always)]
    pub(super) fn answer(&self, reach: Reach, alpha: i32) -> Option<i32> {
        let (low, high) = (i32::from(self.low), i32::from(self.high));
        if !self.reach.covers(reach) {
            None
        } else if low > alpha {
            Some(low)
        } else if high <= alpha {
            Some(high)
        } else {
            None
        }
    }
}

/// What a null-window search has found: that the score is at least `score` if that is more than `alpha`, and at
/// most `score` otherwise.
#[derive(Clone, Copy, Debug)]
pub(super) struct Finding {
    pub(super) alpha: i32,
    pub(super) score: i32,
    pub(super) mv: u8,
    pub(super) reach: Reach,
    /// What it cost to find.
    pub(super) nodes: u64,
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
            known.reach.depth,
            USED | known.reach.level.number(),
        ]))
    }

    #[inline(always)]
    fn known(self) -> Known {
        let [low, high, first, second, _, _, depth, level] = self.0.to_le_bytes();
        let reach = Reach { depth, level: Level::of(level & !USED) };
        Known { low: low.cast_signed(), high: high.cast_signed(), moves: [first, second], reach }
    }

    /// How much would be lost with it: what this search found before what an older one did.
    #[inline(always)]
    fn merit(self, age: u8) -> u32 {
        let [.., made, cost, _, level] = self.0.to_le_bytes();
        u32::from(level / USED) * (u32::from(cost) + 1 + 256 * u32::from(made == age))
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
        let lines = (mib << 20) / size_of::<CacheLine>();
        let lines = if lines == 0 { 1 } else { 1 << lines.ilog2() };
        let lines = Pages::at_most(lines);
        let mask = Table::whole(&lines).min(ENOUGH - 1);
        Table { lines, mask, touched: 0, age: 0 }
    }

    /// The mask of all lines. Fewer than asked for may have been given: a power of two, as it was halved.
    fn whole(lines: &Pages) -> u64 {
        (1 << lines.len().ilog2()) - 1
    }

    /// Forgets everything. Zeros are written over what was in use: new pages of the system would take longer.
    pub(super) fn clear(&mut self) {
        let touched = self.touched.max(self.mask) as usize;
        self.lines.iter_mut().take(touched + 1).for_each(|line| *line = CacheLine::default());
        self.touched = 0;
    }

    /// Begins another search of so many plies: what was found before gives way first. A short search keeps to a part of
    /// the table, which saves the time to fetch the rest of it from memory for the first time; what lies there for longer
    /// searches stays where it is.
    pub(super) fn turn_page(&mut self, plies: u32) {
        self.age = self.age.wrapping_add(1);
        let lines = ENOUGH << plies.saturating_sub(SHORT).min(32);
        self.touched = self.touched.max(self.mask);
        self.mask = Table::whole(&self.lines).min(lines - 1);
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
    fn line(&self, place: Place) -> &CacheLine {
        &self.lines[(place.0 & self.mask) as usize]
    }

    /// Has what is known of this board brought near: it will be asked for in a moment.
    #[inline(always)]
    pub(super) fn prefetch(&self, own: u64, other: u64) {
        self.lines.prefetch(self.place(own, other).0 as usize);
    }

    /// What is known of this board.
    #[inline(always)]
    pub(super) fn get(&self, place: Place, own: u64, other: u64) -> Option<Known> {
        for entry in entries(self.line(place)) {
            let data = Data(entry[2].load(Relaxed));
            if (entry[0].load(Relaxed), entry[1].load(Relaxed)) == data.seals(own, other) && data.0 != 0 {
                return Some(data.known());
            }
        }
        None
    }

    /// Adds what was found of a board. Bounds of the same reach close in, those of a greater one take their place, and
    /// of a lesser one only the move is kept.
    pub(super) fn put(&self, place: Place, board: (u64, u64), finding: &Finding) {
        let (own, other) = board;
        let entries = entries(self.line(place));
        let found = |entry: &[AtomicU64; 3]| {
            let data = Data(entry[2].load(Relaxed));
            let same =
                (entry[0].load(Relaxed), entry[1].load(Relaxed)) == data.seals(own, other) && data.0 != 0;
            (same, data)
        };
        let [first, second] = entries.map(found);
        let (entry, before) = match (first, second) {
            ((true, data), _) => (entries[0], data.known()),
            (_, (true, data)) => (entries[1], data.known()),
            ((_, one), (_, two)) => {
                let least = usize::from(one.merit(self.age) > two.merit(self.age));
                (entries[least], Known::NOTHING)
            }
        };
        let &Finding { alpha, score, mv, reach, nodes } = finding;
        let mut known = before;
        if reach != known.reach && !known.reach.covers(reach) {
            known = Known { reach, moves: known.moves, ..Known::NOTHING };
        }
        if reach == known.reach {
            let score = score.clamp(-64, 64) as i8;
            if i32::from(score) > alpha {
                known.low = known.low.max(score);
            } else {
                known.high = known.high.min(score);
            }
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

/// The entries of a line, three words each; the two words left make the line whole.
#[inline(always)]
fn entries(line: &CacheLine) -> [&[AtomicU64; 3]; WAYS] {
    let (entries, _) = line.0.as_chunks::<3>();
    [&entries[0], &entries[1]]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn finding(alpha: i32, score: i32, mv: u8) -> Finding {
        Finding { alpha, score, mv, reach: Reach::whole(12), nodes: 10 }
    }

    #[test]
    fn bounds_close_in_and_moves_are_remembered() {
        let table = Table::new(0);
        let board = (0x0f, 0xf0);
        let place = table.place(board.0, board.1);
        assert_eq!(table.get(place, board.0, board.1), None);
        for found in [finding(3, 6, 19), finding(9, 8, NO_MOVE), finding(5, 6, 44)] {
            table.put(place, board, &found);
        }
        let known = Known { low: 6, high: 8, moves: [44, 19], reach: Reach::whole(12) };
        assert_eq!(table.get(place, board.0, board.1), Some(known));
        assert_eq!(table.get(place, board.1, board.0), None);
        assert_eq!(table.get(place, 0, 0), None);
        assert_eq!(
            [5, 6, 7, 8].map(|alpha| known.answer(Reach::whole(12), alpha)),
            [Some(6), None, None, Some(8)]
        );
        assert_eq!(known.answer(Reach::whole(13), 5), None);
    }

    #[test]
    fn bounds_of_a_lesser_reach_leave_only_their_move() {
        let table = Table::new(0);
        let board = (0x0f, 0xf0);
        let place = table.place(board.0, board.1);
        let quick = Reach { depth: 12, level: Level::FASTEST };
        table.put(place, board, &Finding { reach: quick, ..finding(3, 10, 1) });
        table.put(place, board, &finding(3, 6, 2));
        table.put(place, board, &Finding { reach: quick, ..finding(3, -10, 3) });
        let known = Known { low: 6, high: 64, moves: [3, 2], reach: Reach::whole(12) };
        assert_eq!(table.get(place, board.0, board.1), Some(known));
    }

    #[test]
    fn everything_is_forgotten_whatever_part_was_in_use() {
        let mut table = Table::new(64);
        let boards: Vec<(u64, u64)> = (0..2000_u64).map(|at| (1 << (at % 60), at << 32)).collect();
        for plies in [30, 10, 24, 1] {
            table.turn_page(plies);
            for &(own, other) in &boards {
                table.put(table.place(own, other), (own, other), &finding(3, 6, 19));
            }
        }
        table.clear();
        for plies in [30, 24, 10, 1] {
            table.turn_page(plies);
            assert!(
                boards.iter().all(|&(own, other)| table.get(table.place(own, other), own, other).is_none())
            );
        }
    }

    #[test]
    fn what_cost_least_or_is_oldest_gives_way() {
        let mut table = Table::new(0);
        let boards = [(1, 2), (4, 8), (16, 32)];
        let at = |table: &Table, (own, other): (u64, u64)| table.get(table.place(own, other), own, other);
        let put = |table: &Table, (own, other): (u64, u64), nodes: u64| {
            table.put(table.place(own, other), (own, other), &Finding { nodes, ..finding(0, 2, 0) });
        };
        put(&table, boards[0], 1000);
        put(&table, boards[1], 10);
        put(&table, boards[2], 100);
        assert_eq!(boards.map(|board| at(&table, board).is_some()), [true, false, true]);
        table.turn_page(0);
        put(&table, boards[1], 1);
        put(&table, boards[2], 1);
        assert_eq!(boards.map(|board| at(&table, board).is_some()), [false, true, true]);
    }
}
