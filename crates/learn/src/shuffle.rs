//! The order of the positions in an epoch: a permutation that is computed, not stored.

/// Rounds of the Feistel network. Four make a good permutation of a good round function (Luby and Rackoff, 1988).
const ROUNDS: usize = 4;

/// A permutation of the numbers below `count`: a Feistel network over the next even power of two, applied until the
/// result is in range (Black and Rogaway, 2002).
#[derive(Clone, Copy, Debug)]
pub struct Shuffle {
    count: u64,
    /// Bits of each half.
    bits: u32,
    keys: [u64; ROUNDS],
}

impl Shuffle {
    /// The order of an epoch.
    pub fn new(count: u64, seed: u64, epoch: u64) -> Shuffle {
        let bits = (u64::BITS - count.saturating_sub(1).leading_zeros()).div_ceil(2).max(1);
        let mut key = mix(seed) ^ mix(epoch.wrapping_add(0x5851_f42d_4c95_7f2d));
        let keys = std::array::from_fn(|_| {
            key = key.wrapping_add(0x9e37_79b9_7f4a_7c15);
            mix(key)
        });
        Shuffle { count, bits, keys }
    }

    /// The number at a place below `count`.
    pub fn at(&self, place: u64) -> u64 {
        debug_assert!(place < self.count);
        let mut number = self.permute(place);
        while number >= self.count {
            number = self.permute(number);
        }
        number
    }

    fn permute(&self, number: u64) -> u64 {
        let mask = (1 << self.bits) - 1;
        let (mut left, mut right) = (number >> self.bits, number & mask);
        for key in self.keys {
            (left, right) = (right, left ^ (mix(right ^ key) & mask));
        }
        left << self.bits | right
    }
}

/// The finaliser of SplitMix64.
fn mix(mut z: u64) -> u64 {
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn order(count: u64, seed: u64, epoch: u64) -> Vec<u64> {
        let shuffle = Shuffle::new(count, seed, epoch);
        (0..count).map(|place| shuffle.at(place)).collect()
    }

    #[test]
    fn every_number_comes_once() {
        for count in [1, 2, 3, 4, 5, 16, 17, 100, 1000, 4096, 4097] {
            let mut all = order(count, 7, 0);
            all.sort_unstable();
            assert!(all.into_iter().eq(0..count), "{count}");
        }
    }

    #[test]
    fn orders_depend_on_seed_and_epoch_and_look_random() {
        let first = order(10_000, 1, 0);
        assert_ne!(first, order(10_000, 1, 1));
        assert_ne!(first, order(10_000, 2, 0));
        assert_eq!(first, order(10_000, 1, 0));
        // The mean distance of neighbours in a random order is a third of the count, with a deviation of 0.24 %.
        let distance: u64 = first.windows(2).map(|pair| pair[0].abs_diff(pair[1])).sum();
        let mean = distance as f64 / 9_999.0;
        assert!((mean - 3_333.0).abs() < 100.0, "{mean}");
        // About one number in all stays where it was.
        assert!(first.iter().zip(0..).filter(|(number, place)| *number == place).count() < 10);
    }
}
