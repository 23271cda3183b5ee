//! The tree (a graph, since positions are shared) and what may be read from it.

use std::marker::PhantomData;
use std::sync::atomic::AtomicU32;
use std::sync::atomic::Ordering::{AcqRel, Acquire, Relaxed};

use tesuji_game::Move;

use super::arena::Arena;
use super::node::{Edge, NONE, Node, PENDING};
use crate::Value;

/// Positions reached so far, each once, with their moves and what came of these.
pub struct Tree<M> {
    pub(super) arena: Arena,
    /// Numbers of nodes plus one, by key; 0 where nothing is.
    slots: Box<[AtomicU32]>,
    pub(super) root: u32,
    moves: PhantomData<M>,
}

/// A position in a [`Tree`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Place(pub(super) u32);

/// What a tree knows of a move.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Branch<M> {
    /// The move.
    pub mv: M,
    /// How often it was tried.
    pub visits: u32,
    /// The share of points that came of it, seen by the side that plays it.
    pub rate: f64,
    /// The share of tries it was expected to deserve.
    pub prior: f64,
    /// What is proven of it: a win, a loss or [`Value::DRAW`], seen by the side that plays it.
    pub proof: Option<Value>,
    /// Where it leads, once that was tried often enough.
    pub child: Option<Place>,
}

/// How far a key may lie from where it belongs.
const PROBES: usize = 8;

impl<M: Move> Tree<M> {
    /// An empty tree that will never take more memory than this, or than the least that is of any use.
    pub(super) fn new(memory_mib: usize) -> Tree<M> {
        let bytes = memory_mib.saturating_mul(1 << 20).max(1 << 19);
        // A thirty-second part for the slots: two for each node of ten moves.
        let slots = (bytes / 32 / size_of::<AtomicU32>() / 2 + 1).next_power_of_two();
        Tree {
            arena: Arena::new(bytes - slots * size_of::<AtomicU32>()),
            slots: (0..slots).map(|_| AtomicU32::new(0)).collect(),
            root: NONE,
            moves: PhantomData,
        }
    }

    fn probes(&self, key: u64) -> impl Iterator<Item = &AtomicU32> {
        let start = (key.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32) as usize;
        (0..PROBES).map(move |step| &self.slots[(start + step) & (self.slots.len() - 1)])
    }

    /// The node of this key.
    pub(super) fn find(&self, key: u64) -> Option<u32> {
        for slot in self.probes(key) {
            match slot.load(Acquire) {
                0 => return None,
                number if self.arena.node(number - 1).key() == key => return Some(number - 1),
                _ => {}
            }
        }
        None
    }

    /// Makes the node of a key that was not found; that of another thread when it was quicker; none when
    /// memory is full.
    pub(super) fn add(
        &self,
        key: u64,
        len: usize,
        judged: Option<f32>,
        edges: impl Iterator<Item = (M, f32)>,
    ) -> Option<u32> {
        let edges = edges.map(|(mv, prior)| (mv.to_bits(), prior));
        let node = self.arena.make(key, len, judged, edges)?;
        Some(self.enlist(key, node))
    }

    fn enlist(&self, key: u64, node: u32) -> u32 {
        for slot in self.probes(key) {
            match slot.compare_exchange(0, node + 1, AcqRel, Acquire) {
                Ok(_) => return node,
                Err(number) if self.arena.node(number - 1).key() == key => return number - 1,
                Err(_) => {}
            }
        }
        node
    }

    #[inline]
    pub(super) fn node(&self, node: u32) -> &Node {
        self.arena.node(node)
    }

    #[inline]
    pub(super) fn edges(&self, node: u32) -> &[Edge] {
        self.arena.edges(self.arena.node(node))
    }

    /// Forgets everything.
    pub(super) fn clear(&mut self) {
        self.arena.clear();
        self.root = NONE;
        self.slots.iter_mut().for_each(|slot| *slot.get_mut() = 0);
    }

    /// Forgets what the root does not lead to, and closes the gaps.
    pub(super) fn collect(&mut self) {
        if self.root == NONE {
            return self.clear();
        }
        for node in 0..self.arena.len() {
            self.node(node).moved.store(NONE, Relaxed);
        }
        let mut found = vec![self.root];
        self.node(self.root).moved.store(0, Relaxed);
        while let Some(node) = found.pop() {
            for child in self.edges(node).iter().map(Edge::child).filter(|&child| child < PENDING) {
                if self.node(child).moved.swap(0, Relaxed) == NONE {
                    found.push(child);
                }
            }
        }
        let (nodes, used) = self.arena.slide();
        self.root = self.node(self.root).moved.load(Relaxed);
        for edge in (0..nodes).flat_map(|node| self.edges(node)) {
            let child = edge.child();
            if child < PENDING {
                edge.link(self.node(child).moved.load(Relaxed));
            }
        }
        self.arena.shrink(used);
        self.slots.iter_mut().for_each(|slot| *slot.get_mut() = 0);
        for node in 0..nodes {
            self.enlist(self.node(node).key(), node);
        }
    }

    /// The position that the last search began at.
    pub fn root(&self) -> Option<Place> {
        (self.root != NONE).then_some(Place(self.root))
    }

    /// How often a position was reached: as often as its moves were tried, and as it was judged itself.
    pub fn visits(&self, at: Place) -> u32 {
        self.node(at.0).visits()
    }

    /// How often a position was judged itself.
    pub fn judged(&self, at: Place) -> u32 {
        self.node(at.0).own()
    }

    /// What is proven of a position, seen by its mover.
    pub fn proof(&self, at: Place) -> Option<Value> {
        self.node(at.0).proof()
    }

    /// The moves of a position, in the order the game lists them.
    pub fn branches(&self, at: Place) -> impl Iterator<Item = Branch<M>> + '_ {
        self.edges(at.0).iter().map(|edge| Branch {
            mv: M::from_bits(edge.mv.load(Relaxed)),
            visits: edge.visits(),
            rate: edge.rate(),
            prior: f64::from(edge.prior()),
            proof: edge.proof(),
            child: Some(edge.child()).filter(|&child| child < PENDING).map(Place),
        })
    }

    /// Every position, those that the root does not lead to any more included.
    pub fn places(&self) -> impl Iterator<Item = Place> {
        (0..self.arena.len()).map(Place)
    }

    /// The memory taken, in bytes.
    pub fn bytes(&self) -> usize {
        self.arena.taken_bytes() + self.slots.len() * size_of::<AtomicU32>()
    }

    /// How much of the memory allowed is taken, in thousandths.
    pub fn full(&self) -> u32 {
        (self.arena.fullness() * 1000.0) as u32
    }
}

impl<M> std::fmt::Debug for Tree<M> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Tree").field("root", &self.root).field("positions", &self.arena.len()).finish()
    }
}
