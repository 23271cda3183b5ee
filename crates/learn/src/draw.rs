//! Drawing some of many samples, the same ones for everybody.

use crate::sample::{Sample, Samples};
use crate::{Model, sample};

impl<P: Copy + Eq> Samples<P> {
    /// So many samples of a stage, or as many as there are, no two of the same position. Which ones depends on the
    /// seed and the positions alone, and not on their order; of samples of the same position the first is taken.
    pub fn drawn<M: Model<Position = P>>(
        &self,
        model: &M,
        stage: usize,
        count: usize,
        seed: u64,
    ) -> Vec<Sample<P>> {
        let mut bytes = vec![0; sample::bytes::<M>()];
        let mut list: Vec<(u64, u32)> = self
            .stage(stage)
            .iter()
            .zip(0..)
            .map(|(one, at)| {
                model.pack(&one.position, &mut bytes[..M::BYTES]);
                (mixed(seed, &bytes[..M::BYTES]), at)
            })
            .collect();
        list.sort_unstable();
        list.dedup_by_key(|(drawn, _)| *drawn);
        list.into_iter().take(count).map(|(_, at)| self.stage(stage)[at as usize]).collect()
    }
}

/// A number for these bytes that seems to be chance.
fn mixed(seed: u64, bytes: &[u8]) -> u64 {
    bytes.chunks(8).fold(sample::scattered(seed), |mixed, part| {
        let mut word = [0; 8];
        word[..part.len()].copy_from_slice(part);
        sample::scattered(mixed ^ u64::from_le_bytes(word))
    })
}
