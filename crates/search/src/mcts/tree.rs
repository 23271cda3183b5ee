//! The tree (a graph: transpositions share a node) and its public view.

use std::marker::PhantomData;
use std::sync::atomic::AtomicU32;
use std::sync::atomic::Ordering::{AcqRel, Acquire, Relaxed};

use tesuji_game::Move;

use super::node::{NONE, PENDING, TreeEdge, TreeNode};
use super::pool::NodePool;
use crate::Value;

/// The search tree: every position once, with its moves and their statistics.
pub struct SearchTree<M> {
    pub(super) pool: NodePool,
    /// Hash index: node number plus one by key; 0 for an empty slot.
    slots: Box<[AtomicU32]>,
    pub(super) root: u32,
    moves: PhantomData<M>,
}

/// A node of a [`SearchTree`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct NodeId(pub(super) u32);

/// The statistics of a move.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct EdgeStats<M> {
    /// The move.
    pub mv: M,
    /// The visit count.
    pub visits: u32,
    /// The win rate of the side that plays it.
    pub rate: f64,
    /// The prior.
    pub prior: f64,
    /// The proven value (a win, a loss or [`Value::DRAW`]) for the side that plays it.
    pub proof: Option<Value>,
    /// The child, once it is expanded.
    pub child: Option<NodeId>,
}

/// Slots probed for a key (linear probing).
const PROBES: usize = 8;

impl<M: Move> SearchTree<M> {
    /// An empty tree with this memory limit.
    pub(super) fn new(memory_mib: usize) -> SearchTree<M> {
        let bytes = memory_mib.saturating_mul(1 << 20).max(1 << 19);
        // 1/32 of the memory for the slots: two for each node of ten moves.
        let slots = (bytes / 32 / size_of::<AtomicU32>() / 2 + 1).next_power_of_two();
        SearchTree {
            pool: NodePool::new(bytes - slots * size_of::<AtomicU32>()),
            slots: (0..slots).map(|_| AtomicU32::new(0)).collect(),
            root: NONE,
            moves: PhantomData,
        }
    }

    fn probes(&self, key: u64) -> impl Iterator<Item = &AtomicU32> {
        let start = (key.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32) as usize;
        (0..PROBES).map(move |step| &self.slots[(start + step) & (self.slots.len() - 1)])
    }

    /// The node with this key.
    pub(super) fn find(&self, key: u64) -> Option<u32> {
        for slot in self.probes(key) {
            match slot.load(Acquire) {
                0 => return None,
                number if self.pool.node(number - 1).key() == key => return Some(number - 1),
                _ => {}
            }
        }
        None
    }

    /// Creates the node of a key that was not found. Returns the node of another thread if that was faster, and `None`
    /// when the memory is full.
    pub(super) fn add(
        &self,
        key: u64,
        len: usize,
        value: Option<f32>,
        edges: impl Iterator<Item = (M, f32)>,
    ) -> Option<u32> {
        let edges = edges.map(|(mv, prior)| (mv.to_bits(), prior));
        let node = self.pool.make(key, len, value, edges)?;
        Some(self.insert(key, node))
    }

    fn insert(&self, key: u64, node: u32) -> u32 {
        for slot in self.probes(key) {
            match slot.compare_exchange(0, node + 1, AcqRel, Acquire) {
                Ok(_) => return node,
                Err(number) if self.pool.node(number - 1).key() == key => return number - 1,
                Err(_) => {}
            }
        }
        node
    }

    #[inline]
    pub(super) fn node(&self, node: u32) -> &TreeNode {
        self.pool.node(node)
    }

    #[inline]
    pub(super) fn edges(&self, node: u32) -> &[TreeEdge] {
        self.pool.edges(self.pool.node(node))
    }

    /// Removes all nodes.
    pub(super) fn clear(&mut self) {
        self.pool.clear();
        self.root = NONE;
        self.slots.iter_mut().for_each(|slot| *slot.get_mut() = 0);
    }

    /// Removes the nodes that are unreachable from the root, and compacts the rest.
    pub(super) fn collect_garbage(&mut self) {
        if self.root == NONE {
            return self.clear();
        }
        for node in 0..self.pool.len() {
            self.node(node).moved.store(NONE, Relaxed);
        }
        let mut reached = vec![self.root];
        self.node(self.root).moved.store(0, Relaxed);
        while let Some(node) = reached.pop() {
            for child in self.edges(node).iter().map(TreeEdge::child).filter(|&child| child < PENDING) {
                if self.node(child).moved.swap(0, Relaxed) == NONE {
                    reached.push(child);
                }
            }
        }
        let (nodes, used) = self.pool.compact();
        self.root = self.node(self.root).moved.load(Relaxed);
        for edge in (0..nodes).flat_map(|node| self.edges(node)) {
            let child = edge.child();
            if child < PENDING {
                edge.link(self.node(child).moved.load(Relaxed));
            }
        }
        self.pool.shrink(used);
        self.slots.iter_mut().for_each(|slot| *slot.get_mut() = 0);
        for node in 0..nodes {
            self.insert(self.node(node).key(), node);
        }
    }

    /// The root of the last search.
    pub fn root(&self) -> Option<NodeId> {
        (self.root != NONE).then_some(NodeId(self.root))
    }

    /// The visit count of a node: the visits of its moves plus its evaluations.
    pub fn visits(&self, at: NodeId) -> u32 {
        self.node(at.0).visits()
    }

    /// How often the node itself was evaluated.
    pub fn evaluations(&self, at: NodeId) -> u32 {
        self.node(at.0).evaluations()
    }

    /// The proven value of a node for the side to move.
    pub fn proof(&self, at: NodeId) -> Option<Value> {
        self.node(at.0).proof()
    }

    /// The moves of a node, in the order of move generation.
    pub fn moves(&self, at: NodeId) -> impl Iterator<Item = EdgeStats<M>> + '_ {
        self.edges(at.0).iter().map(|edge| EdgeStats {
            mv: M::from_bits(edge.mv.load(Relaxed)),
            visits: edge.visits(),
            rate: edge.rate(),
            prior: f64::from(edge.prior()),
            proof: edge.proof(),
            child: Some(edge.child()).filter(|&child| child < PENDING).map(NodeId),
        })
    }

    /// Every node, unreachable ones included.
    pub fn node_ids(&self) -> impl Iterator<Item = NodeId> {
        (0..self.pool.len()).map(NodeId)
    }

    /// The allocated memory in bytes.
    pub fn bytes(&self) -> usize {
        self.pool.allocated_bytes() + self.slots.len() * size_of::<AtomicU32>()
    }

    /// The used share of the memory limit in thousandths.
    pub fn hashfull(&self) -> u32 {
        (self.pool.fullness() * 1000.0) as u32
    }
}

impl<M> std::fmt::Debug for SearchTree<M> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("SearchTree").field("root", &self.root).field("positions", &self.pool.len()).finish()
    }
}
