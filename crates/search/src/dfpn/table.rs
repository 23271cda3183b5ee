//! The hash tables of df-pn: a fixed size, buckets of four, the entry with the least work is replaced.

use super::dominance::DominanceTable;
use super::numbers::ProofNumbers;

const BUCKET: usize = 4;

/// An entry of the table.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct ProofEntry {
    pub(super) key: u64,
    pub(super) numbers: ProofNumbers,
    /// Nodes searched for this entry.
    pub(super) work: u32,
    /// The least distance from a root.
    pub(super) distance: u16,
    /// Whether path-dependent entries of the position exist.
    pub(super) path_dependent: bool,
}

impl ProofEntry {
    const EMPTY: ProofEntry =
        ProofEntry { key: 0, numbers: ProofNumbers::proven(0), work: 0, distance: 0, path_dependent: false };

    fn is_empty(&self) -> bool {
        self.work == 0
    }
}

/// The tables of a solver.
#[derive(Debug)]
pub(super) struct ProofTables {
    /// Proof and disproof numbers.
    pub(super) numbers: ProofTable,
    /// Solved positions.
    pub(super) solved: DominanceTable,
}

impl ProofTables {
    /// Tables of this size in all. Most of it is for numbers.
    pub(super) fn new(mib: usize) -> ProofTables {
        let bytes = mib.saturating_mul(1 << 20);
        ProofTables { numbers: ProofTable::new(bytes - bytes / 3), solved: DominanceTable::new(bytes / 3) }
    }

    pub(super) fn clear(&mut self) {
        self.numbers.clear();
        self.solved.clear();
    }
}

/// The buckets that hold something, as long as they are few: to clear these is cheaper than to clear a whole table.
#[derive(Debug, Default)]
pub(super) struct UsedBuckets {
    indices: Vec<u32>,
    many: bool,
}

impl UsedBuckets {
    /// A bucket of a table of `len` buckets is used for the first time.
    #[inline]
    pub(super) fn add(&mut self, index: usize, len: usize) {
        self.many |= self.indices.len() >= len / 16;
        if !self.many
            && let Ok(index) = u32::try_from(index)
        {
            self.indices.push(index);
        }
    }

    /// Clears the buckets.
    pub(super) fn clear<B: Copy>(&mut self, buckets: &mut [B], empty: B) {
        if std::mem::take(&mut self.many) {
            buckets.fill(empty);
        } else {
            self.indices.iter().for_each(|&index| buckets[index as usize] = empty);
        }
        self.indices.clear();
    }
}

/// A table of fixed size.
#[derive(Debug)]
pub(super) struct ProofTable {
    buckets: Vec<[ProofEntry; BUCKET]>,
    used: UsedBuckets,
    /// Entries replaced since the last ageing.
    replaced: usize,
}

impl ProofTable {
    /// Buckets of the smallest table.
    const MIN_BUCKETS: usize = 64;

    pub(super) fn new(bytes: usize) -> ProofTable {
        let count = (bytes / size_of::<[ProofEntry; BUCKET]>()).max(ProofTable::MIN_BUCKETS);
        ProofTable { buckets: vec![[ProofEntry::EMPTY; BUCKET]; count], used: UsedBuckets::default(), replaced: 0 }
    }

    pub(super) fn clear(&mut self) {
        self.used.clear(&mut self.buckets, [ProofEntry::EMPTY; BUCKET]);
        self.replaced = 0;
    }

    #[inline]
    fn index(&self, key: u64) -> usize {
        ((u128::from(key) * self.buckets.len() as u128) >> 64) as usize
    }

    /// The entry of this key.
    #[inline]
    pub(super) fn probe(&self, key: u64) -> Option<&ProofEntry> {
        self.buckets[self.index(key)].iter().find(|entry| entry.key == key && !entry.is_empty())
    }

    /// Stores an entry in place of the old one of the same key, or of the one with the least work in the bucket.
    pub(super) fn store(&mut self, entry: ProofEntry) {
        let index = self.index(entry.key);
        let len = self.buckets.len();
        let bucket = &mut self.buckets[index];
        if bucket[0].is_empty() {
            self.used.add(index, len);
        }
        let known = bucket.iter().position(|old| old.key == entry.key && !old.is_empty());
        let index = known.unwrap_or_else(|| (0..BUCKET).min_by_key(|&index| bucket[index].work).unwrap_or_default());
        self.replaced += usize::from(known.is_none() && !bucket[index].is_empty());
        bucket[index] = ProofEntry { work: entry.work.max(1), ..entry };
        if self.replaced > BUCKET * self.buckets.len() / 2 {
            self.age();
        }
    }

    /// Halves all work counts, so that old entries do not stay for ever.
    fn age(&mut self) {
        self.replaced = 0;
        for entry in self.buckets.iter_mut().flatten().filter(|entry| !entry.is_empty()) {
            entry.work = (entry.work / 2).max(1);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(key: u64, work: u32) -> ProofEntry {
        ProofEntry { key, numbers: ProofNumbers::unsolved(1, 1), work, distance: 0, path_dependent: false }
    }

    #[test]
    fn the_least_work_is_replaced() {
        let mut table = ProofTable::new(1 << 20);
        for key in 1..=5u64 {
            table.store(entry(key, 10 * key as u32));
        }
        assert_eq!(table.probe(1), None);
        assert_eq!(table.probe(2).map(|entry| entry.work), Some(20));
        table.store(entry(6, 1));
        assert_eq!((table.probe(2), table.probe(6).map(|entry| entry.work)), (None, Some(1)));
        table.store(entry(6, 7));
        assert_eq!(table.probe(6).map(|entry| entry.work), Some(7));
        table.clear();
        assert_eq!(table.probe(6), None);
    }

    #[test]
    fn a_cleared_table_is_empty() {
        let mut table = ProofTable::new(1 << 20);
        for (round, count) in [(1, 10), (2, 1 << 16), (3, 10)] {
            let keys = (0..count).map(|number: u64| (number + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ round);
            keys.clone().for_each(|key| table.store(entry(key, 1)));
            assert!(keys.clone().any(|key| table.probe(key).is_some()));
            table.clear();
            assert!(table.buckets.iter().flatten().all(ProofEntry::is_empty), "after round {round}");
        }
    }

    #[test]
    fn old_entries_are_replaced_in_the_end() {
        let mut table = ProofTable::new(1 << 20);
        let work = 1 << 20;
        for key in 1..=BUCKET as u64 {
            table.store(entry(key, work));
        }
        let step = u64::MAX / table.buckets.len() as u64;
        for round in 0..200 {
            for bucket in 1..table.buckets.len() as u64 {
                for entry_index in 0..BUCKET as u64 {
                    table.store(entry(bucket * step + (step >> 1) + round * 16 + entry_index, 2));
                }
            }
        }
        assert!(table.probe(1).is_some_and(|entry| entry.work < work / 4), "{:?}", table.probe(1));
    }

    #[test]
    fn the_size_limit_is_kept() {
        let table = ProofTable::new(3 << 20);
        assert!(table.buckets.len() * size_of::<[ProofEntry; BUCKET]>() <= 3 << 20);
        assert!(size_of::<ProofEntry>() <= 40);
    }
}
