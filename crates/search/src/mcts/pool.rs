//! Memory of nodes and edges: blocks that never move while threads read them, up to a memory limit.

use std::sync::OnceLock;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::atomic::{AtomicBool, AtomicU64};

use super::node::{NONE, PENDING, TreeEdge, TreeNode};

const NODES: usize = 1 << 10;
const EDGES: usize = 1 << 13;
const NODE_BLOCK: usize = NODES * size_of::<TreeNode>();
const EDGE_BLOCK: usize = EDGES * size_of::<TreeEdge>();

type Blocks<T, const N: usize> = Box<[OnceLock<Box<[T; N]>>]>;

/// Nodes and edges in the order of their creation. The edges of a node are contiguous within one block.
pub(super) struct NodePool {
    nodes: Blocks<TreeNode, NODES>,
    edges: Blocks<TreeEdge, EDGES>,
    /// The node count and the next edge index in one word, so that both are updated together.
    used: AtomicU64,
    /// Whether a node was refused since the last shrink.
    full: AtomicBool,
    bytes: usize,
}

impl NodePool {
    /// The smallest pool: one block of each.
    const MIN_BYTES: usize = NODE_BLOCK + EDGE_BLOCK;

    /// A pool that never uses more than `bytes`.
    pub(super) fn new(bytes: usize) -> NodePool {
        let bytes = bytes.max(NodePool::MIN_BYTES);
        // Node and edge numbers have 32 bits; two of them are reserved.
        let blocks = |size: usize, each: usize| (bytes / size).min(((PENDING - 1) as usize) / each);
        NodePool {
            nodes: (0..blocks(NODE_BLOCK, NODES)).map(|_| OnceLock::new()).collect(),
            edges: (0..blocks(EDGE_BLOCK, EDGES)).map(|_| OnceLock::new()).collect(),
            used: AtomicU64::new(0),
            full: AtomicBool::new(false),
            bytes,
        }
    }

    #[inline]
    pub(super) fn node(&self, node: u32) -> &TreeNode {
        let block = self.nodes[node as usize / NODES].get_or_init(|| Box::new([const { TreeNode::empty() }; NODES]));
        &block[node as usize % NODES]
    }

    #[inline]
    pub(super) fn edge(&self, edge: u32) -> &TreeEdge {
        let block = self.edges[edge as usize / EDGES].get_or_init(|| Box::new([const { TreeEdge::empty() }; EDGES]));
        &block[edge as usize % EDGES]
    }

    /// The edges of a node.
    #[inline]
    pub(super) fn edges(&self, node: &TreeNode) -> &[TreeEdge] {
        let (first, len) = (node.first() as usize, node.len() as usize);
        if len == 0 {
            return &[];
        }
        let block = self.edges[first / EDGES].get_or_init(|| Box::new([const { TreeEdge::empty() }; EDGES]));
        block.get(first % EDGES..first % EDGES + len).unwrap_or_default()
    }

    /// Number of nodes, unreachable ones included.
    pub(super) fn len(&self) -> u32 {
        (self.used.load(Relaxed) >> 32) as u32
    }

    /// The used share of the memory; 1 once a node was refused.
    pub(super) fn fullness(&self) -> f64 {
        if self.full.load(Relaxed) {
            return 1.0;
        }
        let (nodes, edges) = split(self.used.load(Relaxed));
        NodePool::bytes_for(nodes, edges) as f64 / self.bytes as f64
    }

    /// The allocated memory.
    pub(super) fn allocated_bytes(&self) -> usize {
        let nodes = self.nodes.iter().filter(|block| block.get().is_some()).count();
        let edges = self.edges.iter().filter(|block| block.get().is_some()).count();
        nodes * NODE_BLOCK + edges * EDGE_BLOCK
    }

    fn bytes_for(nodes: u32, edges: u32) -> usize {
        (nodes as usize).div_ceil(NODES) * NODE_BLOCK + (edges as usize).div_ceil(EDGES) * EDGE_BLOCK
    }

    /// The place of a new node with `len` edges behind `used`, and the new value of `used`.
    fn place(&self, used: u64, len: usize) -> Option<(u32, u32, u64)> {
        let (node, edge) = split(used);
        let rest = EDGES - edge as usize % EDGES;
        let first = if len <= rest { edge } else { edge + rest as u32 };
        let end = first as usize + len;
        let fits = len <= EDGES
            && end <= self.edges.len() * EDGES
            && (node as usize) < self.nodes.len() * NODES
            && NodePool::bytes_for(node + 1, end as u32) <= self.bytes;
        fits.then(|| (node, first, u64::from(node + 1) << 32 | end as u64))
    }

    /// Creates a node with these edges, not linked yet; `None` when the memory is full.
    pub(super) fn make(
        &self,
        key: u64,
        len: usize,
        value: Option<f32>,
        edges: impl Iterator<Item = (u32, f32)>,
    ) -> Option<u32> {
        let mut used = self.used.load(Relaxed);
        let (node, first) = loop {
            let Some((node, first, then)) = self.place(used, len) else {
                self.full.store(true, Relaxed);
                return None;
            };
            match self.used.compare_exchange_weak(used, then, Relaxed, Relaxed) {
                Ok(_) => break (node, first),
                Err(now) => used = now,
            }
        };
        self.node(node).reset(key, first, len as u32, value);
        for (edge, (mv, prior)) in self.edges(self.node(node)).iter().zip(edges) {
            edge.reset(mv, prior);
        }
        Some(node)
    }

    /// Removes all nodes.
    pub(super) fn clear(&mut self) {
        self.shrink(0);
    }

    /// Frees all blocks behind `used`.
    pub(super) fn shrink(&mut self, used: u64) {
        let (nodes, edges) = split(used);
        self.nodes[(nodes as usize).div_ceil(NODES)..].iter_mut().for_each(|block| drop(block.take()));
        self.edges[(edges as usize).div_ceil(EDGES)..].iter_mut().for_each(|block| drop(block.take()));
        *self.used.get_mut() = used;
        *self.full.get_mut() = false;
    }

    /// Compacts the nodes whose `moved` is not [`NONE`] to the front and writes the new number to `moved`. A node never
    /// moves up, because the order is kept. Returns the node count and the value for [`NodePool::shrink`] after the links
    /// are updated.
    pub(super) fn compact(&mut self) -> (u32, u64) {
        let mut used = 0;
        for old in (0..self.len()).filter(|&node| self.node(node).moved.load(Relaxed) != NONE) {
            let from = self.node(old);
            let Some((new, first, then)) = self.place(used, from.len() as usize) else { break };
            used = then;
            let (edges, len) = (from.first(), from.len());
            self.node(new).copy_from(from, first);
            from.moved.store(new, Relaxed);
            for index in 0..len {
                self.edge(first + index).copy_from(self.edge(edges + index));
            }
        }
        (split(used).0, used)
    }
}

fn split(used: u64) -> (u32, u32) {
    ((used >> 32) as u32, used as u32)
}
