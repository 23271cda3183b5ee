//! Counting the game tree: the test every move generator must pass.
//!
//! All of it runs on one thread; a caller with more of them hands out [`prefixes`].

use std::collections::HashSet;
use std::collections::hash_map::DefaultHasher;
use std::hash::{BuildHasherDefault, Hasher};
use std::sync::atomic::{AtomicU64, Ordering};

use crate::{Game, MoveList};

/// Leaves `depth` plies down, by playing every move and counting at the last ply.
pub fn walk<G: Game>(game: &mut G, depth: u32) -> u64 {
    let mut lists = lists::<G>(depth);
    descend(game, &mut lists)
}

/// Leaves `depth` plies down, remembering counted positions in `table`.
pub fn walk_hashed<G: Game>(game: &mut G, depth: u32, table: &PerftTable) -> u64 {
    let mut lists = lists::<G>(depth);
    descend_hashed(game, &mut lists, table)
}

/// Below this depth a table costs more than it saves.
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

/// The ways to begin: move lists, in order, that together with `done` leaves cover the tree to `depth`.
///
/// Each list is `plies` long, so that threads can take them one by one and count the rest.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Prefixes<M> {
    /// Beginnings still to be counted, each to the remaining depth.
    pub open: Vec<Vec<M>>,
    /// For each first move in order: leaves of games that ended within the prefix.
    pub done: Vec<(M, u64)>,
}

/// Splits the tree under `game` after `plies` plies.
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

fn extend<G: Game>(game: &mut G, plies: u32, begun: &mut Vec<G::Move>, found: &mut Prefixes<G::Move>) {
    if plies == 0 {
        found.open.push(begun.clone());
        return;
    }
    let mut list = G::Moves::default();
    game.moves(&mut list);
    if list.is_empty() {
        if let Some(entry) = found.done.iter_mut().find(|(mv, _)| begun.first() == Some(mv)) {
            entry.1 += u64::from(G::FINISHED_IS_LEAF);
        }
        return;
    }
    for mv in list.each() {
        let undo = game.play(mv);
        begun.push(mv);
        extend(game, plies - 1, begun, found);
        begun.pop();
        game.undo(undo);
    }
}

/// A fixed-size table of counted positions that threads may share: a lost or torn entry is only a miss.
#[derive(Debug)]
pub struct PerftTable {
    slots: Vec<PerftSlot>,
}

/// The key is stored xored with the count, so that halves of two writers never pass for an entry.
#[derive(Debug, Default)]
struct PerftSlot {
    check: AtomicU64,
    count: AtomicU64,
}

impl PerftTable {
    /// A table of at most `mebibytes`.
    pub fn new(mebibytes: usize) -> PerftTable {
        let slots = (mebibytes.max(1) << 20) / size_of::<PerftSlot>();
        PerftTable { slots: (0..slots).map(|_| PerftSlot::default()).collect() }
    }

    fn mix(key: u64, depth: usize) -> u64 {
        let mixed =
            (key ^ (depth as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
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

/// 128 bits that tell positions apart: the key and an independent hash of everything `Eq` compares.
pub fn identity<G: Game>(game: &G) -> u128 {
    let mut hasher = DefaultHasher::new();
    // A salt, because the key may be the same hash without one.
    hasher.write_u64(0x7465_7375_6a69);
    game.hash(&mut hasher);
    (u128::from(game.key()) << 64) | u128::from(hasher.finish())
}

/// How many different positions stand after 1, 2, … `depth` plies, told apart by `identity`.
///
/// Two of n positions are mistaken for one with probability below n²/2¹²⁸.
pub fn distinct<G: Game>(game: &mut G, depth: u32, identity: impl Fn(&G) -> u128) -> Vec<u64> {
    let mut seen = vec![IdentitySet::default(); depth as usize];
    let mut lists = lists::<G>(depth);
    visit(game, &mut lists, &mut seen, &identity);
    seen.iter().map(|positions| positions.len() as u64).collect()
}

type IdentitySet = HashSet<u128, BuildHasherDefault<AlreadyHashed>>;

fn visit<G: Game>(
    game: &mut G,
    lists: &mut [G::Moves],
    seen: &mut [IdentitySet],
    identity: &impl Fn(&G) -> u128,
) {
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

/// Takes the low half of a key that is a hash already.
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
