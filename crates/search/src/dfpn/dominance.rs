//! Solved positions by what the attacker holds: a win with less in hand is a win with more, and where there is no win
//! with more, there is none with less.
//!
//! An entry bounds the length of the shortest win from both sides: a win of so many plies exists, and none of so few.

use super::numbers::{NO_PATH, ProofNumbers};
use super::path::mix;
use super::table::UsedBuckets;

const BUCKET: usize = 8;
/// No win of any length exists.
const NEVER: u16 = u16::MAX;
/// No win is known.
const UNKNOWN: u16 = u16::MAX;

/// How many pieces of each kind are held: up to eight kinds, at most 127 of each.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Counts(u64);

impl Counts {
    /// Nothing.
    pub const NONE: Counts = Counts(0);
    /// More than anybody can hold.
    pub const ALL: Counts = Counts(0x7f7f_7f7f_7f7f_7f7f);

    /// These counts, by kind.
    #[inline]
    pub const fn new(counts: [u8; 8]) -> Counts {
        Counts(u64::from_le_bytes(counts) & Counts::ALL.0)
    }

    /// The counts by kind.
    #[inline]
    pub const fn get(self) -> [u8; 8] {
        self.0.to_le_bytes()
    }

    /// The same with `count` of a kind.
    #[inline]
    #[must_use]
    pub const fn with(self, kind: usize, count: u8) -> Counts {
        let mut counts = self.get();
        counts[kind] = count;
        Counts::new(counts)
    }

    /// The lesser count of each kind.
    #[inline]
    #[must_use]
    pub fn min(self, other: Counts) -> Counts {
        let (own, other) = (self.get(), other.get());
        Counts::new(std::array::from_fn(|kind| own[kind].min(other[kind])))
    }

    /// The greater count of each kind.
    #[inline]
    #[must_use]
    pub fn max(self, other: Counts) -> Counts {
        let (own, other) = (self.get(), other.get());
        Counts::new(std::array::from_fn(|kind| own[kind].max(other[kind])))
    }

    /// Whether there are at least as many of every kind.
    ///
    /// The high bit of each byte lends to the subtraction; where it is used up, the byte was too small.
    #[inline]
    pub const fn covers(self, less: Counts) -> bool {
        const HIGH: u64 = !Counts::ALL.0;
        ((self.0 | HIGH) - less.0) & HIGH == HIGH
    }

    /// The number of all pieces.
    fn total(self) -> u32 {
        self.get().into_iter().map(u32::from).sum()
    }
}

/// A position in two parts: what the attacker holds, and the rest.
///
/// Of two positions with an equal rest, the attacker must not be worse off in the one where he holds at least as many
/// pieces of every kind. In shogi the pieces that one side lacks are with the other, which makes it true there.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Holdings {
    /// A key of the rest, with the side to move.
    pub rest: u64,
    /// What the attacker holds.
    pub counts: Counts,
}

impl Holdings {
    /// A position in which nothing is held: it dominates only itself.
    pub const fn none(key: u64) -> Holdings {
        Holdings { rest: key, counts: Counts::NONE }
    }
}

#[derive(Clone, Copy, Debug)]
struct DominanceEntry {
    rest: u64,
    counts: Counts,
    /// The length of a win in plies, or [`UNKNOWN`].
    win: u16,
    /// No win of fewer plies exists: 0 if nothing is known, [`NEVER`] if there is none at all.
    none_below: u16,
    /// Nodes searched for it; 0 for an empty entry.
    work: u32,
}

impl DominanceEntry {
    /// Whether it proves a win within `left` plies, or of any length, for an attacker who holds `counts`.
    #[inline]
    fn wins(&self, counts: Counts, left: Option<u32>) -> bool {
        let wins = self.win != UNKNOWN && left.is_none_or(|left| u32::from(self.win) <= left);
        wins && counts.covers(self.counts)
    }

    /// Whether it excludes a win within `left` plies, or of any length, for an attacker who holds `counts`.
    #[inline]
    fn excludes(&self, counts: Counts, left: Option<u32>) -> bool {
        let none = self.none_below == NEVER || left.is_some_and(|left| left < u32::from(self.none_below));
        none && self.counts.covers(counts)
    }

    const EMPTY: DominanceEntry =
        DominanceEntry { rest: 0, counts: Counts::NONE, win: UNKNOWN, none_below: 0, work: 0 };
}

/// A table of fixed size.
#[derive(Debug)]
pub(super) struct DominanceTable {
    buckets: Vec<[DominanceEntry; BUCKET]>,
    used: UsedBuckets,
}

impl DominanceTable {
    const MIN_BUCKETS: usize = 32;

    pub(super) fn new(bytes: usize) -> DominanceTable {
        let count = (bytes / size_of::<[DominanceEntry; BUCKET]>()).max(DominanceTable::MIN_BUCKETS);
        DominanceTable { buckets: vec![[DominanceEntry::EMPTY; BUCKET]; count], used: UsedBuckets::default() }
    }

    pub(super) fn clear(&mut self) {
        self.used.clear(&mut self.buckets, [DominanceEntry::EMPTY; BUCKET]);
    }

    #[inline]
    fn index(&self, rest: u64) -> usize {
        ((u128::from(mix(rest)) * self.buckets.len() as u128) >> 64) as usize
    }

    /// The entries with the rest of a position.
    #[inline]
    fn entries(&self, rest: u64) -> impl Iterator<Item = &DominanceEntry> {
        self.buckets[self.index(rest)].iter().filter(move |entry| entry.rest == rest && entry.work != 0)
    }

    /// What is known about wins within `left` plies, or of any length.
    #[inline]
    pub(super) fn probe(&self, position: Holdings, left: Option<u32>) -> Option<ProofNumbers> {
        self.entries(position.rest).find_map(|entry| {
            if entry.wins(position.counts, left) {
                return Some(ProofNumbers::proven(u32::from(entry.win)));
            }
            entry.excludes(position.counts, left).then_some(ProofNumbers::disproven(NO_PATH))
        })
    }

    /// The length of the shortest win known, if it is at most `left`.
    pub(super) fn win(&self, position: Holdings, left: u32) -> Option<u32> {
        let wins = self.entries(position.rest).filter(|entry| entry.wins(position.counts, Some(left)));
        wins.map(|entry| u32::from(entry.win)).min()
    }

    /// The least that wins within `left` plies, as far as it is known.
    pub(super) fn least(&self, position: Holdings, left: u32) -> Option<Counts> {
        let wins = self.entries(position.rest).filter(|entry| entry.wins(position.counts, Some(left)));
        wins.map(|entry| entry.counts).min_by_key(|counts| counts.total())
    }

    /// The most that does not win within `left` plies, as far as it is known.
    pub(super) fn most(&self, position: Holdings, left: Option<u32>) -> Option<Counts> {
        let none = self.entries(position.rest).filter(|entry| entry.excludes(position.counts, left));
        none.map(|entry| entry.counts).max_by_key(|counts| counts.total())
    }

    /// Stores a win of `plies`.
    pub(super) fn store_win(&mut self, position: Holdings, plies: u32, work: u32) {
        let Ok(win) = u16::try_from(plies) else { return };
        if self.win(position, plies).is_none() {
            let entry = self.entry(position, work);
            entry.win = entry.win.min(win);
        }
    }

    /// Stores that there is no win within `left` plies, or of any length.
    pub(super) fn store_none(&mut self, position: Holdings, left: Option<u32>, work: u32) {
        let none_below = left.map_or(NEVER, |left| u16::try_from(left + 1).unwrap_or(NEVER - 1));
        if self.most(position, left).is_none() {
            let entry = self.entry(position, work);
            entry.none_below = entry.none_below.max(none_below);
        }
    }

    /// The entry of a position; a new one replaces that with the least work in its bucket.
    fn entry(&mut self, position: Holdings, work: u32) -> &mut DominanceEntry {
        let index = self.index(position.rest);
        let len = self.buckets.len();
        let bucket = &mut self.buckets[index];
        if bucket[0].work == 0 {
            self.used.add(index, len);
        }
        let is_known =
            |entry: &DominanceEntry| entry.work != 0 && (entry.rest, entry.counts) == (position.rest, position.counts);
        let known = bucket.iter().position(is_known);
        let slot = known.unwrap_or_else(|| {
            let least = (0..BUCKET).min_by_key(|&slot| bucket[slot].work).unwrap_or_default();
            if bucket[least].work != 0 {
                // Old entries do not stay for ever.
                bucket.iter_mut().for_each(|entry| entry.work -= entry.work / 4);
            }
            let Holdings { rest, counts } = position;
            bucket[least] = DominanceEntry { rest, counts, ..DominanceEntry::EMPTY };
            least
        });
        let entry = &mut bucket[slot];
        entry.work = entry.work.max(work.max(1));
        entry
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A position with these counts of the first two kinds.
    fn held(first: u8, second: u8) -> Holdings {
        Holdings { rest: 7, counts: Counts::NONE.with(0, first).with(1, second) }
    }

    #[test]
    fn counts_are_compared_kind_by_kind() {
        let counts = |first: u8, last: u8| Counts::NONE.with(0, first).with(7, last);
        for (more, less, expected) in [
            ((0, 0), (0, 0), true),
            ((1, 0), (0, 0), true),
            ((0, 0), (1, 0), false),
            ((2, 1), (1, 2), false),
            ((4, 18), (3, 18), true),
            ((4, 17), (3, 18), false),
            ((127, 127), (127, 127), true),
        ] {
            let (more, less) = (counts(more.0, more.1), counts(less.0, less.1));
            assert_eq!(more.covers(less), expected, "{more:?} {less:?}");
        }
        assert_eq!(counts(1, 5).max(counts(3, 2)), counts(3, 5));
        assert_eq!(counts(1, 5).min(counts(3, 2)), counts(1, 2));
        assert!(Counts::ALL.covers(counts(127, 18)) && counts(0, 0) == Counts::NONE);
    }

    #[test]
    fn a_win_with_less_is_a_win_with_more() {
        let mut table = DominanceTable::new(0);
        table.store_win(held(1, 1), 5, 1);
        let win = Some(ProofNumbers::proven(5));
        assert_eq!(table.probe(held(1, 1), None), win);
        assert_eq!(table.probe(held(1, 2), Some(5)), win);
        assert_eq!(table.probe(held(1, 2), Some(4)), None);
        assert_eq!(table.probe(held(0, 2), None), None);
        assert_eq!(table.probe(Holdings { rest: 8, ..held(1, 1) }, None), None);
        assert_eq!((table.win(held(1, 3), 5), table.win(held(1, 3), 4)), (Some(5), None));
        table.store_win(held(1, 1), 3, 1);
        table.store_win(held(1, 1), 9, 1);
        assert_eq!(table.win(held(1, 1), 9), Some(3));
    }

    #[test]
    fn no_win_with_more_is_no_win_with_less() {
        let mut table = DominanceTable::new(0);
        table.store_none(held(2, 2), Some(6), 1);
        let none = Some(ProofNumbers::disproven(NO_PATH));
        assert_eq!(table.probe(held(2, 2), Some(6)), none);
        assert_eq!(table.probe(held(2, 1), Some(4)), none);
        assert_eq!(table.probe(held(2, 1), Some(7)), None);
        assert_eq!(table.probe(held(2, 1), None), None);
        assert_eq!(table.probe(held(1, 3), Some(4)), None);
        table.store_none(held(2, 2), None, 1);
        assert_eq!(table.probe(held(2, 1), None), none);
        assert_eq!(table.probe(held(2, 1), Some(99)), none);
    }

    /// Both bounds of one position: a win in 9, none within 6.
    #[test]
    fn an_entry_bounds_the_length_from_both_sides() {
        let mut table = DominanceTable::new(0);
        table.store_win(held(1, 0), 9, 1);
        table.store_none(held(1, 0), Some(6), 1);
        let found: Vec<Option<bool>> =
            (5..11).map(|left| table.probe(held(1, 0), Some(left)).map(ProofNumbers::is_proven)).collect();
        assert_eq!(found, [Some(false), Some(false), None, None, Some(true), Some(true)]);
        table.clear();
        assert_eq!(table.probe(held(1, 0), Some(5)), None);
    }

    #[test]
    fn the_strongest_bounds_are_returned() {
        let mut table = DominanceTable::new(0);
        table.store_win(held(2, 2), 3, 1);
        table.store_win(held(1, 1), 5, 1);
        table.store_none(held(0, 3), Some(2), 1);
        table.store_none(held(0, 4), Some(2), 1);
        assert_eq!(table.least(held(3, 3), 4), Some(held(2, 2).counts));
        assert_eq!(table.least(held(3, 3), 5), Some(held(1, 1).counts));
        assert_eq!(table.most(held(0, 1), Some(2)), Some(held(0, 4).counts));
        assert_eq!((table.least(held(0, 3), 9), table.most(held(1, 0), Some(1))), (None, None));
    }

    #[test]
    fn the_least_work_is_replaced() {
        let mut table = DominanceTable::new(0);
        for count in 0..=BUCKET as u8 {
            table.store_win(held(count, BUCKET as u8 - count), 1, 10 + u32::from(count));
        }
        assert_eq!(table.win(held(0, 8), 1), None, "the entry with the least work is gone");
        assert_eq!(table.win(held(1, 7), 1), Some(1));
    }
}
