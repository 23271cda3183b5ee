//! Perft: counting the leaves of the game tree, the standard test of a move generator.
//!
//! Everything here runs on one thread. A caller distributes [`prefixes`] over several.

use std::collections::HashSet;
use std::collections::hash_map::DefaultHasher;
use std::hash::{BuildHasherDefault, Hasher};
use std::sync::atomic::{AtomicU64, Ordering};

use crate::{Game, MoveList};

/// The number of leaves at `depth`. The last ply is counted, not played.
pub fn walk<G: Game>(game: &mut G, depth: u32) -> u64 {
    let mut lists = lists::<G>(depth);
    descend(game, &mut lists)
}

/// The number of leaves at `depth`, with a hash table of counted positions.
pub fn walk_hashed<G: Game>(game: &mut G, depth: u32, table: &PerftTable) -> u64 {
    let mut lists = lists::<G>(depth);
    descend_hashed(game, &mut lists, table)
}

/// Below this depth the table costs more than it saves.
const LEAST_HASHED: usize = 2;

fn lists<G: Game>(depth: u32) -> Vec<G::Moves> {
    (0..depth).map(|_| G::Moves::default()).collect()
}

fn bulk<G: Game>(game: &mut G) -> u64 {
    let count = game.count();
    if count == 0 { u64::from(G::FINISHED_IS_LEAF) } else { count }
}

fn descend<G: Game>(game: &mut G, lists: &mut [G::Moves]) -> u64 {
    match lists {
        [] => 1,
        [_] => bulk(game),
        [here, below @ ..] => children(game, here, |game| descend(game, below)),
    }
}

fn descend_hashed<G: Game>(game: &mut G, lists: &mut [G::Moves], table: &PerftTable) -> u64 {
    let depth = lists.len();
    match lists {
        [] => 1,
        [_] => bulk(game),
        [here, below @ ..] => {
            let key = if depth >= LEAST_HASHED { Some(PerftTable::mix(game.key(), depth)) } else { None };
            if let Some(count) = key.and_then(|key| table.get(key)) {
                return count;
            }
            let count = children(game, here, |game| descend_hashed(game, below, table));
            if let Some(key) = key {
                table.put(key, count);
            }
            count
        }
    }
}

#[inline]
fn children<G: Game>(game: &mut G, list: &mut G::Moves, mut below: impl FnMut(&mut G) -> u64) -> u64 {
    game.moves(list);
    if list.is_empty() {
        return u64::from(G::FINISHED_IS_LEAF);
    }
    let mut leaves = 0;
    for mv in list.each() {
        let undo = game.play(mv);
        leaves += below(game);
        game.undo(undo);
    }
    leaves
}

/// A partition of the game tree by the first plies, for parallel counting.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Prefixes<M> {
    /// Move lists of `plies` moves, in order; the subtree below each is still to be counted.
    pub open: Vec<Vec<M>>,
    /// For each first move, in order: the leaves of games that ended within the prefix.
    pub done: Vec<(M, u64)>,
}

/// Splits the tree below `game` after `plies` plies.
pub fn prefixes<G: Game>(game: &mut G, plies: u32) -> Prefixes<G::Move> {
    let mut found = Prefixes { open: Vec::new(), done: Vec::new() };
    let mut list = G::Moves::default();
    game.moves(&mut list);
    for mv in list.each() {
        found.done.push((mv, 0));
    }
    if plies > 0 {
        extend(game, plies, &mut Vec::new(), &mut found);
    }
    found
}

fn extend<G: Game>(game: &mut G, plies: u32, prefix: &mut Vec<G::Move>, found: &mut Prefixes<G::Move>) {
    if plies == 0 {
        found.open.push(prefix.clone());
        return;
    }
    let mut list = G::Moves::default();
    game.moves(&mut list);
    if list.is_empty() {
        if let Some(entry) = found.done.iter_mut().find(|(mv, _)| prefix.first() == Some(mv)) {
            entry.1 += u64::from(G::FINISHED_IS_LEAF);
        }
        return;
    }
    for mv in list.each() {
        let undo = game.play(mv);
        prefix.push(mv);
        extend(game, plies - 1, prefix, found);
        prefix.pop();
        game.undo(undo);
    }
}

/// A hash table of counted positions that threads share. A lost or torn entry is only a miss.
#[derive(Debug)]
pub struct PerftTable {
    slots: Vec<PerftSlot>,
}

/// The key is stored xored with the count, so that a mix of two writes never matches (Hyatt and Mann).
#[derive(Debug, Default)]
struct PerftSlot {
    check: AtomicU64,
    count: AtomicU64,
}

impl PerftTable {
    /// A table of `mebibytes`.
    pub fn new(mebibytes: usize) -> PerftTable {
        let slots = (mebibytes.max(1) << 20) / size_of::<PerftSlot>();
        PerftTable { slots: (0..slots).map(|_| PerftSlot::default()).collect() }
    }

    fn mix(key: u64, depth: usize) -> u64 {
        let mixed = (key ^ (depth as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed ^ (mixed >> 31)
    }

    fn slot(&self, key: u64) -> &PerftSlot {
        let index = (u128::from(key) * self.slots.len() as u128) >> 64;
        &self.slots[index as usize]
    }

    fn get(&self, key: u64) -> Option<u64> {
        let slot = self.slot(key);
        let count = slot.count.load(Ordering::Relaxed);
        (count != 0 && slot.check.load(Ordering::Relaxed) ^ count == key).then_some(count)
    }

    fn put(&self, key: u64, count: u64) {
        let slot = self.slot(key);
        slot.check.store(key ^ count, Ordering::Relaxed);
        slot.count.store(count, Ordering::Relaxed);
    }
}

/// A 128-bit fingerprint: the key and an independent hash of everything that `Eq` compares.
pub fn identity<G: Game>(game: &G) -> u128 {
    let mut hasher = DefaultHasher::new();
    // A salt, because the default key is the same hash.
    hasher.write_u64(0x7465_7375_6a69);
    game.hash(&mut hasher);
    (u128::from(game.key()) << 64) | u128::from(hasher.finish())
}

/// The number of distinct positions after 1, 2, … `depth` plies, compared by `identity`.
///
/// The probability of a collision among n positions is below n²/2¹²⁸.
pub fn distinct<G: Game>(game: &mut G, depth: u32, identity: impl Fn(&G) -> u128) -> Vec<u64> {
    let mut seen = vec![IdentitySet::default(); depth as usize];
    let mut lists = lists::<G>(depth);
    visit(game, &mut lists, &mut seen, &identity);
    seen.iter().map(|positions| positions.len() as u64).collect()
}

type IdentitySet = HashSet<u128, BuildHasherDefault<AlreadyHashed>>;

fn visit<G: Game>(game: &mut G, lists: &mut [G::Moves], seen: &mut [IdentitySet], identity: &impl Fn(&G) -> u128) {
    let ([here, lists @ ..], [reached, seen @ ..]) = (lists, seen) else { return };
    game.moves(here);
    for mv in here.each() {
        let undo = game.play(mv);
        if reached.insert(identity(game)) {
            visit(game, lists, seen, identity);
        }
        game.undo(undo);
    }
}

/// A hasher for keys that are hashes already: it takes the low half.
#[derive(Clone, Default)]
struct AlreadyHashed(u64);

impl Hasher for AlreadyHashed {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for (byte, place) in bytes.iter().zip([0, 8, 16, 24, 32, 40, 48, 56]) {
            self.0 ^= u64::from(*byte) << place;
        }
    }

    fn write_u128(&mut self, identity: u128) {
        self.0 = identity as u64;
    }
}
