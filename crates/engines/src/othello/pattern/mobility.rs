//! The mobility features: how many moves each side has, and how the empty squares are divided between them.

use tesuji_othello::mobility;

/// Move counts are limited to this.
const COUNTS: usize = 64;
/// Divisions of the empty squares.
const DIVISIONS: usize = 8 * 8 * 8 * 4;

/// The legal moves of each side if it were to move.
#[derive(Clone, Copy, Debug)]
pub struct MobilityPair {
    /// The mover.
    pub own: u64,
    /// The opponent.
    pub other: u64,
}

impl MobilityPair {
    /// Features beside the patterns.
    pub(super) const FEATURES: usize = 3;
    /// Their weights.
    pub(super) const WEIGHTS: usize = 2 * COUNTS + DIVISIONS;

    /// The mobility on a board.
    pub fn new(own: u64, other: u64) -> MobilityPair {
        MobilityPair { own: mobility(own, other), other: mobility(other, own) }
    }

    /// The weight index of each feature: the mover's move count, the opponent's, and the division of the empty squares
    /// into those only the mover, only the opponent, both or neither can play, each count limited.
    #[inline(always)]
    pub(super) fn features(self, empties: u32) -> [usize; MobilityPair::FEATURES] {
        let (own, other) = (self.own.count_ones() as usize, self.other.count_ones() as usize);
        let both = (self.own & self.other).count_ones() as usize;
        let neither = (empties as usize + both).saturating_sub(own + other);
        let division = ((own - both).min(7) * 8 + (other - both).min(7)) * 8 + both.min(7);
        [own & (COUNTS - 1), COUNTS + (other & (COUNTS - 1)), 2 * COUNTS + division * 4 + neither.min(3)]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tesuji_game::Game;
    use tesuji_othello::Othello;

    #[test]
    fn each_feature_has_its_own_range_of_weights() {
        let start = Othello::start();
        let mobility = MobilityPair::new(start.own(), start.other());
        // Four moves each, all different; neither side can play on 52 squares.
        assert_eq!(mobility.features(60), [4, 64 + 4, 128 + (4 * 8 + 4) * 32 + 3]);
        let all = MobilityPair { own: u64::MAX, other: u64::MAX };
        assert_eq!(all.features(64)[2], 128 + 7 * 4);
        let [own, other, division] = MobilityPair { own: u64::MAX, other: 0 }.features(64);
        assert!(own < 64 && (64..128).contains(&other));
        assert!((128..MobilityPair::WEIGHTS).contains(&division));
    }
}
