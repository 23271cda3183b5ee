//! Move ordering: history heuristic and move picker.

use tesuji_game::Side;

/// The largest history score, either way.
pub const HISTORY: i32 = 8192;
/// The score of a killer: a move that caused a beta cutoff at the same ply.
pub const KILLER: i32 = 6000;

/// Bits of an index into the table of one side.
const INDEX_BITS: u32 = 13;
/// After this many picks the rest is sorted: a cutoff has become unlikely.
const SELECTION_PICKS: usize = 8;

/// History heuristic: how often a move caused a beta cutoff. The table has a fixed size; moves that share an index
/// share a score.
#[derive(Clone, Debug)]
pub(crate) struct History {
    scores: Vec<i16>,
}

impl Default for History {
    fn default() -> History {
        History { scores: vec![0; 2 << INDEX_BITS] }
    }
}

impl History {
    #[inline]
    fn index(side: Side, bits: u32) -> usize {
        side.index() << INDEX_BITS | (bits.wrapping_mul(0x9e37_79b1) >> (32 - INDEX_BITS)) as usize
    }

    /// The score of a move, within ±[`HISTORY`].
    #[inline]
    pub(crate) fn score(&self, side: Side, bits: u32) -> i32 {
        i32::from(self.scores[History::index(side, bits)])
    }

    /// Updates the score of a move that caused a beta cutoff (or did not) at this depth. The step shrinks towards the
    /// end of the scale (history gravity).
    pub(crate) fn update(&mut self, side: Side, bits: u32, depth: u32, good: bool) {
        let weight = (depth * depth).min(1024) as i32;
        let score = &mut self.scores[History::index(side, bits)];
        let now = i32::from(*score);
        let step = if good { weight } else { -weight } - now * weight / HISTORY;
        *score = (now + step) as i16;
    }

    /// Halves all scores before a new search.
    pub(crate) fn age(&mut self) {
        self.scores.iter_mut().for_each(|score| *score /= 2);
    }

    /// Resets all scores.
    pub(crate) fn clear(&mut self) {
        self.scores.fill(0);
    }
}

/// A move and its score in one word: the greater is searched first; of equal scores the one with the lower bits.
#[inline]
pub(crate) fn pick(score: i32, bits: u32) -> u64 {
    u64::from(score as u32 ^ 1 << 31) << 32 | u64::from(!bits)
}

/// The bits of a picked move.
#[inline]
pub(crate) fn bits(pick: u64) -> u32 {
    !(pick as u32)
}

/// Moves the best pick from index `at` on to `at` and returns it. Selection sort at first, a full sort later.
#[inline]
pub(crate) fn next(picks: &mut [u64], at: usize) -> u64 {
    if at < SELECTION_PICKS {
        let mut best = at;
        for index in at + 1..picks.len() {
            if picks[index] > picks[best] {
                best = index;
            }
        }
        picks.swap(at, best);
    } else if at == SELECTION_PICKS {
        picks[at..].sort_unstable_by(|a, b| b.cmp(a));
    }
    picks[at]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Rng;

    #[test]
    fn picking_sorts() {
        let mut rng = Rng::new(5);
        for len in 0..40 {
            let moves: Vec<(i32, u32)> = (0..len).map(|bits| (rng.below(9) as i32 - 4, bits * 0x0300_0001)).collect();
            let mut picks: Vec<u64> = moves.iter().map(|&(score, bits)| pick(score, bits)).collect();
            let picked: Vec<u32> = (0..picks.len()).map(|at| bits(next(&mut picks, at))).collect();
            let mut sorted = moves.clone();
            sorted.sort_by_key(|&(score, bits)| (-score, bits));
            assert_eq!(picked, sorted.iter().map(|&(_, bits)| bits).collect::<Vec<_>>());
        }
        assert!(pick(i32::MAX, 7) > pick(i32::MAX - 1, 0) && pick(-1, 7) > pick(i32::MIN, 7));
    }

    #[test]
    fn history_stays_on_its_scale() {
        let mut history = History::default();
        for _ in 0..10_000 {
            history.update(Side::First, 3, 30, true);
            history.update(Side::Second, 3, 30, false);
        }
        let (high, low) = (history.score(Side::First, 3), history.score(Side::Second, 3));
        assert!(high > HISTORY * 9 / 10 && high <= HISTORY && low == -high, "{high} {low}");
        history.age();
        assert_eq!(history.score(Side::First, 3), high / 2);
        history.clear();
        assert_eq!(history.score(Side::First, 3), 0);
    }
}
