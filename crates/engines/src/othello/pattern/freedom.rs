//! Where both sides could play: how many squares each has, and how the empty ones are shared between them.

use tesuji_othello::mobility;

/// Squares that a side could play on are counted up to this.
const COUNTS: usize = 64;
/// Ways to share the empty squares.
const SHARES: usize = 8 * 8 * 8 * 4;

/// Where each side could play if it were its turn.
#[derive(Clone, Copy, Debug)]
pub struct Freedom {
    /// The mover.
    pub own: u64,
    /// The opponent.
    pub other: u64,
}

impl Freedom {
    /// Numbers of features that stand beside the patterns.
    pub(super) const FEATURES: usize = 3;
    /// Their weights.
    pub(super) const WEIGHTS: usize = 2 * COUNTS + SHARES;

    /// What a board allows.
    pub fn new(own: u64, other: u64) -> Freedom {
        Freedom { own: mobility(own, other), other: mobility(other, own) }
    }

    /// The weights to be summed: of the mover's squares, of the opponent's, and of who shares the empty ones: only the
    /// mover, only the opponent, both or nobody, each counted as far as it makes a difference.
    #[inline(always)]
    pub(super) fn numbers(self, empties: u32) -> [usize; Freedom::FEATURES] {
        let (mine, yours) = (self.own.count_ones() as usize, self.other.count_ones() as usize);
        let both = (self.own & self.other).count_ones() as usize;
        let nobody = (empties as usize + both).saturating_sub(mine + yours);
        let share = ((mine - both).min(7) * 8 + (yours - both).min(7)) * 8 + both.min(7);
        [mine & (COUNTS - 1), COUNTS + (yours & (COUNTS - 1)), 2 * COUNTS + share * 4 + nobody.min(3)]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tesuji_game::Game;
    use tesuji_othello::Othello;

    #[test]
    fn every_sharing_has_a_weight_of_its_own_kind() {
        let start = Othello::start();
        let freedom = Freedom::new(start.own(), start.other());
        // Four squares each, all different; 52 are nobody's.
        assert_eq!(freedom.numbers(60), [4, 64 + 4, 128 + (4 * 8 + 4) * 32 + 3]);
        let all = Freedom { own: u64::MAX, other: u64::MAX };
        assert_eq!(all.numbers(64)[2], 128 + 7 * 4);
        let [mine, yours, share] = Freedom { own: u64::MAX, other: 0 }.numbers(64);
        assert!(mine < 64 && (64..128).contains(&yours) && (128..Freedom::WEIGHTS).contains(&share));
    }
}
