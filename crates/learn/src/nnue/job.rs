//! A training from examples to a file: resumable at any step, the same bits on any number of threads.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use serde::{Deserialize, Serialize};
use tesuji_store::{check_target, save};
use tesuji_task::{CheckpointSchedule, Context, Progress, cores};

use super::adam::StepOptions;
use super::checkpoint::{load_checkpoint, save_checkpoint};
use super::example::{Examples, FeatureSet};
use super::quantise::QuantisationError;
use super::trainer::{COLUMNS, Metrics, Trainer};
use super::weights::NnueWeights;
use crate::job::{beside, removal_warning};
use crate::{JobError, Shuffle};

/// The settings of a training.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct NnueSettings {
    /// Columns of an accumulator, a multiple of 32.
    pub width: usize,
    /// The value that multiplies the odds of winning by e.
    pub unit: u32,
    /// Positions of a batch.
    pub batch: usize,
    /// The peak of the learning rate. It rises over the first hundredth of the steps and falls along a cosine to a
    /// hundredth of the peak.
    pub rate: f32,
    /// Decay of the weights.
    pub decay: f32,
    /// Mean gradients far below this hardly move their weights, so rare inputs learn slowly.
    pub epsilon: f32,
    /// Passes over the data.
    pub epochs: u32,
    /// Seed of the first weights and of the order of the positions.
    pub seed: u64,
    /// Tests use at most so many positions.
    pub test_positions: usize,
    /// Threads; all cores by default.
    pub threads: Option<usize>,
    /// The interval of checkpoints.
    pub checkpoint: Duration,
}

impl Default for NnueSettings {
    fn default() -> NnueSettings {
        NnueSettings {
            width: 128,
            unit: 600,
            batch: 8192,
            rate: 0.0015,
            decay: 0.0,
            epsilon: 3e-6,
            epochs: 6,
            seed: 0,
            test_positions: 100_000,
            threads: None,
            checkpoint: Duration::from_secs(60),
        }
    }
}

/// The figures after an epoch.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct NnuePoint {
    /// Batches so far.
    pub step: u64,
    /// Positions so far.
    pub positions: u64,
    /// The figures in training since the last point.
    pub train: Metrics,
    /// The figures on the held-out set.
    pub test: Metrics,
}

/// How far a training is.
#[derive(Clone, PartialEq, Debug, Default)]
pub(super) struct NnueProgress {
    /// What has been learned since the last point.
    pub(super) since: Metrics,
    pub(super) points: Vec<NnuePoint>,
}

/// A finished training.
#[derive(Clone, PartialEq, Debug)]
pub struct NnueOutcome {
    /// The network, as it is in the file.
    pub weights: NnueWeights,
    /// Whether an earlier run of the same command had written it.
    pub existed: bool,
    /// The figures after each epoch; empty if it existed.
    pub points: Vec<NnuePoint>,
    /// What the integers cost; `None` if it existed.
    pub error: Option<QuantisationError>,
    /// What the user should know, but is no error.
    pub warnings: Vec<String>,
}

/// A training.
pub struct NnueTraining<'a> {
    /// What the network sees.
    pub features: &'a FeatureSet,
    /// The examples to learn.
    pub train: &'a dyn Examples,
    /// The held-out examples.
    pub test: &'a dyn Examples,
    /// The settings.
    pub settings: &'a NnueSettings,
    /// What is trained, on what and how: equal tasks give equal networks. The first line is the command.
    pub task: &'a str,
    /// The file to write.
    pub out: &'a Path,
}

impl NnueTraining<'_> {
    /// Trains and writes the network, or continues an interrupted run of the same task.
    ///
    /// # Errors
    /// A bad setting, a file that cannot be used, or cancellation: then the state is saved.
    pub fn run(&self, context: Context<'_>, events: &mut dyn FnMut(&NnuePoint)) -> Result<NnueOutcome, JobError> {
        let NnueTraining { features, settings, task, out, .. } = *self;
        self.check()?;
        if out.exists() {
            let weights = fs::read(out).ok().and_then(|bytes| NnueWeights::read(&bytes).ok());
            let same = weights.filter(|weights| weights.provenance == task && weights.features == features.name);
            let weights = same.ok_or_else(|| JobError::exists(out))?;
            return Ok(NnueOutcome { weights, existed: true, points: Vec::new(), error: None, warnings: Vec::new() });
        }
        let threads = settings.threads.unwrap_or_else(cores);
        let mut trainer = Trainer::new(features, settings.width, settings.seed, threads);
        let path = beside(out, ".checkpoint");
        let mut progress = load_checkpoint(&path, task, &mut trainer)?.unwrap_or_default();
        self.steps(&mut trainer, &mut progress, &path, context, events)?;
        let (weights, cut) = trainer.quantise(&features.name, settings.unit, task);
        let compared = self.test_numbers(10_000);
        let error = trainer.compare(&weights, self.test, &compared, cut).map_err(JobError::failed)?;
        save(out, &weights.write()).map_err(JobError::failed)?;
        let warnings = removal_warning(&path, fs::remove_file(&path)).into_iter().collect();
        Ok(NnueOutcome { weights, existed: false, points: progress.points, error: Some(error), warnings })
    }

    fn check(&self) -> Result<(), JobError> {
        let NnueSettings { width, unit, batch, epochs, .. } = *self.settings;
        check_target(self.out).map_err(|error| JobError::field("out", error))?;
        if width == 0 || !width.is_multiple_of(COLUMNS) || width > 1024 {
            return Err(JobError::field("width", format!("{width}: a multiple of {COLUMNS} up to 1024")));
        }
        if self.train.is_empty() {
            return Err(JobError::field("data", "there is no position in it to learn from"));
        }
        if batch == 0 || epochs == 0 || unit == 0 {
            return Err(JobError::field("batch", "batch, epochs and unit are at least 1"));
        }
        Ok(())
    }

    /// Held-out examples, always the same ones.
    fn test_numbers(&self, most: usize) -> Vec<usize> {
        let count = self.test.len();
        let shuffle = Shuffle::new(count as u64, 0, 0);
        (0..count.min(most)).map(|place| shuffle.at(place as u64) as usize).collect()
    }

    fn steps(
        &self,
        trainer: &mut Trainer,
        progress: &mut NnueProgress,
        path: &Path,
        context: Context<'_>,
        events: &mut dyn FnMut(&NnuePoint),
    ) -> Result<(), JobError> {
        let settings = self.settings;
        let count = self.train.len() as u64;
        let batch = (settings.batch as u64).min(count);
        let (total, steps) = self.sizes();
        let tests = self.test_numbers(settings.test_positions);
        let mut schedule = CheckpointSchedule::new(settings.checkpoint);
        let mut numbers = Vec::with_capacity(batch as usize);
        progress.points.iter().for_each(&mut *events);
        while trainer.step < steps {
            if context.is_cancelled() {
                save_checkpoint(path, self.task, trainer, progress)?;
                let done = trainer.step * batch;
                return Err(JobError::Cancelled(format!(
                    "interrupted after {done} of {total} positions; a checkpoint is saved, the same command continues"
                )));
            }
            self.batch(trainer.step, batch, &mut numbers);
            let rate = rate(settings.rate, trainer.step, steps);
            let options = StepOptions { rate, decay: settings.decay, epsilon: settings.epsilon };
            let metrics = trainer.learn(self.train, &numbers, options).map_err(JobError::failed)?;
            if !metrics.loss.is_finite() {
                return Err(JobError::Failed("the training diverged: try a smaller --lr".to_owned()));
            }
            progress.since.add(&metrics);
            let positions = trainer.step * batch;
            let epoch = |step: u64| step * batch / count;
            if trainer.step == steps || epoch(trainer.step) > epoch(trainer.step - 1) {
                let test = trainer.evaluate(self.test, &tests).map_err(JobError::failed)?;
                let train = std::mem::take(&mut progress.since);
                progress.points.push(NnuePoint { step: trainer.step, positions, train, test });
                events(&progress.points[progress.points.len() - 1]);
            }
            let loss = progress.points.last().map_or(progress.since, |point| point.test).excess();
            let note = format!("loss {loss:.5} above the least");
            (context.progress)(Progress { done: positions, total, note: &note });
            if schedule.due() {
                save_checkpoint(path, self.task, trainer, progress)?;
            }
        }
        Ok(())
    }

    /// Positions of all batches, and the number of batches.
    fn sizes(&self) -> (u64, u64) {
        let count = self.train.len() as u64;
        let batch = (self.settings.batch as u64).min(count);
        let steps = (count * u64::from(self.settings.epochs)).div_ceil(batch);
        (steps * batch, steps)
    }

    /// The examples of a batch. They depend on the seed and the step alone; epochs follow on each other without a gap.
    fn batch(&self, step: u64, batch: u64, numbers: &mut Vec<usize>) {
        let count = self.train.len() as u64;
        numbers.clear();
        let mut epoch = u64::MAX;
        let mut shuffle = Shuffle::new(count, 0, 0);
        for number in step * batch..(step + 1) * batch {
            if number / count != epoch {
                epoch = number / count;
                shuffle = Shuffle::new(count, self.settings.seed, epoch);
            }
            numbers.push(shuffle.at(number % count) as usize);
        }
    }
}

/// The learning rate of a step.
fn rate(peak: f32, step: u64, steps: u64) -> f32 {
    let rise = (steps / 100).max(1);
    if step < rise {
        return peak * (step + 1) as f32 / rise as f32;
    }
    let done = (step - rise) as f64 / (steps - rise).max(1) as f64;
    let share = 0.01 + 0.99 * 0.5 * (1.0 + (std::f64::consts::PI * done).cos());
    peak * share as f32
}

/// The path of the checkpoint of a training.
pub fn checkpoint_path(out: &Path) -> PathBuf {
    beside(out, ".checkpoint")
}
