//! Nodes and edges of the tree.
//!
//! All fields are atomic, so that threads grow one tree without locks. Counters are relaxed; a node is published by the
//! release store of the link to it.

use std::sync::atomic::Ordering::{Acquire, Relaxed, Release};
use std::sync::atomic::{AtomicU16, AtomicU32, AtomicU64};

use crate::Value;

/// One point (a win) in sums. Fixed-point, so that the order of additions does not matter.
pub(super) const POINT: u32 = 1 << 16;

/// A move of a node with its statistics. They belong to the edge and not to the child, because several edges may lead to
/// one child.
pub(super) struct TreeEdge {
    sum: AtomicU64,
    pub(super) mv: AtomicU32,
    child: AtomicU32,
    visits: AtomicU32,
    prior: AtomicU16,
    proof: AtomicU16,
}

/// No child yet.
pub(super) const NONE: u32 = u32::MAX;
/// A thread is evaluating the child.
pub(super) const PENDING: u32 = u32::MAX - 1;

/// The fixed-point 1 of priors and values.
const ONE: f32 = u16::MAX as f32;

impl TreeEdge {
    pub(super) const fn empty() -> TreeEdge {
        TreeEdge {
            sum: AtomicU64::new(0),
            mv: AtomicU32::new(0),
            child: AtomicU32::new(NONE),
            visits: AtomicU32::new(0),
            prior: AtomicU16::new(0),
            proof: AtomicU16::new(0),
        }
    }

    pub(super) fn reset(&self, mv: u32, prior: f32) {
        self.sum.store(0, Relaxed);
        self.mv.store(mv, Relaxed);
        self.child.store(NONE, Relaxed);
        self.visits.store(0, Relaxed);
        self.prior.store((prior * ONE) as u16, Relaxed);
        self.proof.store(0, Relaxed);
    }

    pub(super) fn copy_from(&self, other: &TreeEdge) {
        self.sum.store(other.sum.load(Relaxed), Relaxed);
        self.mv.store(other.mv.load(Relaxed), Relaxed);
        self.child.store(other.child.load(Relaxed), Relaxed);
        self.visits.store(other.visits.load(Relaxed), Relaxed);
        self.prior.store(other.prior.load(Relaxed), Relaxed);
        self.proof.store(other.proof.load(Relaxed), Relaxed);
    }

    #[inline]
    pub(super) fn visits(&self) -> u32 {
        self.visits.load(Relaxed)
    }

    /// The sum of results for the side that plays the move, in units of 1/[`POINT`].
    #[inline]
    pub(super) fn sum(&self) -> u64 {
        self.sum.load(Relaxed)
    }

    /// Adds a virtual loss: a visit without a result. It directs other threads elsewhere until the result is added.
    /// Returns the new visit count.
    #[inline]
    pub(super) fn add_virtual_loss(&self, alone: bool) -> u32 {
        add(&self.visits, 1, alone)
    }

    /// Removes the virtual loss of an abandoned visit.
    pub(super) fn remove_virtual_loss(&self) {
        self.visits.fetch_sub(1, Relaxed);
    }

    #[inline]
    pub(super) fn add_result(&self, points: u32, alone: bool) {
        if alone {
            self.sum.store(self.sum.load(Relaxed) + u64::from(points), Relaxed);
        } else {
            self.sum.fetch_add(u64::from(points), Relaxed);
        }
    }

    /// The win rate; a half before any visit.
    pub(super) fn rate(&self) -> f64 {
        match self.visits() {
            0 => 0.5,
            visits => self.sum() as f64 / f64::from(POINT) / f64::from(visits),
        }
    }

    #[inline]
    pub(super) fn prior(&self) -> f32 {
        f32::from(self.prior.load(Relaxed)) * (1.0 / ONE)
    }

    #[inline]
    pub(super) fn child(&self) -> u32 {
        self.child.load(Acquire)
    }

    #[inline]
    pub(super) fn link(&self, child: u32) {
        self.child.store(child, Release);
    }

    /// Reserves the child for evaluation by this thread; false if another thread has.
    pub(super) fn reserve(&self) -> bool {
        self.child.compare_exchange(NONE, PENDING, Acquire, Relaxed).is_ok()
    }

    /// The proven value for the side that plays the move.
    #[inline]
    pub(super) fn proof(&self) -> Option<Value> {
        unpack(self.proof.load(Relaxed))
    }

    pub(super) fn prove(&self, value: Value) {
        self.proof.store(pack(value), Relaxed);
    }
}

/// A position, shared by all paths to it.
pub(super) struct TreeNode {
    key: AtomicU64,
    first: AtomicU32,
    len: AtomicU32,
    visits: AtomicU32,
    evaluations: AtomicU32,
    /// Its new number during a compaction.
    pub(super) moved: AtomicU32,
    value: AtomicU16,
    proof: AtomicU16,
}

impl TreeNode {
    pub(super) const fn empty() -> TreeNode {
        TreeNode {
            key: AtomicU64::new(0),
            first: AtomicU32::new(0),
            len: AtomicU32::new(0),
            visits: AtomicU32::new(0),
            evaluations: AtomicU32::new(0),
            moved: AtomicU32::new(NONE),
            value: AtomicU16::new(0),
            proof: AtomicU16::new(0),
        }
    }

    pub(super) fn reset(&self, key: u64, first: u32, len: u32, value: Option<f32>) {
        self.key.store(key, Relaxed);
        self.first.store(first, Relaxed);
        self.len.store(len, Relaxed);
        let evaluations = u32::from(value.is_some());
        self.visits.store(evaluations, Relaxed);
        self.evaluations.store(evaluations, Relaxed);
        self.value.store((value.unwrap_or(0.0) * ONE) as u16, Relaxed);
        self.proof.store(0, Relaxed);
    }

    pub(super) fn copy_from(&self, other: &TreeNode, first: u32) {
        self.first.store(first, Relaxed);
        self.key.store(other.key.load(Relaxed), Relaxed);
        self.len.store(other.len.load(Relaxed), Relaxed);
        self.visits.store(other.visits.load(Relaxed), Relaxed);
        self.evaluations.store(other.evaluations.load(Relaxed), Relaxed);
        self.value.store(other.value.load(Relaxed), Relaxed);
        self.proof.store(other.proof.load(Relaxed), Relaxed);
    }

    #[inline]
    pub(super) fn key(&self) -> u64 {
        self.key.load(Relaxed)
    }

    /// The visit count, over all paths.
    #[inline]
    pub(super) fn visits(&self) -> u32 {
        self.visits.load(Relaxed)
    }

    /// The number of visits that evaluated the node itself.
    pub(super) fn evaluations(&self) -> u32 {
        self.evaluations.load(Relaxed)
    }

    /// The evaluated win rate for the side to move, times the number of evaluations.
    #[inline]
    pub(super) fn evaluated(&self) -> f32 {
        f32::from(self.value.load(Relaxed)) * (1.0 / ONE) * self.evaluations() as f32
    }

    #[inline]
    pub(super) fn add_visit(&self, alone: bool) {
        add(&self.visits, 1, alone);
    }

    pub(super) fn remove_visit(&self) {
        self.visits.fetch_sub(1, Relaxed);
    }

    /// The proven value for the side to move.
    #[inline]
    pub(super) fn proof(&self) -> Option<Value> {
        unpack(self.proof.load(Relaxed))
    }

    pub(super) fn prove(&self, value: Value) {
        self.proof.store(pack(value), Relaxed);
    }

    /// Records that the side to move has at least a draw.
    pub(super) fn prove_draw_at_least(&self) {
        self.proof.store(DRAW_AT_LEAST, Relaxed);
    }

    /// Whether at least a draw is proven, and a win is still open.
    #[inline]
    pub(super) fn has_draw(&self) -> bool {
        self.proof.load(Relaxed) == DRAW_AT_LEAST
    }

    /// The number of its first edge.
    #[inline]
    pub(super) fn first(&self) -> u32 {
        self.first.load(Relaxed)
    }

    #[inline]
    pub(super) fn len(&self) -> u32 {
        self.len.load(Relaxed)
    }
}

/// An atomic addition costs as much as one level of the tree; a single thread avoids it.
#[inline]
fn add(number: &AtomicU32, more: u32, alone: bool) -> u32 {
    if alone {
        let now = number.load(Relaxed) + more;
        number.store(now, Relaxed);
        now
    } else {
        number.fetch_add(more, Relaxed) + more
    }
}

/// A proven draw.
const DRAW: u16 = 1;
/// At least a draw is proven.
const DRAW_AT_LEAST: u16 = 2;

fn pack(value: Value) -> u16 {
    if value.is_proven() { value.get().cast_unsigned() } else { DRAW }
}

#[inline]
fn unpack(bits: u16) -> Option<Value> {
    match bits {
        0 | DRAW_AT_LEAST => None,
        DRAW => Some(Value::DRAW),
        bits => Some(Value::of(bits.cast_signed())),
    }
}
