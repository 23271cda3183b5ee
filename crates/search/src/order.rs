//! Which move to try first: what was learned on the way, and picking without sorting more than is needed.

use tesuji_game::Side;

/// Moves that cut stand out by as much as this at most, either way.
pub const HISTORY: i32 = 8192;
/// What a killer, a move that has just cut at the same height of the tree, is worth.
pub const KILLER: i32 = 6000;

/// Bits of a place in the table of one side.
const BITS: u32 = 13;
/// After so many moves were picked one by one the rest is sorted: nothing seems to cut here.
const PICKED: usize = 8;

/// How often a move was good wherever it was tried, side by side in a table of bounded size: moves that
/// share a place share their luck.
#[derive(Clone, Debug)]
pub(crate) struct History {
    worth: Vec<i16>,
}

impl Default for History {
    fn default() -> History {
        History { worth: vec![0; 2 << BITS] }
    }
}

impl History {
    #[inline]
    fn place(side: Side, bits: u32) -> usize {
        side.index() << BITS | (bits.wrapping_mul(0x9e37_79b1) >> (32 - BITS)) as usize
    }

    /// What is known of a move, within ±[`HISTORY`].
    #[inline]
    pub(crate) fn worth(&self, side: Side, bits: u32) -> i32 {
        i32::from(self.worth[History::place(side, bits)])
    }

    /// The move has cut (or not), with so many plies to look ahead. The nearer to the end of the scale, the
    /// less is added, so that it is never passed.
    pub(crate) fn learn(&mut self, side: Side, bits: u32, depth: u32, good: bool) {
        let weight = (depth * depth).min(1024) as i32;
        let worth = &mut self.worth[History::place(side, bits)];
        let now = i32::from(*worth);
        let step = if good { weight } else { -weight } - now * weight / HISTORY;
        *worth = (now + step) as i16;
    }

    /// Another search begins: half of it is still believed.
    pub(crate) fn fade(&mut self) {
        self.worth.iter_mut().for_each(|worth| *worth /= 2);
    }

    /// Forgets everything.
    pub(crate) fn clear(&mut self) {
        self.worth.fill(0);
    }
}

/// A move with its promise in one word: the greater is tried first, of equals the one with the lower bits.
#[inline]
pub(crate) fn pick(promise: i32, bits: u32) -> u64 {
    u64::from(promise as u32 ^ 1 << 31) << 32 | u64::from(!bits)
}

/// The bits of a picked move.
#[inline]
pub(crate) fn bits(pick: u64) -> u32 {
    !(pick as u32)
}

/// Brings the most promising of the picks from `at` on to that place; those before it were taken in turn.
#[inline]
pub(crate) fn next(picks: &mut [u64], at: usize) -> u64 {
    if at < PICKED {
        let mut best = at;
        for index in at + 1..picks.len() {
            if picks[index] > picks[best] {
                best = index;
            }
        }
        picks.swap(at, best);
    } else if at == PICKED {
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
            let moves: Vec<(i32, u32)> =
                (0..len).map(|bits| (rng.below(9) as i32 - 4, bits * 0x0300_0001)).collect();
            let mut picks: Vec<u64> = moves.iter().map(|&(promise, bits)| pick(promise, bits)).collect();
            let picked: Vec<u32> = (0..picks.len()).map(|at| bits(next(&mut picks, at))).collect();
            let mut sorted = moves.clone();
            sorted.sort_by_key(|&(promise, bits)| (-promise, bits));
            assert_eq!(picked, sorted.iter().map(|&(_, bits)| bits).collect::<Vec<_>>());
        }
        assert!(pick(i32::MAX, 7) > pick(i32::MAX - 1, 0) && pick(-1, 7) > pick(i32::MIN, 7));
    }

    #[test]
    fn history_stays_on_its_scale() {
        let mut history = History::default();
        for _ in 0..10_000 {
            history.learn(Side::First, 3, 30, true);
            history.learn(Side::Second, 3, 30, false);
        }
        let (high, low) = (history.worth(Side::First, 3), history.worth(Side::Second, 3));
        assert!(high > HISTORY * 9 / 10 && high <= HISTORY && low == -high, "{high} {low}");
        history.fade();
        assert_eq!(history.worth(Side::First, 3), high / 2);
        history.clear();
        assert_eq!(history.worth(Side::First, 3), 0);
    }
}
