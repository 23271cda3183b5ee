//! Batches of positions: which ones, in which order, and what a network is to say about them.

use std::sync::mpsc::{Receiver, SyncSender};

use tesuji_game::Outcome;
use tesuji_learn::DataSetError;
use tesuji_learn::positions::{PositionEntry, PositionGame, PositionSets};
use tesuji_nn::{Batch, Planes, PolicyTargets};

use crate::network::{encoding_of, plane_words};
use tesuji_learn::Shuffle;

/// What the value head is trained on.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct ValueTarget {
    /// The share of the result; the rest is that of the search value.
    pub(super) lambda: f32,
    /// The search value at which the win rate is 1/(1 + 1/e).
    pub(super) scale: f32,
}

impl ValueTarget {
    /// The win rate to learn; NaN if nothing is known.
    pub(super) fn of<G>(self, entry: &PositionEntry<G>) -> f32 {
        let result = entry.result.map(win_rate);
        let search = entry.value.filter(|_| self.lambda < 1.0);
        let search = search.map(|value| 1.0 / (1.0 + (-f32::from(value) / self.scale).exp()));
        match (result, search) {
            (Some(result), Some(search)) => self.lambda * result + (1.0 - self.lambda) * search,
            (one, other) => one.or(other).unwrap_or(f32::NAN),
        }
    }
}

/// The share of a point that a result is worth to the mover.
pub(super) fn win_rate(result: Outcome) -> f32 {
    match result {
        Outcome::Loss => 0.0,
        Outcome::Draw => 0.5,
        Outcome::Win => 1.0,
    }
}

/// The policy to learn: the visits of a search, or else the move played. Probabilities add up to 1.
pub(super) fn policy_target<G>(entry: &PositionEntry<G>, target: &mut Vec<(u32, f32)>) {
    target.clear();
    let all: f32 = entry.visits.iter().map(|(_, visits)| f32::from(*visits)).sum();
    if all > 0.0 {
        let share = |&(label, visits): &(u16, u16)| (u32::from(label), f32::from(visits) / all);
        target.extend(entry.visits.iter().map(share));
    } else {
        target.extend(entry.label.map(|label| (u32::from(label), 1.0)));
    }
}

/// Positions in memory, ready for a network.
#[derive(Debug, Default)]
pub(super) struct LoadedBatch {
    planes: Vec<u64>,
    policy: Vec<Vec<(u32, f32)>>,
    value: Vec<f32>,
}

impl LoadedBatch {
    /// As the trainer reads it.
    pub(super) fn batch(&self) -> Batch<'_> {
        Batch {
            planes: Planes::Bits(&self.planes),
            size: self.value.len(),
            policy: Some(PolicyTargets::Distributions(&self.policy)),
            value: Some(&self.value),
        }
    }
}

/// Reads the batches of a training. A batch depends on the data sets, the seed and its number alone.
pub(super) struct BatchLoader<'a, G> {
    pub(super) sets: &'a PositionSets<G>,
    pub(super) seed: u64,
    pub(super) batch: u64,
    pub(super) target: ValueTarget,
}

impl<G: PositionGame> BatchLoader<'_, G> {
    /// Reads the batch of a step. The epochs follow on each other without a gap.
    pub(super) fn load(
        &self,
        step: u64,
        entry: &mut PositionEntry<G>,
        loaded: &mut LoadedBatch,
    ) -> Result<(), DataSetError> {
        let (words, count, size) = (encoding_of::<G>().words(), self.sets.len() as u64, self.batch as usize);
        loaded.planes.resize(size * words, 0);
        loaded.policy.resize_with(size, Vec::new);
        loaded.value.resize(size, 0.0);
        let mut epoch = step * self.batch / count;
        let mut shuffle = Shuffle::new(count, self.seed, epoch);
        for place in 0..size {
            let number = step * self.batch + place as u64;
            if number / count != epoch {
                epoch = number / count;
                shuffle = Shuffle::new(count, self.seed, epoch);
            }
            let at = number % count;
            self.sets.entry(shuffle.at(at) as usize, entry)?;
            plane_words(&entry.position, &mut loaded.planes[place * words..][..words]);
            policy_target(entry, &mut loaded.policy[place]);
            loaded.value[place] = self.target.of(entry);
        }
        Ok(())
    }

    /// Reads batches until nobody wants more; `used` returns those whose memory may be used again.
    pub(super) fn run(
        &self,
        steps: std::ops::Range<u64>,
        ready: &SyncSender<Result<LoadedBatch, DataSetError>>,
        used: &Receiver<LoadedBatch>,
    ) {
        let mut entry = PositionEntry::of(G::start());
        for step in steps {
            let mut loaded = used.try_recv().unwrap_or_default();
            let result = self.load(step, &mut entry, &mut loaded);
            let failed = result.is_err();
            if ready.send(result.map(|()| loaded)).is_err() || failed {
                return;
            }
        }
    }
}
