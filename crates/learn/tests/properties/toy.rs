//! A toy game whose evaluation is known: a row of eight coins, each heads, tails or missing. The score of a position is a
//! sum over its pairs of adjacent coins.

use tesuji_learn::{Model, Sample, Samples};

/// Features: seven pairs of adjacent coins, each with nine values.
pub(crate) const PAIRS: usize = 7;

/// Coins as digits of base 3.
pub(crate) type Coins = u16;

pub(crate) struct Toy;

fn coin(coins: Coins, at: usize) -> u32 {
    u32::from(coins) / 3u32.pow(at as u32) % 3
}

impl Model for Toy {
    type Position = Coins;
    const BYTES: usize = 2;

    fn pack(&self, position: &Coins, to: &mut [u8]) {
        to.copy_from_slice(&position.to_le_bytes());
    }

    fn unpack(&self, from: &[u8]) -> Option<Coins> {
        let coins = Coins::from_le_bytes(from.try_into().ok()?);
        (coins < 6561).then_some(coins)
    }

    fn name(&self) -> &str {
        "coins/pairs/1"
    }

    fn stages(&self) -> usize {
        4
    }

    fn stage(&self, position: &Coins) -> usize {
        let away = (0..8).filter(|&at| coin(*position, at) == 0).count();
        away.min(6) / 2
    }

    fn weights(&self) -> usize {
        9 * PAIRS
    }

    fn features(&self) -> usize {
        PAIRS
    }

    fn active_features(&self, position: &Coins, to: &mut [u32]) {
        for (pair, to) in to.iter_mut().enumerate() {
            *to = 9 * pair as u32 + 3 * coin(*position, pair) + coin(*position, pair + 1);
        }
    }
}

/// The true score of a position, in hundredths. Each stage has its own rule.
pub(crate) fn true_score(coins: Coins) -> i16 {
    let mut list = [0; PAIRS];
    Toy.active_features(&coins, &mut list);
    let rule = 1 + Toy.stage(&coins) as u32;
    list.iter().map(|&weight| (weight * 37 * rule % 201) as i16 - 100).sum()
}

/// A linear congruential generator.
pub(crate) fn draw(state: &mut u64) -> u64 {
    *state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
    *state >> 33
}

/// Games of ten positions each, labelled with their score plus uniform noise.
pub(crate) fn games(count: u32, noise: i16, seed: u64) -> Samples<Coins> {
    let mut state = seed;
    let mut samples = Samples::new(&Toy);
    for game in 0..count {
        for _ in 0..10 {
            let position = (draw(&mut state) % 6561) as Coins;
            let off = (draw(&mut state) % (2 * noise as u64 + 1)) as i16 - noise;
            samples.push(&Toy, Sample { position, label: true_score(position) + off, game });
        }
    }
    samples
}
