//! A small generator of random numbers (xoshiro256++ by Blackman and Vigna, seeded by SplitMix64).

/// Random numbers that depend on the seed alone.
#[derive(Clone, Debug)]
pub struct Random([u64; 4]);

impl Random {
    /// The generator of a seed.
    pub fn new(seed: u64) -> Random {
        let mut state = seed;
        Random(std::array::from_fn(|_| {
            state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
            let mut z = state;
            z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
            z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
            z ^ (z >> 31)
        }))
    }

    /// The next 64 random bits.
    pub fn bits(&mut self) -> u64 {
        let s = &mut self.0;
        let result = s[0].wrapping_add(s[3]).rotate_left(23).wrapping_add(s[0]);
        let t = s[1] << 17;
        s[2] ^= s[0];
        s[3] ^= s[1];
        s[1] ^= s[2];
        s[0] ^= s[3];
        s[2] ^= t;
        s[3] = s[3].rotate_left(45);
        result
    }

    /// A number from 0 to 1, without 1.
    pub fn uniform(&mut self) -> f32 {
        (self.bits() >> 40) as f32 / (1u32 << 24) as f32
    }

    /// A number below `limit`, which must not be 0.
    pub fn below(&mut self, limit: usize) -> usize {
        ((u128::from(self.bits()) * limit as u128) >> 64) as usize
    }

    /// A number of the normal distribution with mean 0 and deviation 1 (Box and Muller).
    pub fn normal(&mut self) -> f32 {
        let radius = (-2.0 * (1.0 - f64::from(self.uniform())).ln()).sqrt();
        (radius * (std::f64::consts::TAU * f64::from(self.uniform())).cos()) as f32
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moments_are_those_of_the_distributions() {
        let mut random = Random::new(7);
        let count = 100_000;
        let normal: Vec<f64> = (0..count).map(|_| f64::from(random.normal())).collect();
        let mean = normal.iter().sum::<f64>() / f64::from(count);
        let variance = normal.iter().map(|x| x * x).sum::<f64>() / f64::from(count);
        assert!(mean.abs() < 0.02 && (variance - 1.0).abs() < 0.02, "mean {mean}, variance {variance}");
        let uniform = (0..count).map(|_| f64::from(random.uniform())).sum::<f64>() / f64::from(count);
        assert!((uniform - 0.5).abs() < 0.01, "mean {uniform}");
        assert!((0..count).all(|_| random.below(3) < 3));
    }
}
