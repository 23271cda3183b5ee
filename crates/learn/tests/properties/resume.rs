//! A training that is interrupted any number of times ends with the same weights.

use std::fs;
use std::path::Path;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use tempfile::TempDir;
use tesuji_learn::{Checkpoints, Samples, TrainError, TrainedStage, TrainingConfig, Weights, train};
use tesuji_task::{CancelToken, Context, Progress};

use crate::toy::{Coins, Toy, games};
use crate::training::{config, trained};

fn short() -> TrainingConfig {
    TrainingConfig { iterations: 6, smooth: 0.3, ridge: 1.0, ..config() }
}

/// Resumes from the checkpoints in the folder, and cancels at the report of this number.
fn part(
    samples: &Samples<Coins>,
    config: &TrainingConfig,
    folder: &Path,
    reports: u32,
) -> Result<Option<Vec<TrainedStage>>, TrainError> {
    let (cancel, count) = (CancelToken::new(), AtomicU32::new(0));
    let progress = |_: Progress<'_>| {
        if count.fetch_add(1, Ordering::Relaxed) + 1 >= reports {
            cancel.cancel();
        }
    };
    // Every second run writes a checkpoint after each iteration.
    let every = if reports.is_multiple_of(2) { Duration::ZERO } else { Duration::MAX };
    let context = Context { cancel: &cancel, progress: &progress };
    train(&Toy, samples, &Weights::zero(&Toy), config, 2, Some(Checkpoints { folder, every }), context)
}

#[test]
fn interruptions_do_not_change_the_weights() {
    let samples = games(200, 100, 21);
    let whole = trained(&samples, &short(), 1);
    for steps in [1, 2, 3, 5, 9] {
        let folder = TempDir::new().unwrap();
        let mut runs = 0;
        let resumed = loop {
            runs += 1;
            assert!(runs < 100, "it should be finished by now");
            if let Some(done) = part(&samples, &short(), &folder.path().join("work"), steps).unwrap() {
                break done;
            }
        };
        assert_eq!(resumed, whole, "cancelled at report {steps}");
        assert!(runs > 24 / (steps + 1), "only {runs} runs");
    }
}

#[test]
fn checkpoints_of_another_training_are_refused() {
    let folder = TempDir::new().unwrap();
    let work = folder.path().join("work");
    let samples = games(50, 100, 22);
    assert!(part(&samples, &short(), &work, 1).unwrap().is_none());
    let other = TrainingConfig { ridge: 2.0, ..short() };
    let message = part(&samples, &other, &work, 1).unwrap_err().to_string();
    assert!(message.contains("unfinished training with other data or settings"), "{message}");
    let message = part(&games(50, 100, 23), &short(), &work, 1).unwrap_err().to_string();
    assert!(message.contains("unfinished training"), "{message}");
}

#[test]
fn a_damaged_checkpoint_is_refused() {
    let folder = TempDir::new().unwrap();
    let work = folder.path().join("work");
    let samples = games(50, 100, 24);
    assert!(part(&samples, &short(), &work, 1).unwrap().is_none());
    let state = fs::read_dir(&work).unwrap().next().unwrap().unwrap().path();
    let mut bytes = fs::read(&state).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 4;
    fs::write(&state, bytes).unwrap();
    let message = part(&samples, &short(), &work, 100).unwrap_err().to_string();
    assert!(message.contains(&*state.to_string_lossy()) && message.contains("remove it"), "{message}");
    fs::remove_file(&state).unwrap();
    assert_eq!(part(&samples, &short(), &work, 1000).unwrap(), Some(trained(&samples, &short(), 1)));
}
