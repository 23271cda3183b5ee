//! What a node tells its parent beside its value: how much of it holds elsewhere.

use crate::table::Entry;
use crate::{Bound, Value};

/// A value and what it rests on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Found {
    /// Seen by the mover of the node.
    pub(super) value: Value,
    /// The lowest ply of the path whose position had to stand there for this value (a repetition); below the
    /// node it is the node's own business and forgotten. −1 for what was played before the root.
    pub(super) since: i16,
    /// Whether no estimate went into it.
    pub(super) whole: bool,
}

impl Found {
    /// Rests on no position of the path.
    pub(super) const CLEAN: i16 = i16::MAX;
    /// What an abandoned search tells: nothing to be used.
    pub(super) const NOTHING: Found = Found { value: Value::DRAW, since: -1, whole: false };

    /// By evaluation.
    #[inline]
    pub(super) fn estimate(value: Value) -> Found {
        Found { value, since: Found::CLEAN, whole: false }
    }

    /// By the rules.
    #[inline]
    pub(super) fn truth(value: Value) -> Found {
        Found { value, since: Found::CLEAN, whole: true }
    }

    /// From the table.
    #[inline]
    pub(super) fn stored(entry: &Entry) -> Found {
        Found { value: entry.value, since: Found::CLEAN, whole: entry.whole }
    }

    /// A game that is not over is won or lost by the next move at the earliest: outside of that no window
    /// needs a search.
    #[inline]
    pub(super) fn by_distance(alpha: Value, beta: Value) -> Option<Found> {
        if alpha >= Value::win(1) {
            Some(Found::truth(Value::win(1)))
        } else if beta <= Value::loss(1) {
            Some(Found::truth(Value::loss(1)))
        } else {
            None
        }
    }

    /// This value, resting on what `other` rests on as well.
    #[inline]
    pub(super) fn with(self, other: Found) -> Found {
        Found { since: self.since.min(other.since), whole: self.whole && other.whole, ..self }
    }

    /// Whether it holds on every path that leads to the node at `ply`.
    #[inline]
    pub(super) fn is_clean(self, ply: usize) -> bool {
        i32::from(self.since) >= ply as i32
    }

    /// As the parent of the node at `ply` may know it: what lies below `ply` is not the parent's business.
    #[inline]
    pub(super) fn leaving(self, ply: usize) -> Found {
        let since = if self.is_clean(ply) { Found::CLEAN } else { self.since };
        Found { since, ..self }
    }
}

/// Whether an entry decides a node of this window and depth. Proven results do at any depth, a win as a lower
/// bound and a loss as an upper one: a nearer one may exist.
#[inline]
pub(super) fn decides(entry: &Entry, depth: u32, alpha: Value, beta: Value, strict: bool) -> bool {
    let high = entry.bound != Bound::Upper && entry.value >= beta;
    let low = entry.bound != Bound::Lower && entry.value <= alpha;
    if strict {
        return u32::from(entry.depth) == depth && (high || low || entry.bound == Bound::Exact);
    }
    if entry.whole || u32::from(entry.depth) >= depth {
        return high || low || entry.bound == Bound::Exact;
    }
    entry.value.is_proven() && if entry.value > Value::DRAW { high } else { low }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(value: Value, depth: u8, bound: Bound, whole: bool) -> Entry {
        Entry { mv: None, value, depth, bound, whole }
    }

    #[test]
    fn what_rests_on_the_path_is_clean_only_below_it() {
        let repeated = Found { value: Value::DRAW, since: 3, whole: true };
        assert!(repeated.is_clean(3) && !repeated.is_clean(4));
        assert_eq!(repeated.leaving(3).since, Found::CLEAN);
        assert_eq!(repeated.leaving(4).since, 3);
        let both = Found::truth(Value::win(1)).with(repeated).with(Found::estimate(Value::DRAW));
        assert_eq!((both.value, both.since, both.whole), (Value::win(1), 3, false));
    }

    #[test]
    fn shallow_entries_decide_only_what_is_proven() {
        let (alpha, beta) = (Value::estimate(0), Value::estimate(1));
        let win = Value::win(5);
        assert!(decides(&entry(win, 0, Bound::Lower, false), 9, alpha, beta, false));
        assert!(!decides(&entry(win, 0, Bound::Upper, false), 9, alpha, beta, false));
        assert!(!decides(&entry(win, 0, Bound::Exact, false), 9, Value::win(3), Value::win(2), false));
        assert!(decides(&entry(Value::loss(4), 0, Bound::Upper, false), 9, alpha, beta, false));
        assert!(!decides(&entry(Value::loss(4), 0, Bound::Lower, false), 9, alpha, beta, false));
        assert!(!decides(&entry(Value::estimate(50), 8, Bound::Lower, false), 9, alpha, beta, false));
        assert!(decides(&entry(Value::estimate(50), 8, Bound::Lower, true), 9, alpha, beta, false));
        assert!(!decides(&entry(Value::estimate(50), 10, Bound::Lower, true), 9, alpha, beta, true));
    }
}
