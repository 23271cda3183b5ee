//! The training: stage by stage, each by itself, so that threads share the stages and change nothing of the result.

mod descent;
mod rows;

use std::ops::Range;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;

use crate::sample::{Holdout, Samples};
use crate::{Errors, Model};
use descent::{Descent, Pace};
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

/// What to do next.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Order {
    /// Go on.
    Go,
    /// Save the state of this stage, then go on.
    Save,
    /// Save and end.
    Stop,
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

/// Trains stages on so many threads, from these weights of each stage; `None` when it was told to stop.
pub fn train<M: Model>(
    model: &M,
    samples: &Samples<M::Position>,
    from: &(dyn Fn(usize) -> Vec<f32> + Sync),
    plan: &Plan,
    threads: usize,
    watch: &(dyn Fn(News) -> Order + Sync),
) -> Option<Vec<Stage>> {
    let mut order: Vec<usize> = plan.stages.clone().collect();
    // The largest first: the last to be done should not keep all others waiting.
    order.sort_by_key(|&stage| std::cmp::Reverse(samples.stage(stage).len()));
    let (next, stopped) = (AtomicUsize::new(0), AtomicBool::new(false));
    let trained = Mutex::new(Vec::new());
    thread::scope(|scope| {
        for _ in 0..threads.clamp(1, order.len().max(1)) {
            scope.spawn(|| {
                while let Some(&stage) = order.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let rows = Rows::new(model, samples, stage, plan.smooth, plan.holdout);
                    let Some(done) = run(&rows, stage, from(stage), plan, watch, &stopped) else { return };
                    trained.lock().unwrap_or_else(PoisonError::into_inner).push(done);
                }
            });
        }
    });
    let mut trained = trained.into_inner().unwrap_or_else(PoisonError::into_inner);
    trained.sort_by_key(|done| done.stage);
    (!stopped.into_inner()).then_some(trained)
}

fn run(
    rows: &Rows,
    stage: usize,
    from: Vec<f32>,
    plan: &Plan,
    watch: &(dyn Fn(News) -> Order + Sync),
    stopped: &AtomicBool,
) -> Option<Stage> {
    let pace = Pace { step: plan.step, ridge: plan.ridge };
    let mut descent = Descent::new(rows, &from);
    let scale = Descent::scale(rows, from.len(), pace);
    let mut sums = vec![0.0; rows.labels.len()];
    while descent.curve.len() <= plan.iterations as usize {
        descent.step(rows, &scale, pace, &mut sums);
        let iteration = descent.curve.len() as u32 - 1;
        let errors = *descent.curve.last()?;
        let order = watch(News { stage, iteration, rows: rows.trained(), errors });
        if order == Order::Stop || stopped.load(Ordering::Relaxed) {
            stopped.store(true, Ordering::Relaxed);
            return None;
        }
    }
    let weights = from.iter().zip(&descent.moved).map(|(from, moved)| from + moved).collect();
    Some(Stage { stage, weights, curve: descent.curve })
}
