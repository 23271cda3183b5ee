//! A toy game: inputs have hidden values, and the win rate follows from those of both sides.

use std::fs;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use tesuji_task::{CancelToken, Context, Progress};

use super::adam::StepOptions;
use super::random::Random;
use super::table::OWN_RATE;
use super::trainer::Trainer;
use super::*;
use crate::{DataSetError, JobError};

const FACTORS: usize = 20;
const BUCKETS: usize = 3;

/// Positions of five pieces out of twenty for each side, in one of three buckets.
struct Toy {
    seed: u64,
    positions: usize,
}

fn hidden_value(input: usize) -> f32 {
    (input as f32 * 0.7).sin()
}

impl Examples for Toy {
    fn len(&self) -> usize {
        self.positions
    }

    fn read(&self, index: usize, example: &mut Example) -> Result<(), DataSetError> {
        let mut random = Random::new(self.seed + index as u64);
        let mut below = |count: usize| ((random.uniform(0.5) + 0.5) * count as f32) as usize % count;
        let mut values = [0.0; 2];
        for side in 0..2 {
            let bucket = below(BUCKETS);
            example.active[side].clear();
            for _ in 0..5 {
                let input = below(FACTORS);
                values[side] += hidden_value(input) * (1.0 + 0.3 * bucket as f32);
                example.active[side].push((bucket * FACTORS + input) as u32);
            }
        }
        example.output = below(2);
        // Not linear, so that the hidden layers have something to do.
        let logit = values[0] - values[1] + 0.5 * (values[0] * values[1]).sin();
        example.target = 1.0 / (1.0 + (-logit).exp());
        example.result = Some(if logit > 0.0 { 1.0 } else { 0.0 });
        Ok(())
    }
}

fn toy_features() -> FeatureSet {
    FeatureSet { name: "toy/1".to_owned(), inputs: BUCKETS * FACTORS, factors: FACTORS, outputs: 2, direct: Vec::new() }
}

fn settings(threads: usize) -> NnueSettings {
    NnueSettings {
        width: 32,
        batch: 700,
        rate: 0.01,
        epsilon: 1e-8,
        epochs: 3,
        test_positions: 500,
        threads: Some(threads),
        checkpoint: Duration::ZERO,
        ..NnueSettings::default()
    }
}

/// Trains in a folder until `cancel_after` steps are done.
fn train(folder: &Path, settings: &NnueSettings, cancel_after: Option<u64>) -> Result<NnueOutcome, JobError> {
    let (train, test) = (Toy { seed: 1 << 32, positions: 3000 }, Toy { seed: 0, positions: 600 });
    let (features, out) = (toy_features(), folder.join("toy.nnue"));
    let training =
        NnueTraining { features: &features, train: &train, test: &test, settings, task: "toy\nline", out: &out };
    let (cancel, steps) = (CancelToken::new(), AtomicU64::new(0));
    let progress = |_: Progress<'_>| {
        if cancel_after.is_some_and(|most| steps.fetch_add(1, Ordering::Relaxed) + 1 >= most) {
            cancel.cancel();
        }
    };
    training.run(Context { cancel: &cancel, progress: &progress }, &mut |_| {})
}

#[test]
fn what_can_be_learned_is_learned() {
    let (train, test) = (Toy { seed: 1 << 32, positions: 20_000 }, Toy { seed: 0, positions: 1000 });
    let mut trainer = Trainer::new(&toy_features(), 32, 0, 1);
    let tests: Vec<usize> = (0..test.len()).collect();
    let before = trainer.evaluate(&test, &tests).unwrap();
    let options = StepOptions { rate: 0.01, decay: 0.0, epsilon: 1e-8 };
    for step in 0..300 {
        let numbers: Vec<usize> = (0..1000).map(|at| (1000 * step + at) % train.len()).collect();
        trainer.learn(&train, &numbers, options).unwrap();
    }
    let after = trainer.evaluate(&test, &tests).unwrap();
    assert!(before.excess() > 0.2 && after.excess() < 0.02, "{before:?} {after:?}");
    assert!(after.accuracy() > 0.93, "{after:?}");
    let (weights, cut) = trainer.quantise("toy/1", 600, "");
    let error = trainer.compare(&weights, &test, &tests, cut).unwrap();
    assert!(error.rms < 30.0 && error.cut == 0 && error.positions == 1000, "{error:?}");
}

/// The gradient of every kind of weight is the slope of the loss.
#[test]
fn gradients_are_slopes() {
    let toy = Toy { seed: 7, positions: 64 };
    let numbers: Vec<usize> = (0..64).collect();
    let trainer = Trainer::new(&toy_features(), 32, 3, 1);
    let loss = |change: &dyn Fn(&mut Trainer, f32), by: f32| {
        let mut changed = trainer.clone();
        change(&mut changed, by);
        changed.refresh();
        changed.evaluate(&toy, &numbers).unwrap().loss / 64.0
    };
    // With a huge epsilon and a first moment of a tenth, the first step is the gradient times the rate over epsilon.
    let mut stepped = trainer.clone();
    stepped.learn(&toy, &numbers, StepOptions { rate: 1e4, decay: 0.0, epsilon: 1e4 }).unwrap();
    let bias1 = trainer.dense.shape.bias1();
    let (layer2, output) = (trainer.dense.shape.layer2() + 5, trainer.dense.shape.output());
    type Weight = fn(&mut Trainer, [usize; 3]) -> &mut f32;
    let input: Weight = |trainer, [row, _, column]| &mut trainer.slices[0].table.weights[row][column];
    let bias: Weight = |trainer, [_, _, column]| &mut trainer.slices[0].bias.weights[0][column];
    let direct: Weight = |trainer, [row, _, _]| &mut trainer.direct.table.weights[row][0];
    let dense: Weight = |trainer, [_, row, column]| &mut trainer.dense.rows[row][column];
    let factor = BUCKETS * FACTORS + 4;
    let cases = [
        (input, [4, 0, 7]),
        (input, [factor, 0, 9]),
        (bias, [0, 0, 3]),
        (direct, [5, 0, 0]),
        (direct, [factor, 0, 0]),
        (dense, [0, 3, 8]),
        (dense, [0, bias1, 2]),
        (dense, [0, layer2, 4]),
        (dense, [0, output, 6]),
    ];
    for (number, (weight, at)) in cases.into_iter().enumerate() {
        let by = 2e-3;
        let change = |trainer: &mut Trainer, by: f32| *weight(trainer, at) += by;
        let slope = (loss(&change, by) - loss(&change, -by)) / f64::from(2.0 * by);
        let moved = f64::from(*weight(&mut trainer.clone(), at) - *weight(&mut stepped, at));
        // An input's own row goes a part of the way only.
        let is_own = [0, 3].contains(&number);
        let slope = if is_own { slope * f64::from(OWN_RATE) } else { slope };
        let size = slope.abs().max(1e-4);
        assert!((slope - moved).abs() < 0.05 * size + 2e-5, "case {number}: slope {slope}, gradient {moved}");
    }
}

#[test]
fn threads_change_no_bit() {
    let files: Vec<Vec<u8>> = [1, 2, 5]
        .into_iter()
        .map(|threads| {
            let folder = tempfile::tempdir().unwrap();
            train(folder.path(), &settings(threads), None).unwrap();
            fs::read(folder.path().join("toy.nnue")).unwrap()
        })
        .collect();
    assert!(files.windows(2).all(|pair| pair[0] == pair[1]));
}

/// Killed after every single step and resumed, on changing numbers of threads.
#[test]
fn an_interrupted_training_ends_like_an_uninterrupted_one() {
    let (whole, parts) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let expected = train(whole.path(), &settings(2), None).unwrap();
    let mut interruptions = 0;
    let resumed = loop {
        match train(parts.path(), &settings(1 + interruptions % 3), Some(1)) {
            Err(JobError::Cancelled(text)) => assert!(text.contains("the same command continues"), "{text}"),
            other => break other.unwrap(),
        }
        interruptions += 1;
    };
    assert!(interruptions > 10, "{interruptions}");
    assert_eq!(resumed, expected);
    assert!(!checkpoint_path(&parts.path().join("toy.nnue")).exists());
    // The finished file is known, and nothing else is overwritten.
    assert!(train(parts.path(), &settings(1), None).unwrap().existed);
    fs::write(parts.path().join("toy.nnue"), b"something else").unwrap();
    assert!(train(parts.path(), &settings(1), None).unwrap_err().to_string().contains("already exists"));
}

#[test]
fn damaged_and_foreign_checkpoints_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    train(folder.path(), &settings(1), Some(2)).unwrap_err();
    let path = checkpoint_path(&folder.path().join("toy.nnue"));
    let whole = fs::read(&path).unwrap();
    for byte in (0..whole.len()).step_by(whole.len() / 20) {
        let mut hit = whole.clone();
        hit[byte] ^= 1;
        fs::write(&path, &hit).unwrap();
        assert!(matches!(train(folder.path(), &settings(1), None), Err(JobError::Input(_))), "byte {byte}");
        fs::write(&path, &whole[..byte]).unwrap();
        assert!(matches!(train(folder.path(), &settings(1), None), Err(JobError::Input(_))), "cut to {byte}");
    }
}

#[test]
fn files_are_read_as_they_were_written_and_no_other_is_accepted() {
    let trainer = Trainer::new(&toy_features(), 32, 1, 1);
    let (weights, _) = trainer.quantise("toy/1", 600, "how it was made");
    let bytes = weights.write();
    assert_eq!(NnueWeights::read(&bytes), Ok(weights));
    for byte in (0..bytes.len()).step_by(bytes.len() / 50) {
        let mut hit = bytes.clone();
        hit[byte] ^= 4;
        assert!(NnueWeights::read(&hit).is_err(), "byte {byte}");
        assert!(NnueWeights::read(&bytes[..byte]).is_err(), "cut to {byte}");
    }
    // Sizes that do not fit the content, with a right checksum. Any unit is right.
    let payload = FRAME.read(&bytes).unwrap().to_vec();
    for byte in (0..30).filter(|byte| !(21..25).contains(byte)) {
        let mut hit = payload.clone();
        hit[byte] = 0xff;
        assert!(NnueWeights::read(&FRAME.write(|out| out.extend(&hit))).is_err(), "byte {byte}");
    }
}

#[test]
fn wrong_settings_are_named() {
    let folder = tempfile::tempdir().unwrap();
    for (wrong, field) in [
        (NnueSettings { width: 40, ..settings(1) }, "width"),
        (NnueSettings { batch: 0, ..settings(1) }, "batch"),
        (NnueSettings { epochs: 0, ..settings(1) }, "batch"),
    ] {
        let error = train(folder.path(), &wrong, None).unwrap_err().to_string();
        assert!(error.starts_with(field), "{error}");
    }
}
