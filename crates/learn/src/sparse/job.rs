//! A training from positions to a file of weights, resumable at any step.

use std::fs;
use std::path::Path;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use tesuji_store::{check_target, save};
use tesuji_task::{CheckpointSchedule, Context, Progress};

use super::checkpoint::{load_checkpoint, save_checkpoint};
use super::trainer::{SparseStep, SparseTrainer};
use super::{Factors, SparseData};
use crate::job::{beside, removal_warning};
use crate::nnue::Metrics;
use crate::{JobError, Shuffle, Weights};

/// The settings of a training.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct SparseSettings {
    /// Positions of a batch.
    pub batch: usize,
    /// The learning rate at the start; it falls to nothing along a line.
    pub rate: f32,
    /// Decay of a weight at every step that touches it, in parts of the learning rate.
    pub decay: f32,
    /// Added to the sums of squared gradients: weights that are seen seldom move by less.
    pub damping: f32,
    /// Passes over the data.
    pub epochs: u32,
    /// Seed of the order of the positions.
    pub seed: u64,
    /// The interval of checkpoints.
    pub checkpoint: Duration,
}

impl Default for SparseSettings {
    fn default() -> SparseSettings {
        SparseSettings {
            batch: 64,
            rate: 0.01,
            decay: 0.0,
            damping: 1.0,
            epochs: 6,
            seed: 0,
            checkpoint: Duration::from_secs(20),
        }
    }
}

/// The figures after an epoch.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct SparsePoint {
    /// Positions so far.
    pub positions: u64,
    /// The figures in training since the last point, each before its step.
    pub train: Metrics,
    /// The figures on the held-out set.
    pub test: Metrics,
}

/// How far a training is.
#[derive(Clone, PartialEq, Debug, Default)]
pub(super) struct SparseProgress {
    /// What has been learned since the last point.
    pub(super) since: Metrics,
    pub(super) points: Vec<SparsePoint>,
}

/// A finished training.
#[derive(Clone, PartialEq, Debug)]
pub struct SparseOutcome {
    /// The weights, as they are in the file.
    pub weights: Weights,
    /// Whether an earlier run of the same command had written them.
    pub existed: bool,
    /// The figures after each epoch; empty if they existed.
    pub points: Vec<SparsePoint>,
    /// What the user should know, but is no error.
    pub warnings: Vec<String>,
}

/// A training.
pub struct SparseTraining<'a> {
    /// The name of the evaluation.
    pub model: &'a str,
    /// What the weights of features are made of.
    pub factors: &'a Factors,
    /// The weights to begin with, in units; nothing by default.
    pub start: Option<&'a [i16]>,
    /// The units of a weight that multiply the odds of winning by e.
    pub scale: f32,
    /// The positions to learn.
    pub train: &'a SparseData,
    /// The held-out positions.
    pub test: &'a SparseData,
    /// The settings.
    pub settings: &'a SparseSettings,
    /// What is trained, on what and how: equal tasks give equal weights. The first line is the command.
    pub task: &'a str,
    /// The file to write.
    pub out: &'a Path,
}

impl SparseTraining<'_> {
    /// Trains and writes the weights, or continues an interrupted run of the same task.
    ///
    /// # Errors
    /// A bad setting, a file that cannot be used, or cancellation: then the state is saved.
    pub fn run(&self, context: Context<'_>, events: &mut dyn FnMut(&SparsePoint)) -> Result<SparseOutcome, JobError> {
        let SparseTraining { model, factors, scale, task, out, .. } = *self;
        self.check()?;
        if out.exists() {
            let weights = fs::read(out).ok().and_then(|bytes| Weights::parse(&bytes).ok());
            let same = weights.filter(|weights| weights.provenance() == task && weights.model() == model);
            let weights = same.ok_or_else(|| JobError::exists(out))?;
            return Ok(SparseOutcome { weights, existed: true, points: Vec::new(), warnings: Vec::new() });
        }
        let base = match self.start {
            None => vec![0.0; factors.features()],
            Some(start) => start.iter().map(|&weight| f32::from(weight) / scale).collect(),
        };
        let mut trainer = SparseTrainer::new(base, factors.count());
        let path = beside(out, ".checkpoint");
        let mut progress = load_checkpoint(&path, task, &mut trainer)?.unwrap_or_default();
        self.steps(&mut trainer, &mut progress, &path, context, events)?;
        let weights = Weights::of_units(model, task, factors.fold(&trainer.base, &trainer.weights, scale));
        save(out, &weights.bytes()).map_err(JobError::failed)?;
        let warnings = removal_warning(&path, fs::remove_file(&path)).into_iter().collect();
        Ok(SparseOutcome { weights, existed: false, points: progress.points, warnings })
    }

    fn check(&self) -> Result<(), JobError> {
        check_target(self.out).map_err(|error| JobError::field("out", error))?;
        if self.train.is_empty() {
            return Err(JobError::field("data", "there is no position in it to learn from"));
        }
        if self.start.is_some_and(|start| start.len() != self.factors.features()) {
            return Err(JobError::field("continue", "these weights are for other features"));
        }
        if self.settings.batch == 0 || self.settings.epochs == 0 {
            return Err(JobError::field("batch", "batch and epochs are at least 1"));
        }
        Ok(())
    }

    fn steps(
        &self,
        trainer: &mut SparseTrainer,
        progress: &mut SparseProgress,
        path: &Path,
        context: Context<'_>,
        events: &mut dyn FnMut(&SparsePoint),
    ) -> Result<(), JobError> {
        let SparseSettings { rate, decay, damping, epochs, seed, checkpoint, .. } = *self.settings;
        let count = self.train.len() as u64;
        let batch = (self.settings.batch as u64).min(count);
        // The last batch of an epoch may be smaller.
        let batches = count.div_ceil(batch);
        let steps = batches * u64::from(epochs);
        let mut schedule = CheckpointSchedule::new(checkpoint);
        let (mut numbers, mut note) = (Vec::with_capacity(batch as usize), String::new());
        let seen = |step: u64| step / batches * count + (step % batches * batch).min(count);
        progress.points.iter().for_each(&mut *events);
        let mut shuffle = Shuffle::new(count, seed, trainer.step / batches);
        while trainer.step < steps {
            if context.is_cancelled() {
                save_checkpoint(path, self.task, trainer, progress)?;
                let (done, total) = (seen(trainer.step), seen(steps));
                return Err(JobError::Cancelled(format!(
                    "interrupted after {done} of {total} positions; a checkpoint is saved, the same command continues"
                )));
            }
            let place = trainer.step % batches;
            if place == 0 {
                shuffle = Shuffle::new(count, seed, trainer.step / batches);
            }
            numbers.clear();
            numbers.extend((place * batch..((place + 1) * batch).min(count)).map(|at| shuffle.at(at) as usize));
            let left = 1.0 - trainer.step as f64 / steps as f64;
            let step = SparseStep { rate: (f64::from(rate) * left) as f32, decay, damping };
            let metrics = trainer.learn(self.factors, self.train, &numbers, step);
            if !metrics.loss.is_finite() {
                return Err(JobError::Failed("the training diverged: try a smaller --lr".to_owned()));
            }
            progress.since.add(&metrics);
            if trainer.step.is_multiple_of(batches) {
                let test = trainer.evaluate(self.factors, self.test);
                let train = std::mem::take(&mut progress.since);
                note = format!("loss {:.5} above the least", test.excess());
                progress.points.push(SparsePoint { positions: seen(trainer.step), train, test });
                events(&progress.points[progress.points.len() - 1]);
            }
            (context.progress)(Progress { done: seen(trainer.step), total: seen(steps), note: &note });
            if schedule.due() {
                save_checkpoint(path, self.task, trainer, progress)?;
            }
        }
        Ok(())
    }
}
