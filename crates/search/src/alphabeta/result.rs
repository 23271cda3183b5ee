//! The result of searching one node, and what it depends on.
//!
//! A value that depends on a repetition holds only on the path it was found on (graph-history interaction, GHI). The
//! result carries that dependence, so that such a value never enters the transposition table.

use crate::tt::TtEntry;
use crate::{Bound, Value};

/// A value and what it depends on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct SearchResult {
    /// The value for the side to move at the node.
    pub(super) value: Value,
    /// The lowest ply of the path that the value depends on through a repetition; −1 for positions before the root,
    /// [`SearchResult::NO_PATH`] if there is none.
    pub(super) path_ply: i16,
    /// Whether the value depends on no evaluation.
    pub(super) solved: bool,
}

impl SearchResult {
    /// Depends on no position of the path.
    pub(super) const NO_PATH: i16 = i16::MAX;
    /// The result of an aborted search; must not be used.
    pub(super) const ABORTED: SearchResult = SearchResult { value: Value::DRAW, path_ply: -1, solved: false };

    /// From an evaluation.
    #[inline]
    pub(super) fn estimate(value: Value) -> SearchResult {
        SearchResult { value, path_ply: SearchResult::NO_PATH, solved: false }
    }

    /// From the rules alone.
    #[inline]
    pub(super) fn solved(value: Value) -> SearchResult {
        SearchResult { value, path_ply: SearchResult::NO_PATH, solved: true }
    }

    /// From the transposition table.
    #[inline]
    pub(super) fn from_tt(entry: &TtEntry) -> SearchResult {
        SearchResult { value: entry.value, path_ply: SearchResult::NO_PATH, solved: entry.solved }
    }

    /// Mate distance pruning: an unfinished game is decided by the next move at the earliest.
    #[inline]
    pub(super) fn by_mate_distance(alpha: Value, beta: Value) -> Option<SearchResult> {
        if alpha >= Value::win(1) {
            Some(SearchResult::solved(Value::win(1)))
        } else if beta <= Value::loss(1) {
            Some(SearchResult::solved(Value::loss(1)))
        } else {
            None
        }
    }

    /// This value, with the dependences of `other` added.
    #[inline]
    pub(super) fn with(self, other: SearchResult) -> SearchResult {
        SearchResult { path_ply: self.path_ply.min(other.path_ply), solved: self.solved && other.solved, ..self }
    }

    /// Whether it holds on every path to the node at `ply`.
    #[inline]
    pub(super) fn is_path_independent(self, ply: usize) -> bool {
        i32::from(self.path_ply) >= ply as i32
    }

    /// The result as seen from the parent of the node at `ply`: a dependence on the node itself or on later positions
    /// is dropped.
    #[inline]
    pub(super) fn leaving(self, ply: usize) -> SearchResult {
        let path_ply = if self.is_path_independent(ply) { SearchResult::NO_PATH } else { self.path_ply };
        SearchResult { path_ply, ..self }
    }
}

/// Whether a TT entry cuts off a node of this depth and window. Proven results do at any depth: a win as a lower bound
/// and a loss as an upper bound, because a shorter one may exist.
#[inline]
pub(super) fn tt_cutoff(entry: &TtEntry, depth: u32, alpha: Value, beta: Value, strict: bool) -> bool {
    let high = entry.bound != Bound::Upper && entry.value >= beta;
    let low = entry.bound != Bound::Lower && entry.value <= alpha;
    if strict {
        return u32::from(entry.depth) == depth && (high || low || entry.bound == Bound::Exact);
    }
    if entry.solved || u32::from(entry.depth) >= depth {
        return high || low || entry.bound == Bound::Exact;
    }
    entry.value.is_proven() && if entry.value > Value::DRAW { high } else { low }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(value: Value, depth: u8, bound: Bound, solved: bool) -> TtEntry {
        TtEntry { mv: None, value, depth, bound, solved }
    }

    #[test]
    fn a_repetition_matters_only_above_its_first_position() {
        let repeated = SearchResult { value: Value::DRAW, path_ply: 3, solved: true };
        assert!(repeated.is_path_independent(3) && !repeated.is_path_independent(4));
        assert_eq!(repeated.leaving(3).path_ply, SearchResult::NO_PATH);
        assert_eq!(repeated.leaving(4).path_ply, 3);
        let both = SearchResult::solved(Value::win(1)).with(repeated).with(SearchResult::estimate(Value::DRAW));
        assert_eq!((both.value, both.path_ply, both.solved), (Value::win(1), 3, false));
    }

    #[test]
    fn shallow_entries_cut_off_only_with_proven_values() {
        let (alpha, beta) = (Value::estimate(0), Value::estimate(1));
        let win = Value::win(5);
        assert!(tt_cutoff(&entry(win, 0, Bound::Lower, false), 9, alpha, beta, false));
        assert!(!tt_cutoff(&entry(win, 0, Bound::Upper, false), 9, alpha, beta, false));
        assert!(!tt_cutoff(&entry(win, 0, Bound::Exact, false), 9, Value::win(3), Value::win(2), false));
        assert!(tt_cutoff(&entry(Value::loss(4), 0, Bound::Upper, false), 9, alpha, beta, false));
        assert!(!tt_cutoff(&entry(Value::loss(4), 0, Bound::Lower, false), 9, alpha, beta, false));
        assert!(!tt_cutoff(&entry(Value::estimate(50), 8, Bound::Lower, false), 9, alpha, beta, false));
        assert!(tt_cutoff(&entry(Value::estimate(50), 8, Bound::Lower, true), 9, alpha, beta, false));
        assert!(!tt_cutoff(&entry(Value::estimate(50), 10, Bound::Lower, true), 9, alpha, beta, true));
    }
}
