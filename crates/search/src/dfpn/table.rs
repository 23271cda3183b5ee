//! The hash table of df-pn: a fixed size, buckets of four, the entry with the least work is replaced.

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

/// A table of fixed size.
#[derive(Debug)]
pub(super) struct ProofTable {
    buckets: Vec<[ProofEntry; BUCKET]>,
    /// Entries replaced since the last ageing.
    replaced: usize,
}

impl ProofTable {
    /// Buckets of the smallest table.
    const MIN_BUCKETS: usize = 64;

    pub(super) fn new(mib: usize) -> ProofTable {
        let count = mib.saturating_mul(1 << 20) / size_of::<[ProofEntry; BUCKET]>();
        let count = count.max(ProofTable::MIN_BUCKETS);
        ProofTable { buckets: vec![[ProofEntry::EMPTY; BUCKET]; count], replaced: 0 }
    }

    pub(super) fn clear(&mut self) {
        self.buckets.fill([ProofEntry::EMPTY; BUCKET]);
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
        let bucket = &mut self.buckets[index];
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
        let mut table = ProofTable::new(1);
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
    fn old_entries_are_replaced_in_the_end() {
        let mut table = ProofTable::new(1);
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
        let table = ProofTable::new(3);
        assert!(table.buckets.len() * size_of::<[ProofEntry; BUCKET]>() <= 3 << 20);
        assert!(size_of::<ProofEntry>() <= 40);
    }
}
