//! Random numbers for the first weights.

/// SplitMix64.
#[derive(Clone, Debug)]
pub(super) struct Random(u64);

impl Random {
    pub(super) fn new(seed: u64) -> Random {
        Random(seed ^ 0x6e6e_7565_0001)
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number within ±`spread`.
    pub(super) fn uniform(&mut self, spread: f32) -> f32 {
        let unit = (self.next() >> 40) as f32 / (1 << 24) as f32;
        (2.0 * unit - 1.0) * spread
    }
}
