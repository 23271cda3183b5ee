//! What is known of many positions, in a bounded space: of four neighbours the one with the least work behind
//! it makes room.

use super::mark::Mark;

const NEIGHBOURS: usize = 4;

/// What is kept of a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Entry {
    pub(super) key: u64,
    pub(super) mark: Mark,
    /// Positions visited to find this: what it would cost to find it again.
    pub(super) work: u32,
    /// The least distance from a root it was met at.
    pub(super) distance: u16,
    /// Whether more is known under certain paths.
    pub(super) by_path: bool,
}

impl Entry {
    const EMPTY: Entry = Entry { key: 0, mark: Mark::won(0), work: 0, distance: 0, by_path: false };

    fn is_empty(&self) -> bool {
        self.work == 0
    }
}

/// A table of fixed size.
#[derive(Debug)]
pub(super) struct Table {
    clusters: Vec<[Entry; NEIGHBOURS]>,
    /// Entries thrown out since the last time all grew old.
    lost: usize,
}

impl Table {
    /// Clusters of the smallest table.
    const LEAST: usize = 64;

    pub(super) fn new(mib: usize) -> Table {
        let count = mib.saturating_mul(1 << 20) / size_of::<[Entry; NEIGHBOURS]>();
        let count = count.max(Table::LEAST);
        Table { clusters: vec![[Entry::EMPTY; NEIGHBOURS]; count], lost: 0 }
    }

    pub(super) fn clear(&mut self) {
        self.clusters.fill([Entry::EMPTY; NEIGHBOURS]);
        self.lost = 0;
    }

    #[inline]
    fn place(&self, key: u64) -> usize {
        ((u128::from(key) * self.clusters.len() as u128) >> 64) as usize
    }

    /// What is known under this key.
    #[inline]
    pub(super) fn get(&self, key: u64) -> Option<&Entry> {
        self.clusters[self.place(key)].iter().find(|entry| entry.key == key && !entry.is_empty())
    }

    /// Keeps an entry, in the place of the older one of its key or of the least worth keeping.
    pub(super) fn put(&mut self, entry: Entry) {
        let place = self.place(entry.key);
        let cluster = &mut self.clusters[place];
        let known = cluster.iter().position(|old| old.key == entry.key && !old.is_empty());
        let index = known
            .unwrap_or_else(|| (0..NEIGHBOURS).min_by_key(|&index| cluster[index].work).unwrap_or_default());
        self.lost += usize::from(known.is_none() && !cluster[index].is_empty());
        cluster[index] = Entry { work: entry.work.max(1), ..entry };
        if self.lost > NEIGHBOURS * self.clusters.len() / 2 {
            self.grow_old();
        }
    }

    /// Halves the worth of all, so that great works of long ago do not crowd out the present for ever.
    fn grow_old(&mut self) {
        self.lost = 0;
        for entry in self.clusters.iter_mut().flatten().filter(|entry| !entry.is_empty()) {
            entry.work = (entry.work / 2).max(1);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(key: u64, work: u32) -> Entry {
        Entry { key, mark: Mark::open(1, 1), work, distance: 0, by_path: false }
    }

    #[test]
    fn the_least_work_makes_room() {
        let mut table = Table::new(1);
        for key in 1..=5u64 {
            table.put(entry(key, 10 * key as u32));
        }
        assert_eq!(table.get(1), None);
        assert_eq!(table.get(2).map(|entry| entry.work), Some(20));
        table.put(entry(6, 1));
        assert_eq!((table.get(2), table.get(6).map(|entry| entry.work)), (None, Some(1)));
        table.put(entry(6, 7));
        assert_eq!(table.get(6).map(|entry| entry.work), Some(7));
        table.clear();
        assert_eq!(table.get(6), None);
    }

    #[test]
    fn great_works_of_long_ago_give_way_in_the_end() {
        let mut table = Table::new(1);
        let great = 1 << 20;
        for key in 1..=NEIGHBOURS as u64 {
            table.put(entry(key, great));
        }
        let step = u64::MAX / table.clusters.len() as u64;
        for round in 0..200 {
            for place in 1..table.clusters.len() as u64 {
                for neighbour in 0..NEIGHBOURS as u64 {
                    table.put(entry(place * step + (step >> 1) + round * 16 + neighbour, 2));
                }
            }
        }
        assert!(table.get(1).is_some_and(|entry| entry.work < great / 4), "{:?}", table.get(1));
    }

    #[test]
    fn the_size_is_kept() {
        let table = Table::new(3);
        assert!(table.clusters.len() * size_of::<[Entry; NEIGHBOURS]>() <= 3 << 20);
        assert!(size_of::<Entry>() <= 40);
    }
}
