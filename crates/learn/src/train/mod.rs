//! The trainer. Stages are independent, so they are trained in parallel and the result does not depend on the number of
//! threads.

mod checkpoint;
mod conjugate_gradient;
mod feature_matrix;

use std::io;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use tesuji_store::StoreError;
use tesuji_task::{CheckpointSchedule, Context, Counter, for_each};
use thiserror::Error;

use crate::sample::{Holdout, Samples};
use crate::{ErrorStats, Model, Weights};
use checkpoint::CheckpointFolder;
use conjugate_gradient::{ConjugateGradient, StepConfig};
use feature_matrix::FeatureMatrix;

/// The parameters of a training.
#[derive(Clone, PartialEq, Debug)]
pub struct TrainingConfig {
    /// Iterations for each stage; each is one pass over its samples (an epoch).
    pub iterations: u32,
    /// Step length: 1 goes to the minimum of the line search.
    pub step: f32,
    /// L2 regularisation towards the initial weights, in samples: a weight whose feature occurs this often moves half
    /// the way.
    pub ridge: f32,
    /// Weight of a sample of an adjacent stage.
    pub smooth: f32,
    /// The stages to train; the others stay unchanged.
    pub stages: Range<usize>,
    /// The held-out set.
    pub holdout: Holdout,
}

/// Where and how often checkpoints are written.
#[derive(Clone, Copy, Debug)]
pub struct Checkpoints<'a> {
    /// The folder, with a file per stage.
    pub folder: &'a Path,
    /// The interval for each stage. The end of a stage and a cancellation always write one.
    pub every: Duration,
}

/// A trained stage.
#[derive(Clone, PartialEq, Debug)]
pub struct TrainedStage {
    /// The number of the stage.
    pub stage: usize,
    /// Its weights, in points.
    pub weights: Vec<f32>,
    /// Its errors on the training set and on the held-out set, before the first iteration and after each.
    pub curve: Vec<[ErrorStats; 2]>,
}

/// Why a training cannot continue.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum TrainError {
    /// A checkpoint cannot be written.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The checkpoint folder cannot be created or read.
    #[error("cannot use {}: {source}", path.display())]
    Folder {
        /// The folder, or a file in it.
        path: PathBuf,
        /// The error of the system.
        source: io::Error,
    },
    /// A checkpoint is damaged.
    #[error("{} is damaged, or of another version: remove it to train its stage again", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
    },
    /// The checkpoints are those of another training.
    #[error(
        "{} holds an unfinished training with other data or settings: finish it with the command that started it, or \
         remove it",
        path.display()
    )]
    OtherTask {
        /// The folder.
        path: PathBuf,
    },
}

/// Trains stages on `threads` threads, starting from the weights `from`. `None` when it was cancelled.
///
/// With checkpoints it resumes where it was cancelled or killed, and the result is the same to the last bit.
pub fn train<M: Model>(
    model: &M,
    samples: &Samples<M::Position>,
    from: &Weights,
    config: &TrainingConfig,
    threads: usize,
    checkpoints: Option<Checkpoints<'_>>,
    context: Context<'_>,
) -> Result<Option<Vec<TrainedStage>>, TrainError> {
    let task = task(model, samples, from, config);
    let mut order: Vec<usize> = config.stages.clone().filter(|&stage| stage < model.stages()).collect();
    // The largest first, so that no thread is left alone with a large one.
    order.sort_by_key(|&stage| std::cmp::Reverse(samples.stage(stage).len()));
    let trainer = Trainer {
        checkpoints: checkpoints.map(|Checkpoints { folder, every }| {
            let folder = CheckpointFolder { dir: folder, task: &task };
            (folder, every)
        }),
        config,
        counter: context.counter(order.len() as u64 * u64::from(config.iterations)),
        stopped: AtomicBool::new(false),
    };
    let trained = Mutex::new(Ok(Vec::new()));
    for_each(threads.min(order.len()), order.len(), |index| {
        let stage = order[index];
        let rows = || FeatureMatrix::new(model, samples, stage, config.smooth, config.holdout);
        let done = trainer.stage(stage, &from.points(stage), rows);
        let mut trained = trained.lock().unwrap_or_else(PoisonError::into_inner);
        match (done, &mut *trained) {
            (Ok(Some(done)), Ok(trained)) => {
                trained.push(done);
                return true;
            }
            (Err(error), _) => *trained = Err(error),
            _ => {}
        }
        trainer.stopped.store(true, Ordering::Relaxed);
        false
    });
    let mut trained = trained.into_inner().unwrap_or_else(PoisonError::into_inner)?;
    trained.sort_by_key(|done: &TrainedStage| done.stage);
    Ok((!trainer.stopped.into_inner()).then_some(trained))
}

/// Everything that the result depends on. Checkpoints contain this text: it is part of their format.
fn task<M: Model>(model: &M, samples: &Samples<M::Position>, from: &Weights, config: &TrainingConfig) -> String {
    let TrainingConfig { iterations, step, ridge, smooth, stages, holdout: Holdout { seed, every } } = config;
    format!(
        "{} of {} features Plan {{ iterations: {iterations}, step: {step:?}, ridge: {ridge:?}, smooth: {smooth:?}, \
         stages: {stages:?}, holdout: Holdout {{ seed: {seed}, every: {every} }} }} {} samples {:016x} from {:08x}",
        model.name(),
        model.features(),
        samples.len(),
        samples.fingerprint(model),
        from.checksum()
    )
}

/// What all stages share.
struct Trainer<'a> {
    checkpoints: Option<(CheckpointFolder<'a>, Duration)>,
    config: &'a TrainingConfig,
    counter: Counter<'a>,
    stopped: AtomicBool,
}

impl Trainer<'_> {
    /// Trains one stage. The rows are built only if iterations are left.
    fn stage(
        &self,
        stage: usize,
        from: &[f32],
        rows: impl Fn() -> FeatureMatrix,
    ) -> Result<Option<TrainedStage>, TrainError> {
        let saved = self.checkpoints.as_ref().map(|(folder, _)| folder.load(stage)).transpose()?.flatten();
        let state = match saved {
            Some(state) if state.curve.len() > self.config.iterations as usize => {
                self.counter.add(u64::from(self.config.iterations));
                state
            }
            saved => match self.iterate(stage, from, &rows(), saved)? {
                Some(state) => state,
                None => return Ok(None),
            },
        };
        let weights = from.iter().zip(&state.change).map(|(from, change)| from + change).collect();
        Ok(Some(TrainedStage { stage, weights, curve: state.curve }))
    }

    fn iterate(
        &self,
        stage: usize,
        from: &[f32],
        rows: &FeatureMatrix,
        saved: Option<ConjugateGradient>,
    ) -> Result<Option<ConjugateGradient>, TrainError> {
        let config = StepConfig { step: self.config.step, ridge: self.config.ridge };
        let saved = saved.filter(|state| state.fits(rows, from.len()));
        let mut state = saved.unwrap_or_else(|| ConjugateGradient::new(rows, from));
        let scale = ConjugateGradient::preconditioner(rows, from.len(), config);
        let mut sums = vec![0.0; rows.labels.len()];
        let mut schedule = self.checkpoints.as_ref().map(|(_, every)| CheckpointSchedule::new(*every));
        self.counter.add(state.curve.len() as u64 - 1);
        while state.curve.len() <= self.config.iterations as usize {
            state.step(rows, &scale, config, &mut sums);
            let stop = !self.counter.add(1) || self.stopped.load(Ordering::Relaxed);
            let done = state.curve.len() > self.config.iterations as usize;
            if done {
                state.finish();
            }
            let due = schedule.as_mut().is_some_and(CheckpointSchedule::due);
            if let Some((folder, _)) = self.checkpoints.as_ref().filter(|_| done || stop || due) {
                folder.save(stage, &state)?;
            }
            if stop {
                return Ok(None);
            }
        }
        Ok(Some(state))
    }
}
