//! A position and its moves as the tree keeps them.
//!
//! Everything is atomic, so that threads may grow one tree together without locks. Numbers that only count
//! are relaxed; a node is published by the link that leads to it.

use std::sync::atomic::Ordering::{Acquire, Relaxed, Release};
use std::sync::atomic::{AtomicU16, AtomicU32, AtomicU64};

use crate::Value;

/// A whole point, as sums count it: fixed, so that threads may add in any order and get the same.
pub(super) const POINT: u32 = 1 << 16;

/// A move of a node, with the statistics of what came of it. They live here and not in the child, because
/// several moves may lead to one child, and what each of them was worth is its own affair.
pub(super) struct Edge {
    sum: AtomicU64,
    pub(super) mv: AtomicU32,
    child: AtomicU32,
    visits: AtomicU32,
    prior: AtomicU16,
    proof: AtomicU16,
}

/// No child yet.
pub(super) const NONE: u32 = u32::MAX;
/// Some thread is having the child judged.
pub(super) const PENDING: u32 = u32::MAX - 1;

/// The largest prior.
const WHOLE: f32 = u16::MAX as f32;

impl Edge {
    pub(super) const fn empty() -> Edge {
        Edge {
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
        self.prior.store((prior * WHOLE) as u16, Relaxed);
        self.proof.store(0, Relaxed);
    }

    pub(super) fn copy_from(&self, other: &Edge) {
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

    /// Points that came of it, seen by whoever chooses it, in parts of [`POINT`].
    #[inline]
    pub(super) fn sum(&self) -> u64 {
        self.sum.load(Relaxed)
    }

    /// Counts a visit before its result is known: until then it looks like a loss, which sends other threads
    /// elsewhere.
    #[inline]
    pub(super) fn enter(&self, alone: bool) -> u32 {
        add(&self.visits, 1, alone)
    }

    /// Takes a visit back that came to nothing.
    pub(super) fn leave(&self) {
        self.visits.fetch_sub(1, Relaxed);
    }

    #[inline]
    pub(super) fn credit(&self, points: u32, alone: bool) {
        if alone {
            self.sum.store(self.sum.load(Relaxed) + u64::from(points), Relaxed);
        } else {
            self.sum.fetch_add(u64::from(points), Relaxed);
        }
    }

    /// The share of points that came of it; a half before any came.
    pub(super) fn rate(&self) -> f64 {
        match self.visits() {
            0 => 0.5,
            visits => self.sum() as f64 / f64::from(POINT) / f64::from(visits),
        }
    }

    #[inline]
    pub(super) fn prior(&self) -> f32 {
        f32::from(self.prior.load(Relaxed)) * (1.0 / WHOLE)
    }

    #[inline]
    pub(super) fn child(&self) -> u32 {
        self.child.load(Acquire)
    }

    #[inline]
    pub(super) fn link(&self, child: u32) {
        self.child.store(child, Release);
    }

    /// Claims the edge for judging what lies behind it; false when somebody else has.
    pub(super) fn reserve(&self) -> bool {
        self.child.compare_exchange(NONE, PENDING, Acquire, Relaxed).is_ok()
    }

    /// What is proven of it, seen by whoever chooses it.
    #[inline]
    pub(super) fn proof(&self) -> Option<Value> {
        unpack(self.proof.load(Relaxed))
    }

    pub(super) fn prove(&self, value: Value) {
        self.proof.store(pack(value), Relaxed);
    }
}

/// A position, shared by all ways that lead to it.
pub(super) struct Node {
    key: AtomicU64,
    first: AtomicU32,
    len: AtomicU32,
    visits: AtomicU32,
    own: AtomicU32,
    /// Where it goes when the arena is tidied.
    pub(super) moved: AtomicU32,
    judged: AtomicU16,
    proof: AtomicU16,
}

impl Node {
    pub(super) const fn empty() -> Node {
        Node {
            key: AtomicU64::new(0),
            first: AtomicU32::new(0),
            len: AtomicU32::new(0),
            visits: AtomicU32::new(0),
            own: AtomicU32::new(0),
            moved: AtomicU32::new(NONE),
            judged: AtomicU16::new(0),
            proof: AtomicU16::new(0),
        }
    }

    pub(super) fn reset(&self, key: u64, first: u32, len: u32, judged: Option<f32>) {
        self.key.store(key, Relaxed);
        self.first.store(first, Relaxed);
        self.len.store(len, Relaxed);
        let own = u32::from(judged.is_some());
        self.visits.store(own, Relaxed);
        self.own.store(own, Relaxed);
        self.judged.store((judged.unwrap_or(0.0) * WHOLE) as u16, Relaxed);
        self.proof.store(0, Relaxed);
    }

    pub(super) fn copy_from(&self, other: &Node, first: u32) {
        self.first.store(first, Relaxed);
        self.key.store(other.key.load(Relaxed), Relaxed);
        self.len.store(other.len.load(Relaxed), Relaxed);
        self.visits.store(other.visits.load(Relaxed), Relaxed);
        self.own.store(other.own.load(Relaxed), Relaxed);
        self.judged.store(other.judged.load(Relaxed), Relaxed);
        self.proof.store(other.proof.load(Relaxed), Relaxed);
    }

    #[inline]
    pub(super) fn key(&self) -> u64 {
        self.key.load(Relaxed)
    }

    /// How often it was reached by any way.
    #[inline]
    pub(super) fn visits(&self) -> u32 {
        self.visits.load(Relaxed)
    }

    /// How often it was judged itself instead of by what follows.
    pub(super) fn own(&self) -> u32 {
        self.own.load(Relaxed)
    }

    /// The points it was judged to be worth, seen by its mover, times the visits that judged it.
    #[inline]
    pub(super) fn judged(&self) -> f32 {
        f32::from(self.judged.load(Relaxed)) * (1.0 / WHOLE) * self.own() as f32
    }

    #[inline]
    pub(super) fn enter(&self, alone: bool) {
        add(&self.visits, 1, alone);
    }

    pub(super) fn leave(&self) {
        self.visits.fetch_sub(1, Relaxed);
    }

    /// What is proven of it, seen by its mover.
    #[inline]
    pub(super) fn proof(&self) -> Option<Value> {
        unpack(self.proof.load(Relaxed))
    }

    pub(super) fn prove(&self, value: Value) {
        self.proof.store(pack(value), Relaxed);
    }

    /// Its mover has a draw in hand.
    pub(super) fn prove_half(&self) {
        self.proof.store(HALF, Relaxed);
    }

    /// Whether its mover has a draw in hand, while more may be to be had.
    #[inline]
    pub(super) fn has_half(&self) -> bool {
        self.proof.load(Relaxed) == HALF
    }

    /// Where its edges begin.
    #[inline]
    pub(super) fn first(&self) -> u32 {
        self.first.load(Relaxed)
    }

    #[inline]
    pub(super) fn len(&self) -> u32 {
        self.len.load(Relaxed)
    }
}

/// A locked addition costs as much as a level of the tree; a thread alone does without.
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

/// Proven to be a draw.
const DRAW: u16 = 1;
/// Proven to be a draw at least.
const HALF: u16 = 2;

fn pack(value: Value) -> u16 {
    if value.is_proven() { value.get().cast_unsigned() } else { DRAW }
}

#[inline]
fn unpack(bits: u16) -> Option<Value> {
    match bits {
        0 | HALF => None,
        DRAW => Some(Value::DRAW),
        bits => Some(Value::of(bits.cast_signed())),
    }
}
