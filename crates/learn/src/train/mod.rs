//! The training: stage by stage, each by itself, so that threads share the stages and change nothing of the result.

mod descent;
mod keep;
mod rows;

use std::io;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;

use tesuji_store::StoreError;
use tesuji_task::Control;
use thiserror::Error;

use crate::sample::{Holdout, Samples};
use crate::{Errors, Model, Weights};
use descent::{Descent, Pace};
use keep::Keep;
use rows::Rows;

/// How to train.
#[derive(Clone, PartialEq, Debug)]
pub struct Plan {
    /// Steps of each stage; each is one look at all its samples.
    pub iterations: u32,
    /// How far to go in the direction of a step: 1 is to the least error there.
    pub step: f32,
    /// How strongly weights stay where they began, in samples: one seen as often as this goes half the way.
    pub ridge: f32,
    /// How much a sample of a neighbouring stage counts.
    pub smooth: f32,
    /// The stages to train; the others stay as they are.
    pub stages: Range<usize>,
    /// The games that are kept back.
    pub holdout: Holdout,
}

/// What the training tells.
#[derive(Clone, Copy, Debug)]
pub struct News {
    /// The stage.
    pub stage: usize,
    /// Steps that it has made.
    pub iteration: u32,
    /// Its samples that are trained on.
    pub rows: usize,
    /// Its errors on what is trained on and on what is kept back.
    pub errors: [Errors; 2],
}

/// A stage that is trained.
#[derive(Clone, PartialEq, Debug)]
pub struct Stage {
    /// Which.
    pub stage: usize,
    /// Its weights, in discs.
    pub weights: Vec<f32>,
    /// Its errors on what was trained on and on what was kept back, before the first step and after each.
    pub curve: Vec<[Errors; 2]>,
}

/// What is trained, on what and how, in words: two trainings that say the same give the same weights.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Task(String);

/// Why a training cannot go on.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum TrainError {
    /// A state cannot be saved.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The folder of states cannot be made or read.
    #[error("cannot use {}: {source}", path.display())]
    Folder {
        /// The folder, or a file in it.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// A state is not what was written.
    #[error("{} is damaged, or of another version: remove it, and its stage is trained anew", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
    },
    /// The states are those of another training.
    #[error(
        "{} holds an unfinished training with other data or settings: end it by the command that began it, or remove it",
        path.display()
    )]
    Other {
        /// The folder.
        path: PathBuf,
    },
}

/// Trains the stages of a plan on so many threads, going on from the weights `from`; `None` when it was told to stop.
///
/// With a folder to keep its state in, it goes on where it was stopped or killed, and the result is the same to the
/// last bit.
pub fn train<M: Model>(
    model: &M,
    samples: &Samples<M::Position>,
    from: &Weights,
    plan: &Plan,
    threads: usize,
    folder: Option<&Path>,
    watch: &(dyn Fn(News) -> Control + Sync),
) -> Result<Option<Vec<Stage>>, TrainError> {
    let task = Task(format!(
        "{} of {} features {plan:?} {} samples {:016x} from {:08x}",
        model.name(),
        model.features(),
        samples.len(),
        samples.fingerprint(model),
        from.checksum()
    ));
    let keep = folder.map(|dir| Keep { dir, task: &task });
    let mut order: Vec<usize> = plan.stages.clone().filter(|&stage| stage < model.stages()).collect();
    // The largest first: the last to be done should not keep all others waiting.
    order.sort_by_key(|&stage| std::cmp::Reverse(samples.stage(stage).len()));
    let run = Run { keep, plan, watch, stopped: AtomicBool::new(false) };
    let next = AtomicUsize::new(0);
    let trained = Mutex::new(Ok(Vec::new()));
    thread::scope(|scope| {
        for _ in 0..threads.clamp(1, order.len().max(1)) {
            scope.spawn(|| {
                while let Some(&stage) = order.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let rows = || Rows::new(model, samples, stage, plan.smooth, plan.holdout);
                    let done = run.stage(stage, &from.discs(stage), rows);
                    let mut trained = trained.lock().unwrap_or_else(PoisonError::into_inner);
                    match (done, &mut *trained) {
                        (Ok(Some(done)), Ok(trained)) => trained.push(done),
                        (Err(error), _) => {
                            run.stopped.store(true, Ordering::Relaxed);
                            *trained = Err(error);
                        }
                        _ => return,
                    }
                }
            });
        }
    });
    let mut trained = trained.into_inner().unwrap_or_else(PoisonError::into_inner)?;
    trained.sort_by_key(|done: &Stage| done.stage);
    Ok((!run.stopped.into_inner()).then_some(trained))
}

/// What all stages share.
struct Run<'r> {
    keep: Option<Keep<'r>>,
    plan: &'r Plan,
    watch: &'r (dyn Fn(News) -> Control + Sync),
    stopped: AtomicBool,
}

impl Run<'_> {
    /// Trains one stage; its rows are made only if there is something left to do.
    fn stage(
        &self,
        stage: usize,
        from: &[f32],
        rows: impl Fn() -> Rows,
    ) -> Result<Option<Stage>, TrainError> {
        let last = self.plan.iterations as usize;
        let kept = self.keep.as_ref().map(|keep| keep.load(stage)).transpose()?.flatten();
        let state = match kept {
            Some(state) if state.curve.len() > last => state,
            kept => match self.descend(stage, from, &rows(), kept)? {
                Some(state) => state,
                None => return Ok(None),
            },
        };
        let weights = from.iter().zip(&state.moved).map(|(from, moved)| from + moved).collect();
        Ok(Some(Stage { stage, weights, curve: state.curve }))
    }

    fn descend(
        &self,
        stage: usize,
        from: &[f32],
        rows: &Rows,
        kept: Option<Descent>,
    ) -> Result<Option<Descent>, TrainError> {
        let pace = Pace { step: self.plan.step, ridge: self.plan.ridge };
        let kept = kept.filter(|state| state.fits(rows, from.len()));
        let mut state = kept.unwrap_or_else(|| Descent::new(rows, from));
        let scale = Descent::scale(rows, from.len(), pace);
        let mut sums = vec![0.0; rows.labels.len()];
        while state.curve.len() <= self.plan.iterations as usize {
            state.step(rows, &scale, pace, &mut sums);
            let iteration = state.curve.len() as u32 - 1;
            let errors = state.curve.last().copied().unwrap_or_default();
            let order = (self.watch)(News { stage, iteration, rows: rows.trained(), errors });
            let stop = order == Control::Stop || self.stopped.load(Ordering::Relaxed);
            let done = iteration == self.plan.iterations;
            if done {
                state.done();
            }
            if let Some(keep) = self.keep.as_ref().filter(|_| done || stop || order == Control::Checkpoint) {
                keep.save(stage, &state)?;
            }
            if stop {
                self.stopped.store(true, Ordering::Relaxed);
                return Ok(None);
            }
        }
        Ok(Some(state))
    }
}
