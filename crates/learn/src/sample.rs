//! Positions with what they are worth, and which of them are kept back to judge by.

use crate::Model;

/// Labels count hundredths of a disc, or of whatever the game scores by.
pub const PER_DISC: f32 = 100.0;

/// A position and what it is worth.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Sample<P> {
    /// The position.
    pub position: P,
    /// Its worth for the mover, in hundredths.
    pub label: i16,
    /// The game it comes from. Positions of one game are alike, so they are trained on or judged by together.
    pub game: u32,
}

/// Samples, apart for each stage of the game.
#[derive(Clone, Debug)]
pub struct Samples<P> {
    stages: Vec<Vec<Sample<P>>>,
}

impl<P: Copy> Samples<P> {
    /// No samples of a model's stages.
    pub fn new<M: Model<Position = P>>(model: &M) -> Samples<P> {
        Samples { stages: (0..model.stages()).map(|_| Vec::new()).collect() }
    }

    /// Adds a sample to the stage it belongs to.
    pub fn push<M: Model<Position = P>>(&mut self, model: &M, sample: Sample<P>) {
        if let Some(stage) = self.stages.get_mut(model.stage(&sample.position)) {
            stage.push(sample);
        }
    }

    /// The samples of a stage, in the order they came; none of a stage that does not exist.
    pub fn stage(&self, stage: usize) -> &[Sample<P>] {
        self.stages.get(stage).map_or(&[], Vec::as_slice)
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.stages.iter().map(Vec::len).sum()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// A number that other samples, or the same in another order, hardly have.
    pub fn fingerprint<M: Model<Position = P>>(&self, model: &M) -> u64 {
        let mut sums = [crc32fast::Hasher::new(), crc32fast::Hasher::new_with_initial(0x7465_7375)];
        let mut room = vec![0; bytes::<M>()];
        for stage in &self.stages {
            for sample in stage {
                write(model, sample, &mut room);
                sums[0].update(&room);
            }
            sums[1].update(&(stage.len() as u64).to_le_bytes());
            sums[1].update(&sums[0].clone().finalize().to_le_bytes());
        }
        let [low, high] = sums.map(crc32fast::Hasher::finalize);
        u64::from(high) << 32 | u64::from(low)
    }
}

/// How many bytes a sample has.
pub(crate) const fn bytes<M: Model>() -> usize {
    M::BYTES + 6
}

/// A sample as bytes: the position, the label, the game.
pub(crate) fn write<M: Model>(model: &M, sample: &Sample<M::Position>, to: &mut [u8]) {
    let (position, rest) = to.split_at_mut(M::BYTES);
    model.pack(&sample.position, position);
    rest[..2].copy_from_slice(&sample.label.to_le_bytes());
    rest[2..6].copy_from_slice(&sample.game.to_le_bytes());
}

/// The sample of bytes that [`write`] wrote.
pub(crate) fn read<M: Model>(model: &M, from: &[u8]) -> Option<Sample<M::Position>> {
    let (position, rest) = from.split_at_checked(M::BYTES)?;
    let &[a, b, c, d, e, f] = rest else { return None };
    Some(Sample {
        position: model.unpack(position)?,
        label: i16::from_le_bytes([a, b]),
        game: u32::from_le_bytes([c, d, e, f]),
    })
}

/// Which games are kept back.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Holdout {
    /// Which of the games: another seed keeps back others.
    pub seed: u64,
    /// One game in so many; 0 for none.
    pub every: u32,
}

impl Holdout {
    /// Whether a game is kept back. It depends on nothing else, so that data sets may be joined and taken apart.
    pub fn keeps(&self, game: u32) -> bool {
        let mixed = scattered(self.seed.wrapping_add(u64::from(game)));
        self.every != 0 && mixed.is_multiple_of(u64::from(self.every))
    }
}

/// SplitMix64's finish: neighbouring numbers have nothing in common after it.
pub(crate) fn scattered(number: u64) -> u64 {
    let mixed = number.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^ (mixed >> 31)
}
