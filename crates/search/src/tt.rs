//! The transposition table (TT), shared by all threads without locks.
//!
//! An entry is two words: the position key (a Zobrist key in most games) XOR the data, and the data. When two threads
//! write one entry at the same time the words do not match, and the entry is ignored (lockless hashing, Hyatt and Mann).

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use crate::pages::{CacheLine, Pages};
use crate::{Bound, Value};

/// Entries in a bucket, which is one cache line.
const BUCKET: usize = 4;
/// Number of generations before the counter wraps.
const GENERATIONS: u8 = 16;
/// Depth that an entry loses in the replacement order for each generation it is behind.
const AGE_PENALTY: i32 = 8;

/// An entry of the transposition table.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TtEntry {
    /// The best move, as its bits; none after a fail low.
    pub mv: Option<u32>,
    /// The value. Distances of proven results count from this position.
    pub value: Value,
    /// The depth of the search.
    pub depth: u8,
    /// Whether the value is exact, a lower or an upper bound.
    pub bound: Bound,
    /// Whether the value depends on no evaluation, so that a deeper search cannot change it.
    pub solved: bool,
}

impl TtEntry {
    /// A better estimate than the static evaluation: the stored value, where its bound says so.
    #[inline]
    pub(crate) fn refine(&self, static_eval: Value) -> Value {
        let says_more = match self.bound {
            Bound::Exact => true,
            Bound::Lower => self.value > static_eval,
            Bound::Upper => self.value < static_eval,
        };
        if says_more && !self.value.is_proven() { self.value } else { static_eval }
    }
}

/// The two words of an entry.
#[derive(Clone, Copy)]
struct TtSlot<'a> {
    check: &'a AtomicU64,
    data: &'a AtomicU64,
}

#[inline]
fn slots(bucket: &CacheLine) -> impl Iterator<Item = TtSlot<'_>> {
    bucket.0.as_chunks().0.iter().map(|[check, data]| TtSlot { check, data })
}

/// A transposition table of fixed size, in buckets of four entries.
#[derive(Debug)]
pub struct TranspositionTable {
    buckets: Pages,
    generation: u8,
}

// Bits: move 0–31, value 32–47, depth 48–55, bound 56–57 (0: empty), has a move 58, solved 59, generation 60–63.
fn pack(entry: TtEntry, generation: u8) -> u64 {
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
        | u64::from(entry.solved) << 59
        | u64::from(generation) << 60
}

fn unpack(data: u64) -> Option<TtEntry> {
    let bound = match data >> 56 & 3 {
        1 => Bound::Lower,
        2 => Bound::Upper,
        3 => Bound::Exact,
        _ => return None,
    };
    Some(TtEntry {
        mv: (data >> 58 & 1 == 1).then_some(data as u32),
        value: Value::of((data >> 32) as i16),
        depth: (data >> 48) as u8,
        bound,
        solved: data >> 59 & 1 == 1,
    })
}

impl TranspositionTable {
    /// A table of about `mib` MiB, or as much of that as the system can allocate.
    pub fn new(mib: usize) -> TranspositionTable {
        let most = mib.clamp(1, usize::MAX >> 20) << 20;
        TranspositionTable { buckets: Pages::at_most(most / size_of::<CacheLine>()), generation: 0 }
    }

    /// Removes all entries.
    pub fn clear(&mut self) {
        self.buckets.iter_mut().for_each(|bucket| *bucket = CacheLine::default());
        self.generation = 0;
    }

    /// Starts a new generation. Entries of earlier ones stay valid and are replaced first.
    pub fn new_search(&mut self) {
        self.generation = (self.generation + 1) % GENERATIONS;
    }

    /// The index of the bucket of a key.
    #[inline]
    fn index(&self, key: u64) -> usize {
        // A multiplication by the high bits works for any number of buckets.
        ((u128::from(key) * self.buckets.len() as u128) >> 64) as usize
    }

    #[inline]
    fn bucket(&self, key: u64) -> &CacheLine {
        &self.buckets[self.index(key)]
    }

    /// Prefetches the bucket of a key into the cache.
    #[inline]
    pub(crate) fn prefetch(&self, key: u64) {
        self.buckets.prefetch(self.index(key));
    }

    /// The entry of this key. Probing moves it to the current generation.
    #[inline]
    pub fn probe(&self, key: u64) -> Option<TtEntry> {
        for slot in slots(self.bucket(key)) {
            let data = slot.data.load(Relaxed);
            if slot.check.load(Relaxed) ^ data == key {
                if (data >> 60) as u8 != self.generation && data != 0 {
                    let fresh = data & (u64::MAX >> 4) | u64::from(self.generation) << 60;
                    slot.data.store(fresh, Relaxed);
                    slot.check.store(key ^ fresh, Relaxed);
                }
                return unpack(data);
            }
        }
        None
    }

    /// Stores an entry in place of the old one of the same key, or of the shallowest and oldest in the bucket. An
    /// old entry of the same key and generation is kept if it is clearly deeper and the new one is not exact.
    pub fn store(&self, key: u64, mut entry: TtEntry) {
        let mut place = None;
        let mut least = i32::MAX;
        for slot in slots(self.bucket(key)) {
            let data = slot.data.load(Relaxed);
            let old = unpack(data);
            if slot.check.load(Relaxed) ^ data == key {
                if let Some(old) = old {
                    let fresh = (data >> 60) as u8 == self.generation;
                    let keeps = old.solved && !entry.solved || old.depth > entry.depth.saturating_add(3);
                    if fresh && keeps && entry.bound != Bound::Exact {
                        return;
                    }
                    entry.mv = entry.mv.or(old.mv);
                }
                place = Some(slot);
                break;
            }
            let priority = old.map_or(i32::MIN, |old| {
                let age = (GENERATIONS + self.generation - (data >> 60) as u8) % GENERATIONS;
                i32::from(old.depth) - AGE_PENALTY * i32::from(age)
            });
            if priority < least || place.is_none() {
                least = priority;
                place = Some(slot);
            }
        }
        if let Some(slot) = place {
            let data = pack(entry, self.generation);
            slot.data.store(data, Relaxed);
            slot.check.store(key ^ data, Relaxed);
        }
    }

    /// The share of entries of this generation in thousandths, from a sample.
    pub fn hashfull(&self) -> u32 {
        let sample = &self.buckets[..self.buckets.len().min(250)];
        let slots = sample.iter().flat_map(slots).map(|slot| slot.data.load(Relaxed));
        let used = slots.filter(|&data| data != 0 && (data >> 60) as u8 == self.generation).count();
        (used * 1000 / (sample.len() * BUCKET).max(1)) as u32
    }

    /// The number of entries that fit.
    pub fn capacity(&self) -> usize {
        self.buckets.len() * BUCKET
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Rng;

    fn entry(depth: u8) -> TtEntry {
        TtEntry { mv: Some(u32::MAX), value: Value::estimate(-7), depth, bound: Bound::Upper, solved: false }
    }

    #[test]
    fn a_bucket_is_a_cache_line() {
        assert_eq!(size_of::<CacheLine>(), 64);
        assert_eq!(slots(&CacheLine::default()).count(), BUCKET);
        assert_eq!(TranspositionTable::new(1).capacity(), (1 << 20) / 16);
    }

    #[test]
    fn entries_round_trip() {
        let table = TranspositionTable::new(1);
        for (key, mv) in [(0, None), (1, Some(0)), (u64::MAX, Some(77))] {
            for bound in [Bound::Lower, Bound::Upper, Bound::Exact] {
                for value in [Value::LEAST, Value::loss(3), Value::DRAW, Value::win(0), Value::MOST] {
                    for solved in [false, true] {
                        let table = TranspositionTable::new(1);
                        let entry = TtEntry { mv, value, depth: 200, bound, solved };
                        assert_eq!(table.probe(key), None);
                        table.store(key, entry);
                        assert_eq!(table.probe(key), Some(entry));
                        assert_eq!(table.probe(key ^ 1 << 40), None);
                    }
                }
            }
        }
        assert_eq!(table.hashfull(), 0);
    }

    #[test]
    fn replacement_prefers_shallow_and_old_entries() {
        let mut table = TranspositionTable::new(1);
        let keys: Vec<u64> = (0..5).collect();
        for (key, depth) in keys.iter().zip([9, 3, 8, 7]) {
            table.store(*key, entry(depth));
        }
        table.store(4, entry(1));
        assert_eq!(table.probe(1), None, "the shallowest is replaced");
        assert!([0, 2, 3, 4].iter().all(|&key| table.probe(key).is_some()));
        table.new_search();
        assert!(table.probe(2).is_some(), "probing moves it to this generation");
        table.store(5, entry(1));
        table.store(6, entry(1));
        table.store(7, entry(1));
        assert!(table.probe(2).is_some() && table.probe(0).is_none() && table.probe(3).is_none());
    }

    #[test]
    fn a_store_without_a_move_keeps_the_old_move() {
        let table = TranspositionTable::new(1);
        table.store(9, entry(4));
        table.store(9, TtEntry { mv: None, ..entry(5) });
        assert_eq!(table.probe(9), Some(entry(5)));
    }

    #[test]
    fn torn_entries_are_ignored() {
        let table = TranspositionTable::new(1);
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
                        // Every entry holds its own key as its move.
                        table.store(key, TtEntry { mv: Some(key as u32), ..entry(rng.below(99) as u8) });
                        let probed = keys[rng.below(keys.len())];
                        if let Some(found) = table.probe(probed) {
                            assert_eq!(found.mv, Some(probed as u32));
                        }
                    }
                });
            }
        });
        assert!(table.hashfull() > 0);
    }

    #[test]
    fn clear_removes_every_entry() {
        let mut table = TranspositionTable::new(1);
        table.store(3, entry(1));
        table.clear();
        assert_eq!(table.probe(3), None);
    }
}
