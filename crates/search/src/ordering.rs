//! Move ordering: history heuristic, continuation and correction history, and the move picker.

use tesuji_game::Side;

/// The largest history score, either way.
pub const HISTORY: i32 = 8192;
/// The score of a killer: a move that caused a beta cutoff at the same ply.
pub const KILLER: i32 = 6000;

/// Bits of an index into the table of one side.
const INDEX_BITS: u32 = 13;
/// Bits of a key in the continuation history, its side included.
const CONTINUATION_BITS: u32 = 12;
/// Bits of a key in the capture history.
const CAPTURE_BITS: u32 = 16;
/// Bits of an index into the history of quiet moves of one side.
const QUIET_BITS: u32 = 15;
/// The largest score in the continuation history and the capture history, either way.
pub const CONTINUATION_HISTORY: i32 = 30_000;
/// Bits of an index into the correction history of one side.
const CORRECTION_BITS: u32 = 14;
/// Entries of the correction history per unit of the evaluation.
const CORRECTION_GRAIN: i32 = 64;
/// The largest correction.
const CORRECTION_LIMIT: i32 = 300;
/// The weight of the old correction beside that of a new one.
const CORRECTION_INERTIA: i32 = 256;
/// After this many picks the rest is sorted: a cutoff has become unlikely.
const SELECTION_PICKS: usize = 8;

/// The scores of all moves after an earlier one, by their keys.
pub(crate) type ContinuationRow = [i16; 1 << CONTINUATION_BITS];

/// The row of no earlier move: the key of no move, so its scores stay 0.
pub(crate) const NO_ROW: u32 = 0;

/// History heuristic: how often a move caused a beta cutoff. The tables have a fixed size; moves that share an index
/// share a score.
#[derive(Clone, Debug)]
pub(crate) struct History {
    /// By side and move.
    butterfly: Vec<i16>,
    /// By the keys of an earlier move and of a move, each with its side; empty until it is used.
    continuation: Vec<i16>,
    /// Of captures and promotions by side and key; empty until it is used.
    capture: Vec<i16>,
    /// Of quiet moves by side and move; empty until it is used.
    quiet: Vec<i16>,
    /// Errors of the static evaluation by side and correction key, in [`CORRECTION_GRAIN`]ths of a unit; empty until it
    /// is used.
    correction: Vec<i16>,
}

impl Default for History {
    fn default() -> History {
        History {
            butterfly: vec![0; 2 << INDEX_BITS],
            continuation: Vec::new(),
            capture: Vec::new(),
            quiet: Vec::new(),
            correction: Vec::new(),
        }
    }
}

/// Moves `score` towards ±[`HISTORY`]. The step shrinks towards the end of the scale (history gravity).
#[inline]
fn adjust(score: &mut i16, weight: i32, good: bool) {
    let now = i32::from(*score);
    let step = if good { weight } else { -weight } - now * weight / HISTORY;
    *score = (now + step) as i16;
}

/// Adds `bonus` to a score and keeps it within ±`limit`: the nearer the limit, the smaller the step (history gravity).
#[inline]
fn add(score: &mut i16, bonus: i32, limit: i32) {
    let now = i32::from(*score);
    *score = (now + bonus - now * bonus.abs() / limit) as i16;
}

/// Gives a table its size. A new one comes zeroed from the system, so that only what is used takes memory.
fn resize(table: &mut Vec<i16>, size: usize) {
    if table.len() != size {
        *table = vec![0; size];
    }
}

/// The weight of a result at this depth.
#[inline]
fn weight(depth: u32) -> i32 {
    (depth * depth).min(1024) as i32
}

impl History {
    /// Allocates the tables that the heuristics use.
    pub(crate) fn allocate(&mut self, staged: bool, correction: bool) {
        let size = |used: bool, size: usize| if used { size } else { 0 };
        resize(&mut self.continuation, size(staged, 1 << (2 * CONTINUATION_BITS)));
        resize(&mut self.capture, size(staged, 2 << CAPTURE_BITS));
        resize(&mut self.quiet, size(staged, 2 << QUIET_BITS));
        resize(&mut self.correction, size(correction, 2 << CORRECTION_BITS));
    }

    #[inline]
    fn index(side: Side, bits: u32) -> usize {
        side.index() << INDEX_BITS | (bits.wrapping_mul(0x9e37_79b1) >> (32 - INDEX_BITS)) as usize
    }

    /// The score of a move, within ±[`HISTORY`].
    #[inline]
    pub(crate) fn score(&self, side: Side, bits: u32) -> i32 {
        i32::from(self.butterfly[History::index(side, bits)])
    }

    /// The key of a move of this side in the continuation history.
    #[inline]
    pub(crate) fn continuation_key(side: Side, key: u32) -> u32 {
        (side.index() as u32) << (CONTINUATION_BITS - 1) | key & ((1 << (CONTINUATION_BITS - 1)) - 1)
    }

    /// The scores of all moves after an earlier one.
    #[inline]
    pub(crate) fn continuation_row(&self, earlier: u32) -> &ContinuationRow {
        &self.continuation.as_chunks().0[earlier as usize]
    }

    /// Adds to the score of a move after an earlier one.
    #[inline]
    pub(crate) fn add_continuation(&mut self, earlier: u32, key: u32, bonus: i32) {
        if earlier != NO_ROW {
            let index = (earlier as usize) << CONTINUATION_BITS | key as usize;
            add(&mut self.continuation[index], bonus, CONTINUATION_HISTORY);
        }
    }

    #[inline]
    fn capture_index(side: Side, key: u32) -> usize {
        side.index() << CAPTURE_BITS | key as usize & ((1 << CAPTURE_BITS) - 1)
    }

    /// The score of a capture or promotion.
    #[inline]
    pub(crate) fn capture_score(&self, side: Side, key: u32) -> i32 {
        i32::from(self.capture[History::capture_index(side, key)])
    }

    /// Adds to the score of a capture or promotion.
    #[inline]
    pub(crate) fn add_capture(&mut self, side: Side, key: u32, bonus: i32) {
        add(&mut self.capture[History::capture_index(side, key)], bonus, CONTINUATION_HISTORY);
    }

    #[inline]
    fn quiet_index(side: Side, bits: u32) -> usize {
        side.index() << QUIET_BITS | (bits ^ bits >> QUIET_BITS) as usize & ((1 << QUIET_BITS) - 1)
    }

    /// The score of a quiet move.
    #[inline]
    pub(crate) fn quiet_score(&self, side: Side, bits: u32) -> i32 {
        i32::from(self.quiet[History::quiet_index(side, bits)])
    }

    /// Adds to the score of a quiet move.
    #[inline]
    pub(crate) fn add_quiet(&mut self, side: Side, bits: u32, bonus: i32) {
        add(&mut self.quiet[History::quiet_index(side, bits)], bonus, HISTORY);
    }

    /// Updates the score of a move that caused a beta cutoff (or did not) at this depth.
    #[inline]
    pub(crate) fn update(&mut self, side: Side, bits: u32, depth: u32, good: bool) {
        adjust(&mut self.butterfly[History::index(side, bits)], weight(depth), good);
    }

    #[inline]
    fn correction_index(side: Side, key: u64) -> usize {
        side.index() << CORRECTION_BITS | (key.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> (64 - CORRECTION_BITS)) as usize
    }

    /// What to add to the static evaluation of a position with this correction key.
    #[inline]
    pub(crate) fn correction(&self, side: Side, key: u64) -> i32 {
        i32::from(self.correction[History::correction_index(side, key)]) / CORRECTION_GRAIN
    }

    /// Learns that the static evaluation was too low by `error` at a node of this depth.
    #[inline]
    pub(crate) fn update_correction(&mut self, side: Side, key: u64, depth: u32, error: i32) {
        let entry = &mut self.correction[History::correction_index(side, key)];
        let weight = (depth + 1).min(16) as i32;
        let target = error.clamp(-CORRECTION_LIMIT, CORRECTION_LIMIT) * CORRECTION_GRAIN;
        *entry = ((i32::from(*entry) * (CORRECTION_INERTIA - weight) + target * weight) / CORRECTION_INERTIA) as i16;
    }

    /// Halves the scores of moves before a new search.
    pub(crate) fn age(&mut self) {
        self.butterfly.iter_mut().for_each(|score| *score /= 2);
    }

    /// Resets all scores.
    pub(crate) fn clear(&mut self) {
        self.butterfly.fill(0);
        self.continuation.fill(0);
        self.capture.fill(0);
        self.quiet.fill(0);
        self.correction.fill(0);
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

/// The score of a picked move.
#[inline]
pub(crate) fn score(pick: u64) -> i32 {
    ((pick >> 32) as u32 ^ 1 << 31) as i32
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
            assert!(picks.iter().zip(&sorted).all(|(&pick, &(most, _))| score(pick) == most));
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
        let mut learned = History::default();
        learned.allocate(true, true);
        for _ in 0..10_000 {
            learned.add_continuation(7, 3, 900);
            learned.add_capture(Side::First, 3, -900);
            learned.add_quiet(Side::Second, 3, 900);
            learned.update_correction(Side::First, 99, 12, 40);
            learned.update_correction(Side::Second, 99, 12, -9000);
        }
        let continuation = |row: u32, key: usize| i32::from(learned.continuation_row(row)[key]);
        assert!((29_000..=CONTINUATION_HISTORY).contains(&continuation(7, 3)));
        assert_eq!((continuation(3, 7), learned.capture_score(Side::Second, 3)), (0, 0));
        assert!((-CONTINUATION_HISTORY..-29_000).contains(&learned.capture_score(Side::First, 3)));
        assert!((7_900..=HISTORY).contains(&learned.quiet_score(Side::Second, 3)));
        assert!((38..=40).contains(&learned.correction(Side::First, 99)));
        assert!((-CORRECTION_LIMIT..-290).contains(&learned.correction(Side::Second, 99)));
        learned.clear();
        assert_eq!((learned.continuation_row(7)[3], learned.correction(Side::First, 99)), (0, 0));
        assert_eq!((learned.capture_score(Side::First, 3), learned.quiet_score(Side::Second, 3)), (0, 0));
        history.age();
        assert_eq!(history.score(Side::First, 3), high / 2);
        history.clear();
        assert_eq!(history.score(Side::First, 3), 0);
    }
}
