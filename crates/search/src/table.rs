//! The table of positions already searched, shared by all threads without a lock.
//!
//! An entry is two words, the key mixed with the data and the data: when two threads write one entry at the
//! same time the words do not fit together and nobody believes them. What the values mean is not known here.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use crate::pages::{Line, Pages};
use crate::{Bound, Value};

/// Entries side by side in one cache line.
const WAYS: usize = 4;
/// Searches after which an age comes round again.
const AGES: u8 = 16;
/// Plies of depth that an entry of the search before is worth less.
const STALE: i32 = 8;

/// What is known of a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Entry {
    /// The best move, as its bits; none when no move stood out.
    pub mv: Option<u32>,
    /// The value, counted from the position itself.
    pub value: Value,
    /// Plies looked ahead.
    pub depth: u8,
    /// What the value says of the truth.
    pub bound: Bound,
    /// Whether the value rests on no estimate at all, so that no depth could improve it.
    pub whole: bool,
}

/// Where an entry is kept.
#[derive(Clone, Copy)]
struct Slot<'a> {
    check: &'a AtomicU64,
    data: &'a AtomicU64,
}

/// The entries of a cluster: pairs of words.
#[inline]
fn slots(cluster: &Line) -> impl Iterator<Item = Slot<'_>> {
    cluster.0.as_chunks().0.iter().map(|[check, data]| Slot { check, data })
}

/// A table of fixed size: clusters of four entries that fill a cache line.
#[derive(Debug)]
pub struct Table {
    clusters: Pages,
    age: u8,
}

// One word: move 0–31, value 32–47, depth 48–55, bound 56–57 (0: nothing), has a move 58, whole 59, age 60–63.
fn pack(entry: Entry, age: u8) -> u64 {
    let bound = match entry.bound {
        Bound::Lower => 1,
        Bound::Upper => 2,
        Bound::Exact => 3,
    };
    u64::from(entry.mv.unwrap_or(0))
        | u64::from(entry.value.get() as u16) << 32
        | u64::from(entry.depth) << 48
        | bound << 56
        | u64::from(entry.mv.is_some()) << 58
        | u64::from(entry.whole) << 59
        | u64::from(age) << 60
}

fn unpack(data: u64) -> Option<Entry> {
    let bound = match data >> 56 & 3 {
        1 => Bound::Lower,
        2 => Bound::Upper,
        3 => Bound::Exact,
        _ => return None,
    };
    Some(Entry {
        mv: (data >> 58 & 1 == 1).then_some(data as u32),
        value: Value::of((data >> 32) as i16),
        depth: (data >> 48) as u8,
        bound,
        whole: data >> 59 & 1 == 1,
    })
}

impl Table {
    /// A table of about `mib` mebibytes, or the largest part of that the system has to give.
    pub fn new(mib: usize) -> Table {
        let most = mib.clamp(1, usize::MAX >> 20) << 20;
        Table { clusters: Pages::at_most(most / size_of::<Line>()), age: 0 }
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        self.clusters.iter_mut().for_each(|cluster| *cluster = Line::default());
        self.age = 0;
    }

    /// A new search begins: what earlier ones found is still believed, and gives way first.
    pub fn grow_older(&mut self) {
        self.age = (self.age + 1) % AGES;
    }

    #[inline]
    fn cluster(&self, key: u64) -> &Line {
        // The high bits choose, so that any number of clusters will do.
        &self.clusters[((u128::from(key) * self.clusters.len() as u128) >> 64) as usize]
    }

    /// What is known of the position with this key.
    #[inline]
    pub fn probe(&self, key: u64) -> Option<Entry> {
        for slot in slots(self.cluster(key)) {
            let data = slot.data.load(Relaxed);
            if slot.check.load(Relaxed) ^ data == key {
                if (data >> 60) as u8 != self.age && data != 0 {
                    let fresh = data & (u64::MAX >> 4) | u64::from(self.age) << 60;
                    slot.data.store(fresh, Relaxed);
                    slot.check.store(key ^ fresh, Relaxed);
                }
                return unpack(data);
            }
        }
        None
    }

    /// Notes what was found. The least useful of four entries gives way; of the same position only a clearly
    /// shallower find of the same search does not replace what is there.
    pub fn store(&self, key: u64, mut entry: Entry) {
        let mut place = None;
        let mut least = i32::MAX;
        for slot in slots(self.cluster(key)) {
            let data = slot.data.load(Relaxed);
            let old = unpack(data);
            if slot.check.load(Relaxed) ^ data == key {
                if let Some(old) = old {
                    let fresh = (data >> 60) as u8 == self.age;
                    let keeps = old.whole && !entry.whole || old.depth > entry.depth.saturating_add(3);
                    if fresh && keeps && entry.bound != Bound::Exact {
                        return;
                    }
                    entry.mv = entry.mv.or(old.mv);
                }
                place = Some(slot);
                break;
            }
            let worth = old.map_or(i32::MIN, |old| {
                let behind = (AGES + self.age - (data >> 60) as u8) % AGES;
                i32::from(old.depth) - STALE * i32::from(behind)
            });
            if worth < least || place.is_none() {
                least = worth;
                place = Some(slot);
            }
        }
        if let Some(slot) = place {
            let data = pack(entry, self.age);
            slot.data.store(data, Relaxed);
            slot.check.store(key ^ data, Relaxed);
        }
    }

    /// How full it is of what this search found, in thousandths, by a sample.
    pub fn full(&self) -> u32 {
        let sample = &self.clusters[..self.clusters.len().min(250)];
        let slots = sample.iter().flat_map(slots).map(|slot| slot.data.load(Relaxed));
        let used = slots.filter(|&data| data != 0 && (data >> 60) as u8 == self.age).count();
        (used * 1000 / (sample.len() * WAYS).max(1)) as u32
    }

    /// How many entries there is room for.
    pub fn room(&self) -> usize {
        self.clusters.len() * WAYS
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Rng;

    fn entry(depth: u8) -> Entry {
        Entry { mv: Some(u32::MAX), value: Value::estimate(-7), depth, bound: Bound::Upper, whole: false }
    }

    #[test]
    fn a_cluster_is_a_cache_line() {
        assert_eq!(size_of::<Line>(), 64);
        assert_eq!(slots(&Line::default()).count(), WAYS);
        assert_eq!(Table::new(1).room(), (1 << 20) / 16);
    }

    #[test]
    fn entries_come_back_as_they_went_in() {
        let table = Table::new(1);
        for (key, mv) in [(0, None), (1, Some(0)), (u64::MAX, Some(77))] {
            for bound in [Bound::Lower, Bound::Upper, Bound::Exact] {
                for value in [Value::LEAST, Value::loss(3), Value::DRAW, Value::win(0), Value::MOST] {
                    for whole in [false, true] {
                        let table = Table::new(1);
                        let entry = Entry { mv, value, depth: 200, bound, whole };
                        assert_eq!(table.probe(key), None);
                        table.store(key, entry);
                        assert_eq!(table.probe(key), Some(entry));
                        assert_eq!(table.probe(key ^ 1 << 40), None);
                    }
                }
            }
        }
        assert_eq!(table.full(), 0);
    }

    #[test]
    fn deep_entries_stay_and_old_ones_go() {
        let mut table = Table::new(1);
        let keys: Vec<u64> = (0..5).collect();
        for (key, depth) in keys.iter().zip([9, 3, 8, 7]) {
            table.store(*key, entry(depth));
        }
        table.store(4, entry(1));
        assert_eq!(table.probe(1), None, "the shallowest gives way");
        assert!([0, 2, 3, 4].iter().all(|&key| table.probe(key).is_some()));
        table.grow_older();
        assert!(table.probe(2).is_some(), "asked for, it is of this search again");
        table.store(5, entry(1));
        table.store(6, entry(1));
        table.store(7, entry(1));
        assert!(table.probe(2).is_some() && table.probe(0).is_none() && table.probe(3).is_none());
    }

    #[test]
    fn a_find_without_a_move_keeps_the_move_that_was_known() {
        let table = Table::new(1);
        table.store(9, entry(4));
        table.store(9, Entry { mv: None, ..entry(5) });
        assert_eq!(table.probe(9), Some(entry(5)));
    }

    #[test]
    fn words_that_do_not_fit_together_are_not_believed() {
        let table = Table::new(1);
        let keys: Vec<u64> = {
            let mut rng = Rng::new(1);
            (0..64).map(|_| rng.draw() >> 58).collect()
        };
        std::thread::scope(|scope| {
            for seed in 0..2 {
                let (table, keys) = (&table, &keys);
                scope.spawn(move || {
                    let mut rng = Rng::new(seed);
                    for _ in 0..20_000 {
                        let key = keys[rng.below(keys.len())];
                        // Every entry tells its own key.
                        table.store(key, Entry { mv: Some(key as u32), ..entry(rng.below(99) as u8) });
                        let asked = keys[rng.below(keys.len())];
                        if let Some(found) = table.probe(asked) {
                            assert_eq!(found.mv, Some(asked as u32));
                        }
                    }
                });
            }
        });
        assert!(table.full() > 0);
    }

    #[test]
    fn clearing_leaves_nothing() {
        let mut table = Table::new(1);
        table.store(3, entry(1));
        table.clear();
        assert_eq!(table.probe(3), None);
    }
}
