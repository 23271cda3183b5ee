//! The transposition table of the search, shared by all threads without locks.
//!
//! Entries hold the whole board, so no position is taken for another, with a lower and an upper bound, the depth and
//! selectivity of the search, and the two best moves. The words of an entry are XORed with its data (Hyatt's lockless
//! hashing), so a torn write reads as another board.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use tesuji_search::pages::{CacheLine, Pages};

use super::iterate::{SearchDraft, Selectivity};

/// Entries in a bucket, which is one cache line.
const ENTRIES: usize = 2;
/// Marks a data word in use.
const USED: u8 = 0x80;
/// No move is known.
pub(super) const NO_MOVE: u8 = 64;

/// The transposition table.
#[derive(Debug)]
pub(super) struct HashTable {
    buckets: Pages,
    /// The index mask of the buckets that the current search uses.
    mask: u64,
    /// The largest mask of any search since the table was cleared.
    touched: u64,
    generation: u8,
}

/// Searches of up to this depth use [`MIN_BUCKETS`]; each ply more doubles that.
const SHORT_DEPTH: u32 = 24;
/// 16 MiB, which is near the size of the processor's caches.
const MIN_BUCKETS: u64 = 1 << 18;

/// What the table knows about a board, seen by its mover.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct HashData {
    /// A lower bound of the score.
    pub(super) lower: i8,
    /// An upper bound of the score.
    pub(super) upper: i8,
    /// The best move and the previous best one; [`NO_MOVE`] if there is none.
    pub(super) moves: [u8; 2],
    /// The depth and selectivity of the bounds.
    pub(super) draft: SearchDraft,
}

impl HashData {
    /// No information.
    pub(super) const EMPTY: HashData = HashData {
        lower: -64,
        upper: 64,
        moves: [NO_MOVE; 2],
        draft: SearchDraft { depth: 0, selectivity: Selectivity::FASTEST },
    };

    /// A bound of at least this draft that decides whether the score is above `alpha`.
    #[inline(always)]
    pub(super) fn cutoff(&self, draft: SearchDraft, alpha: i32) -> Option<i32> {
        let (lower, upper) = (i32::from(self.lower), i32::from(self.upper));
        if !self.draft.covers(draft) {
            None
        } else if lower > alpha {
            Some(lower)
        } else if upper <= alpha {
            Some(upper)
        } else {
            None
        }
    }
}

/// The result of a null-window search: `score` is a lower bound if it is above `alpha`, an upper bound otherwise.
#[derive(Clone, Copy, Debug)]
pub(super) struct HashUpdate {
    pub(super) alpha: i32,
    pub(super) score: i32,
    pub(super) mv: u8,
    pub(super) draft: SearchDraft,
    /// The nodes of the search.
    pub(super) nodes: u64,
}

/// The index of a bucket.
#[derive(Clone, Copy, Debug)]
pub(super) struct BucketIndex(u64);

/// The data word of an entry: bounds, moves, generation, logarithm of the nodes, draft.
#[derive(Clone, Copy)]
struct DataWord(u64);

impl DataWord {
    fn new(data: HashData, generation: u8, cost: u8) -> DataWord {
        DataWord(u64::from_le_bytes([
            data.lower.cast_unsigned(),
            data.upper.cast_unsigned(),
            data.moves[0],
            data.moves[1],
            generation,
            cost,
            data.draft.depth,
            USED | data.draft.selectivity.index(),
        ]))
    }

    #[inline(always)]
    fn unpack(self) -> HashData {
        let [lower, upper, first, second, _, _, depth, level] = self.0.to_le_bytes();
        let draft = SearchDraft { depth, selectivity: Selectivity::from_index(level & !USED) };
        HashData { lower: lower.cast_signed(), upper: upper.cast_signed(), moves: [first, second], draft }
    }

    /// The entry with the smaller value is replaced: an older generation first, then the one that cost less.
    #[inline(always)]
    fn replacement_value(self, generation: u8) -> u32 {
        let [.., made, cost, _, level] = self.0.to_le_bytes();
        u32::from(level / USED) * (u32::from(cost) + 1 + 256 * u32::from(made == generation))
    }

    /// The two key words of an entry with this data: the board XORed with the data.
    #[inline(always)]
    fn keys(self, own: u64, other: u64) -> (u64, u64) {
        (own ^ self.0, other ^ self.0.wrapping_mul(0x9e37_79b9_7f4a_7c15))
    }
}

impl HashTable {
    /// A table of about `mib` MiB, rounded down to a power of two; at least one bucket.
    pub(super) fn new(mib: usize) -> HashTable {
        let buckets = (mib << 20) / size_of::<CacheLine>();
        let buckets = if buckets == 0 { 1 } else { 1 << buckets.ilog2() };
        let buckets = Pages::at_most(buckets);
        let mask = HashTable::full_mask(&buckets).min(MIN_BUCKETS - 1);
        HashTable { buckets, mask, touched: 0, generation: 0 }
    }

    /// The mask of all buckets. Their number is a power of two even if the system had less memory to give.
    fn full_mask(buckets: &Pages) -> u64 {
        (1 << buckets.len().ilog2()) - 1
    }

    /// Clears the part in use by writing zeros: new pages of the system would take longer.
    pub(super) fn clear(&mut self) {
        let touched = self.touched.max(self.mask) as usize;
        self.buckets.iter_mut().take(touched + 1).for_each(|bucket| *bucket = CacheLine::default());
        self.touched = 0;
    }

    /// Starts the generation of a new search to this depth. A short search uses only a part of the table, which saves
    /// the time to touch the rest; entries of longer searches elsewhere stay.
    pub(super) fn new_generation(&mut self, depth: u32) {
        self.generation = self.generation.wrapping_add(1);
        let buckets = MIN_BUCKETS << depth.saturating_sub(SHORT_DEPTH).min(32);
        self.touched = self.touched.max(self.mask);
        self.mask = HashTable::full_mask(&self.buckets).min(buckets - 1);
    }

    /// The bucket of a board.
    #[inline(always)]
    pub(super) fn bucket(&self, own: u64, other: u64) -> BucketIndex {
        let mixed = own.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ other.wrapping_mul(0xc2b2_ae3d_27d4_eb4f).rotate_left(32);
        let mixed = (mixed ^ mixed >> 32).wrapping_mul(0xd6e8_feb8_6659_fd93);
        BucketIndex(mixed >> 32 & self.mask)
    }

    /// The entries of a bucket, three words each; two words are unused.
    #[inline(always)]
    fn entries(&self, bucket: BucketIndex) -> [&[AtomicU64; 3]; ENTRIES] {
        let (entries, _) = self.buckets[(bucket.0 & self.mask) as usize].0.as_chunks::<3>();
        [&entries[0], &entries[1]]
    }

    /// Prefetches the bucket of a board.
    #[inline(always)]
    pub(super) fn prefetch(&self, own: u64, other: u64) {
        self.buckets.prefetch(self.bucket(own, other).0 as usize);
    }

    /// The data of a board.
    #[inline(always)]
    pub(super) fn probe(&self, bucket: BucketIndex, own: u64, other: u64) -> Option<HashData> {
        for entry in self.entries(bucket) {
            let data = DataWord(entry[2].load(Relaxed));
            if (entry[0].load(Relaxed), entry[1].load(Relaxed)) == data.keys(own, other) && data.0 != 0 {
                return Some(data.unpack());
            }
        }
        None
    }

    /// Stores a search result. Bounds of the same draft are intersected, those of a greater draft replace the old ones,
    /// and of a lesser draft only the move is kept.
    pub(super) fn store(&self, bucket: BucketIndex, board: (u64, u64), update: &HashUpdate) {
        let (own, other) = board;
        let entries = self.entries(bucket);
        let read = |entry: &[AtomicU64; 3]| {
            let data = DataWord(entry[2].load(Relaxed));
            let same = (entry[0].load(Relaxed), entry[1].load(Relaxed)) == data.keys(own, other) && data.0 != 0;
            (same, data)
        };
        let [first, second] = entries.map(read);
        let (entry, mut data) = match (first, second) {
            ((true, data), _) => (entries[0], data.unpack()),
            (_, (true, data)) => (entries[1], data.unpack()),
            ((_, one), (_, two)) => {
                let value = |word: DataWord| word.replacement_value(self.generation);
                (entries[usize::from(value(one) > value(two))], HashData::EMPTY)
            }
        };
        let &HashUpdate { alpha, score, mv, draft, nodes } = update;
        if draft != data.draft && !data.draft.covers(draft) {
            data = HashData { draft, moves: data.moves, ..HashData::EMPTY };
        }
        if draft == data.draft {
            let score = score.clamp(-64, 64) as i8;
            if i32::from(score) > alpha {
                data.lower = data.lower.max(score);
            } else {
                data.upper = data.upper.min(score);
            }
        }
        if mv != NO_MOVE && mv != data.moves[0] {
            data.moves = [mv, data.moves[0]];
        }
        let word = DataWord::new(data, self.generation, nodes.max(1).ilog2() as u8);
        let (one, two) = word.keys(own, other);
        entry[0].store(one, Relaxed);
        entry[1].store(two, Relaxed);
        entry[2].store(word.0, Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn update(alpha: i32, score: i32, mv: u8) -> HashUpdate {
        HashUpdate { alpha, score, mv, draft: SearchDraft::exact(12), nodes: 10 }
    }

    #[test]
    fn bounds_are_intersected_and_moves_are_kept() {
        let table = HashTable::new(0);
        let board = (0x0f, 0xf0);
        let bucket = table.bucket(board.0, board.1);
        assert_eq!(table.probe(bucket, board.0, board.1), None);
        for found in [update(3, 6, 19), update(9, 8, NO_MOVE), update(5, 6, 44)] {
            table.store(bucket, board, &found);
        }
        let expected = HashData { lower: 6, upper: 8, moves: [44, 19], draft: SearchDraft::exact(12) };
        assert_eq!(table.probe(bucket, board.0, board.1), Some(expected));
        assert_eq!(table.probe(bucket, board.1, board.0), None);
        assert_eq!(table.probe(bucket, 0, 0), None);
        assert_eq!(
            [5, 6, 7, 8].map(|alpha| expected.cutoff(SearchDraft::exact(12), alpha)),
            [Some(6), None, None, Some(8)]
        );
        assert_eq!(expected.cutoff(SearchDraft::exact(13), 5), None);
    }

    #[test]
    fn bounds_of_a_lesser_draft_leave_only_their_move() {
        let table = HashTable::new(0);
        let board = (0x0f, 0xf0);
        let bucket = table.bucket(board.0, board.1);
        let quick = SearchDraft { depth: 12, selectivity: Selectivity::FASTEST };
        table.store(bucket, board, &HashUpdate { draft: quick, ..update(3, 10, 1) });
        table.store(bucket, board, &update(3, 6, 2));
        table.store(bucket, board, &HashUpdate { draft: quick, ..update(3, -10, 3) });
        let expected = HashData { lower: 6, upper: 64, moves: [3, 2], draft: SearchDraft::exact(12) };
        assert_eq!(table.probe(bucket, board.0, board.1), Some(expected));
    }

    #[test]
    fn clearing_reaches_every_part_that_was_in_use() {
        let mut table = HashTable::new(64);
        let boards: Vec<(u64, u64)> = (0..2000_u64).map(|at| (1 << (at % 60), at << 32)).collect();
        for depth in [30, 10, 24, 1] {
            table.new_generation(depth);
            for &(own, other) in &boards {
                table.store(table.bucket(own, other), (own, other), &update(3, 6, 19));
            }
        }
        table.clear();
        for depth in [30, 24, 10, 1] {
            table.new_generation(depth);
            assert!(boards.iter().all(|&(own, other)| table.probe(table.bucket(own, other), own, other).is_none()));
        }
    }

    #[test]
    fn the_oldest_or_cheapest_entry_is_replaced() {
        let mut table = HashTable::new(0);
        let boards = [(1, 2), (4, 8), (16, 32)];
        let find = |table: &HashTable, (own, other): (u64, u64)| table.probe(table.bucket(own, other), own, other);
        let store = |table: &HashTable, (own, other): (u64, u64), nodes: u64| {
            table.store(table.bucket(own, other), (own, other), &HashUpdate { nodes, ..update(0, 2, 0) });
        };
        store(&table, boards[0], 1000);
        store(&table, boards[1], 10);
        store(&table, boards[2], 100);
        assert_eq!(boards.map(|board| find(&table, board).is_some()), [true, false, true]);
        table.new_generation(0);
        store(&table, boards[1], 1);
        store(&table, boards[2], 1);
        assert_eq!(boards.map(|board| find(&table, board).is_some()), [false, true, true]);
    }
}
