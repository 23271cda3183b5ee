//! Checkpoints of a training: everything that it needs to go on as if it had never ended.
//!
//! ```text
//! length of the text, 4 bytes | text | numbers of the lists, 4 bytes | length of each, 4 | numbers of all lists, 4 each
//! ```
//!
//! This is the payload of a [`FileFrame`]. The text is JSON; the lists are the tensors of the network, the moments of the
//! optimiser, and the tensors of the best network if there is one.

use std::fs;
use std::io::ErrorKind;
use std::path::Path;

use serde::{Deserialize, Serialize};
use tesuji_learn::JobError;
use tesuji_nn::{Checkpoint, Metrics, Moments, Network};
use tesuji_store::frame::{Fields, FileFrame};
use tesuji_store::save;

use super::TrainingPoint;

const FRAME: FileFrame = FileFrame { magic: b"tesujiN\n", version: 1 };

/// The part of a checkpoint that is not numbers of tensors.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub(super) struct TrainingProgress {
    /// What is trained, on what and how: equal tasks give equal networks.
    pub(super) task: String,
    /// The instruction set of the last run.
    pub(super) instructions: String,
    /// Steps done.
    pub(super) step: u64,
    /// Seconds of training, without evaluations, over all runs.
    pub(super) seconds: f64,
    /// What has been learned since the last evaluation.
    pub(super) since: SavedMetrics,
    /// Seconds of training at the last evaluation.
    pub(super) seconds_before: f64,
    /// The evaluations so far.
    pub(super) points: Vec<TrainingPoint>,
    /// The evaluation of the best network, from 0.
    pub(super) best: Option<usize>,
}

/// [`Metrics`] with sums as bits, which text and back do not change.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub(super) struct SavedMetrics {
    counts: [u64; 6],
    sums: [u64; 2],
}

impl From<&Metrics> for SavedMetrics {
    fn from(m: &Metrics) -> SavedMetrics {
        SavedMetrics {
            counts: [m.positions, m.with_policy, m.policy_hits, m.with_value, m.decided, m.value_hits],
            sums: [m.policy_loss.to_bits(), m.value_loss.to_bits()],
        }
    }
}

impl From<SavedMetrics> for Metrics {
    fn from(saved: SavedMetrics) -> Metrics {
        let [positions, with_policy, policy_hits, with_value, decided, value_hits] = saved.counts;
        let [policy_loss, value_loss] = saved.sums.map(f64::from_bits);
        Metrics { positions, with_policy, policy_loss, policy_hits, with_value, value_loss, decided, value_hits }
    }
}

/// The state of a training.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct TrainingState {
    pub(super) progress: TrainingProgress,
    pub(super) checkpoint: Checkpoint,
    /// The best network so far, if early stopping needs it.
    pub(super) best: Option<Network>,
}

/// Writes a checkpoint.
pub(super) fn save_checkpoint(
    path: &Path,
    progress: &TrainingProgress,
    checkpoint: &Checkpoint,
    best: Option<&Network>,
) -> Result<(), JobError> {
    save(path, &bytes(progress, checkpoint, best)?).map_err(JobError::failed)
}

/// Reads a checkpoint, if there is one. `like` is the network at the start, with the shapes of all tensors.
pub(super) fn load_checkpoint(path: &Path, task: &str, like: &Network) -> Result<Option<TrainingState>, JobError> {
    let bytes = match fs::read(path) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
        other => other.map_err(|error| JobError::Failed(format!("cannot read {}: {error}", path.display())))?,
    };
    let damaged = || {
        let path = path.display();
        JobError::Input(format!("{path} is damaged, or of another version: remove it to train from the start"))
    };
    let payload = FRAME.read(&bytes).map_err(|_| damaged())?;
    let (progress, lists) = parse(payload).ok_or_else(damaged)?;
    if progress.task != task {
        let command = progress.task.lines().next().unwrap_or_default();
        return Err(JobError::Input(format!(
            "{} holds an unfinished training with other data or settings: finish it with `{command}`, or remove it",
            path.display()
        )));
    }
    state(progress, lists, like).map(Some).ok_or_else(damaged)
}

fn bytes(progress: &TrainingProgress, checkpoint: &Checkpoint, best: Option<&Network>) -> Result<Vec<u8>, JobError> {
    let text = serde_json::to_string(progress).map_err(JobError::failed)?;
    let tensors = |network: &'_ Network| network.tensors().iter().map(|tensor| tensor.data.clone()).collect::<Vec<_>>();
    let Checkpoint { step: _, network, moments } = checkpoint;
    let mut lists = tensors(network);
    lists.extend(moments.first.iter().chain(&moments.second).cloned());
    lists.extend(best.map(tensors).unwrap_or_default());
    Ok(FRAME.write(|out| {
        // No list is anywhere near 4 G numbers long.
        let number = |out: &mut Vec<u8>, number: usize| out.extend((number as u32).to_le_bytes());
        number(out, text.len());
        out.extend(text.as_bytes());
        number(out, lists.len());
        lists.iter().for_each(|list| number(out, list.len()));
        for list in &lists {
            list.iter().for_each(|number| out.extend(number.to_le_bytes()));
        }
    }))
}

/// The text and the lists of a payload.
fn parse(payload: &[u8]) -> Option<(TrainingProgress, Vec<Vec<f32>>)> {
    let mut fields = Fields::new(payload);
    let length = fields.u32().ok()? as usize;
    let progress = serde_json::from_slice(fields.bytes(length).ok()?).ok()?;
    let count = fields.u32().ok()? as usize;
    let lengths = fields.bytes(count.checked_mul(4)?).ok()?.as_chunks::<4>().0;
    let mut lists = Vec::with_capacity(count);
    for length in lengths {
        let numbers = fields.bytes((u32::from_le_bytes(*length) as usize).checked_mul(4)?).ok()?;
        lists.push(numbers.as_chunks::<4>().0.iter().map(|&number| f32::from_le_bytes(number)).collect());
    }
    fields.is_empty().then_some((progress, lists))
}

fn state(progress: TrainingProgress, lists: Vec<Vec<f32>>, like: &Network) -> Option<TrainingState> {
    let tensors = like.tensors();
    let mut lists = lists.into_iter();
    let mut take = || lists.by_ref().take(tensors.len()).collect::<Vec<_>>();
    let network = |lists: Vec<Vec<f32>>| {
        let named = tensors.iter().zip(lists).map(|(tensor, data)| (tensor.name.clone(), tensor.shape.clone(), data));
        Network::from_tensors(like.encoding(), like.architecture(), named.collect()).ok()
    };
    let (own, first, second, best) = (take(), take(), take(), take());
    let best = if best.is_empty() { None } else { Some(network(best)?) };
    let checkpoint = Checkpoint { step: progress.step, network: network(own)?, moments: Moments { first, second } };
    lists.next().is_none().then_some(TrainingState { progress, checkpoint, best })
}

#[cfg(test)]
mod tests {
    use tesuji_nn::{Encoding, Trainer, TrainingOptions};

    use super::*;

    #[test]
    fn a_checkpoint_is_read_as_it_was_written_and_no_other_is_accepted() {
        let encoding = Encoding { height: 3, width: 3, planes: 2, policy_planes: 1 };
        let network = |seed| Network::new(encoding, "policy-value:blocks=1,channels=2".parse().unwrap(), seed);
        let trainer = Trainer::new(network(3), TrainingOptions::default(), 1).unwrap();
        let metrics = Metrics { positions: 3, policy_loss: 0.1 + 0.2, value_loss: 1.0 / 3.0, ..Metrics::default() };
        let progress = TrainingProgress {
            task: "tesuji train".to_owned(),
            step: 0,
            since: SavedMetrics::from(&metrics),
            best: Some(0),
            ..TrainingProgress::default()
        };
        assert_eq!(Metrics::from(progress.since), metrics);
        for best in [None, Some(network(4))] {
            let whole = bytes(&progress, trainer.checkpoint(), best.as_ref()).unwrap();
            let folder = tempfile::tempdir().unwrap();
            let path = folder.path().join("checkpoint");
            assert_eq!(load_checkpoint(&path, "tesuji train", &network(1)), Ok(None));
            fs::write(&path, &whole).unwrap();
            let state = load_checkpoint(&path, "tesuji train", &network(1)).unwrap().unwrap();
            assert_eq!((&state.progress, &state.checkpoint, &state.best), (&progress, trainer.checkpoint(), &best));
            let error = load_checkpoint(&path, "other", &network(1)).unwrap_err().to_string();
            assert!(error.contains("finish it with `tesuji train`"), "{error}");
            let wide = Network::new(encoding, "policy-value:blocks=1,channels=3".parse().unwrap(), 1);
            assert!(load_checkpoint(&path, "tesuji train", &wide).unwrap_err().to_string().contains("is damaged"));
            for byte in (0..whole.len()).step_by(whole.len() / 40) {
                let mut hit = whole.clone();
                hit[byte] ^= 1;
                fs::write(&path, &hit).unwrap();
                assert!(load_checkpoint(&path, "tesuji train", &network(1)).is_err(), "byte {byte}");
                fs::write(&path, &whole[..byte]).unwrap();
                assert!(load_checkpoint(&path, "tesuji train", &network(1)).is_err(), "cut to {byte}");
            }
        }
    }
}
