//! Samples (positions with labels), deterministic sampling, and the held-out set.

use crate::Model;

/// Labels count hundredths of a point, the unit of the game's score (a disc in Othello).
pub const LABEL_SCALE: f32 = 100.0;

/// A position and its label.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Sample<P> {
    /// The position.
    pub position: P,
    /// Its score for the side to move, in hundredths of a point.
    pub label: i16,
    /// The game it comes from. Positions of one game are correlated, so all of them are trained on or all held out.
    pub game: u32,
}

impl<P: Copy> Sample<P> {
    /// The samples of one game.
    pub fn of_game(game: u32, labeled: Vec<(P, i16)>) -> impl Iterator<Item = Sample<P>> {
        labeled.into_iter().map(move |(position, label)| Sample { position, label, game })
    }
}

/// Samples, grouped by stage.
#[derive(Clone, Debug)]
pub struct Samples<P> {
    stages: Vec<Vec<Sample<P>>>,
}

impl<P: Copy> Samples<P> {
    /// An empty set with the stages of a model.
    pub fn new<M: Model<Position = P>>(model: &M) -> Samples<P> {
        Samples { stages: (0..model.stages()).map(|_| Vec::new()).collect() }
    }

    /// Adds a sample to its stage.
    pub fn push<M: Model<Position = P>>(&mut self, model: &M, sample: Sample<P>) {
        if let Some(stage) = self.stages.get_mut(model.stage(&sample.position)) {
            stage.push(sample);
        }
    }

    /// The samples of a stage in insertion order; empty for a stage that does not exist.
    pub fn stage(&self, stage: usize) -> &[Sample<P>] {
        self.stages.get(stage).map_or(&[], Vec::as_slice)
    }

    /// Number of samples.
    pub fn len(&self) -> usize {
        self.stages.iter().map(Vec::len).sum()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// A hash of the samples and their order.
    pub fn fingerprint<M: Model<Position = P>>(&self, model: &M) -> u64 {
        let mut sums = [crc32fast::Hasher::new(), crc32fast::Hasher::new_with_initial(0x7465_7375)];
        let mut bytes = vec![0; size::<M>()];
        for stage in &self.stages {
            for sample in stage {
                write(model, sample, &mut bytes);
                sums[0].update(&bytes);
            }
            sums[1].update(&(stage.len() as u64).to_le_bytes());
            sums[1].update(&sums[0].clone().finalize().to_le_bytes());
        }
        let [low, high] = sums.map(crc32fast::Hasher::finalize);
        u64::from(high) << 32 | u64::from(low)
    }

    /// Up to `count` samples of a stage, no two of the same position. The choice depends on the seed and the positions
    /// only, not on their order. Of several samples of one position the first is taken.
    pub fn draw<M: Model<Position = P>>(&self, model: &M, stage: usize, count: usize, seed: u64) -> Vec<Sample<P>> {
        let mut bytes = vec![0; M::BYTES];
        let keyed = self.stage(stage).iter().zip(0_u32..).map(|(sample, index)| {
            model.pack(&sample.position, &mut bytes);
            (hash(seed, &bytes), index)
        });
        let mut keys: Vec<(u64, u32)> = keyed.collect();
        keys.sort_unstable();
        keys.dedup_by_key(|(key, _)| *key);
        keys.into_iter().take(count).map(|(_, index)| self.stage(stage)[index as usize]).collect()
    }
}

/// Bytes of a sample.
pub(crate) const fn size<M: Model>() -> usize {
    M::BYTES + 6
}

/// Writes a sample: the position, the label, the game.
pub(crate) fn write<M: Model>(model: &M, sample: &Sample<M::Position>, to: &mut [u8]) {
    let (position, rest) = to.split_at_mut(M::BYTES);
    model.pack(&sample.position, position);
    rest[..2].copy_from_slice(&sample.label.to_le_bytes());
    rest[2..6].copy_from_slice(&sample.game.to_le_bytes());
}

/// Reads a sample that [`write`] wrote.
pub(crate) fn read<M: Model>(model: &M, from: &[u8]) -> Option<Sample<M::Position>> {
    let (position, rest) = from.split_at_checked(M::BYTES)?;
    let &[a, b, c, d, e, f] = rest else { return None };
    Some(Sample {
        position: model.unpack(position)?,
        label: i16::from_le_bytes([a, b]),
        game: u32::from_le_bytes([c, d, e, f]),
    })
}

/// Which games form the held-out set.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Holdout {
    /// Another seed holds out other games.
    pub seed: u64,
    /// One game in this many is held out; 0 for none.
    pub every: u32,
}

impl Holdout {
    /// One game in twenty.
    pub fn standard(seed: u64) -> Holdout {
        Holdout { seed, every: 20 }
    }

    /// Whether a game is held out. Depends only on the seed and the game, so data sets may be joined and split.
    pub fn contains(&self, game: u32) -> bool {
        let mixed = split_mix(self.seed.wrapping_add(u64::from(game)));
        self.every != 0 && mixed.is_multiple_of(u64::from(self.every))
    }
}

/// The SplitMix64 finalizer.
fn split_mix(number: u64) -> u64 {
    let mixed = number.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^ (mixed >> 31)
}

/// A hash of bytes.
fn hash(seed: u64, bytes: &[u8]) -> u64 {
    bytes.chunks(8).fold(split_mix(seed), |mixed, part| {
        let mut word = [0; 8];
        word[..part.len()].copy_from_slice(part);
        split_mix(mixed ^ u64::from_le_bytes(word))
    })
}
