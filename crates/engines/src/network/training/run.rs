//! A training under way: steps, evaluations and checkpoints.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::mpsc::{Receiver, Sender, channel, sync_channel};
use std::thread;
use std::time::Instant;

use serde::{Deserialize, Serialize};
use tesuji_learn::positions::PositionGame;
use tesuji_learn::{DataSetError, JobError};
use tesuji_nn::{Metrics, Network, Trainer};
use tesuji_store::save;
use tesuji_task::{CheckpointSchedule, Context, Progress};

use super::checkpoint::{SavedMetrics, TrainingProgress, save_checkpoint};
use super::evaluate::{NetworkEvaluation, evaluate, mean, rounded};
use super::job::{NetworkTrainingEvent, TrainingPlan};
use super::loader::{BatchLoader, LoadedBatch, ValueTarget};
use super::settings::NetworkTrainingJob;

/// Batches that are read ahead.
const AHEAD: usize = 2;

/// One evaluation of a training.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct TrainingPoint {
    /// Batches so far.
    pub step: u64,
    /// Positions so far.
    pub positions: u64,
    /// How often the data have been seen.
    pub epoch: f64,
    /// The learning rate.
    pub rate: f64,
    /// The mean loss in training since the last evaluation: that of the policy and that of the win rate, each with its
    /// weight.
    pub loss: f64,
    /// The mean cross-entropy of the policy in training since the last evaluation.
    pub policy_loss: Option<f64>,
    /// The share of positions in training whose move has the greatest logit.
    pub policy_accuracy: Option<f64>,
    /// The mean cross-entropy of the win rate in training.
    pub value_loss: Option<f64>,
    /// The share of decided positions in training whose winner is predicted.
    pub value_accuracy: Option<f64>,
    /// The figures on the test set.
    pub test: Option<NetworkEvaluation>,
    /// Seconds of training so far, without evaluations.
    pub seconds: f64,
    /// Positions per second since the last evaluation.
    pub positions_per_second: f64,
}

impl TrainingPoint {
    /// The figures in training by name; they do not depend on the time it took.
    pub fn figures(&self) -> BTreeMap<String, f64> {
        let figures = [
            ("loss", Some(self.loss)),
            ("policy_loss", self.policy_loss),
            ("policy_accuracy", self.policy_accuracy),
            ("value_loss", self.value_loss),
            ("value_accuracy", self.value_accuracy),
        ];
        figures.into_iter().filter_map(|(name, figure)| Some((name.to_owned(), figure?))).collect()
    }
}

/// A training under way.
pub(super) struct TrainingRun<'a, G> {
    pub(super) job: &'a NetworkTrainingJob,
    pub(super) plan: &'a TrainingPlan<G>,
    pub(super) path: &'a Path,
    pub(super) threads: usize,
    pub(super) trainer: Trainer,
    pub(super) progress: TrainingProgress,
    pub(super) best: Option<Network>,
    pub(super) context: Context<'a>,
}

impl<G: PositionGame> TrainingRun<'_, G> {
    /// Trains to the end. An interrupted run is saved first.
    pub(super) fn train(&mut self, events: &mut dyn FnMut(NetworkTrainingEvent)) -> Result<(), JobError> {
        let NetworkTrainingJob { seed, lambda, value_scale: scale, .. } = *self.job;
        let (sets, batch) = (&self.plan.sets, self.plan.sizes.batch);
        let loader = BatchLoader { sets, seed, batch, target: ValueTarget { lambda, scale } };
        let steps = self.progress.step..self.plan.sizes.steps;
        thread::scope(|scope| {
            let (ready, batches) = sync_channel(AHEAD);
            let (used, recycled) = channel();
            scope.spawn(move || loader.run(steps, &ready, &recycled));
            self.steps(&batches, &used, events)
        })
    }

    fn steps(
        &mut self,
        batches: &Receiver<Result<LoadedBatch, DataSetError>>,
        used: &Sender<LoadedBatch>,
        events: &mut dyn FnMut(NetworkTrainingEvent),
    ) -> Result<(), JobError> {
        let sizes = self.plan.sizes;
        let mut since = Metrics::from(self.progress.since);
        let mut schedule = CheckpointSchedule::new(self.job.checkpoint);
        let mut recent = Metrics::default();
        loop {
            let is_new = self.progress.points.last().is_none_or(|point| point.step < self.progress.step);
            if sizes.is_due(self.progress.step) && is_new {
                let Some(point) = self.evaluate(&since)? else { return self.interrupted(&since) };
                since = Metrics::default();
                self.keep(point, &since, events)?;
                schedule.restart();
            }
            if self.progress.step >= sizes.steps || self.is_stalled() {
                return Ok(());
            }
            if self.context.is_cancelled() {
                return self.interrupted(&since);
            }
            let begun = Instant::now();
            let Ok(loaded) = batches.recv() else {
                return Err(JobError::Failed("the thread that reads the data ended early".to_owned()));
            };
            let loaded = loaded.map_err(JobError::failed)?;
            let step = self.trainer.step(&loaded.batch()).map_err(JobError::failed)?;
            // Nobody takes them back at the end.
            let _ = used.send(loaded);
            since.add(&step.metrics);
            self.progress.step += 1;
            self.progress.seconds += begun.elapsed().as_secs_f64();
            if !(step.metrics.policy_loss.is_finite() && step.metrics.value_loss.is_finite()) {
                return Err(self.diverged());
            }
            self.report(&mut recent, &step.metrics);
            if schedule.due() {
                self.save(&since)?;
            }
        }
    }

    /// Tells how far the training is, with means over about the last hundred steps.
    fn report(&self, recent: &mut Metrics, step: &Metrics) {
        let sizes = self.plan.sizes;
        recent.add(step);
        let Some(loss) = self.loss(recent) else { return };
        let accuracy = mean(recent.policy_hits as f64, recent.with_policy);
        let accuracy = accuracy.map_or(String::new(), |share| format!(", top-1 {:.1} %", 100.0 * share));
        let (positions, seconds) = self.since_last();
        let speed = if seconds > 0.0 { positions as f64 / seconds } else { 0.0 };
        let tested = self.progress.points.last().and_then(|point| point.test).and_then(|test| test.policy_accuracy);
        let tested = tested.map_or(String::new(), |share| format!(", test {:.1} %", 100.0 * share));
        let note = format!("loss {loss:.3}{accuracy}{tested}, {speed:.0} positions/s");
        (self.context.progress)(Progress {
            done: self.progress.step * sizes.batch,
            total: sizes.positions(),
            note: &note,
        });
        if recent.positions > 100 * sizes.batch {
            *recent = Metrics::default();
        }
    }

    /// Positions and seconds of training since the last evaluation.
    fn since_last(&self) -> (u64, f64) {
        let before = self.progress.points.last().map_or(0, |point| point.positions);
        let positions = self.progress.step * self.plan.sizes.batch - before;
        (positions, self.progress.seconds - self.progress.seconds_before)
    }

    /// The mean loss.
    fn loss(&self, metrics: &Metrics) -> Option<f64> {
        let policy = f64::from(self.job.policy_weight) * metrics.policy_loss;
        mean(policy + f64::from(self.job.value_weight) * metrics.value_loss, metrics.positions)
    }

    /// The figures of now; `None` when they were cancelled.
    fn evaluate(&self, since: &Metrics) -> Result<Option<TrainingPoint>, JobError> {
        let (plan, step) = (self.plan, self.progress.step);
        let mut test = None;
        if !plan.sample.is_empty() {
            let total = plan.sizes.positions();
            let progress = |done: u64| {
                let note = format!("evaluation: {done} of {} positions", plan.sample.len());
                (self.context.progress)(Progress { done: step * plan.sizes.batch, total, note: &note });
            };
            let network = self.trainer.network();
            test = evaluate(network, &plan.tests, &plan.sample, self.threads, self.context, &progress)
                .map_err(JobError::failed)?;
            if test.is_none() {
                return Ok(None);
            }
        }
        let positions = step * plan.sizes.batch;
        let (count, seconds) = self.since_last();
        let has_value = plan.network.architecture().value.is_some();
        Ok(Some(TrainingPoint {
            step,
            positions,
            epoch: rounded(positions as f64 / plan.sets.len() as f64),
            rate: rounded_rate(self.job.options(plan.sizes.steps).schedule.rate(step - 1)),
            loss: self.loss(since).unwrap_or_default(),
            policy_loss: mean(since.policy_loss, since.with_policy),
            policy_accuracy: mean(since.policy_hits as f64, since.with_policy),
            value_loss: mean(since.value_loss, since.with_value).filter(|_| has_value),
            value_accuracy: mean(since.value_hits as f64, since.decided).filter(|_| has_value),
            test,
            seconds: (self.progress.seconds * 1e3).round() / 1e3,
            positions_per_second: if seconds > 0.0 { (count as f64 / seconds).round() } else { 0.0 },
        }))
    }

    /// Keeps an evaluation: in the checkpoint, then in the log.
    fn keep(
        &mut self,
        point: TrainingPoint,
        since: &Metrics,
        events: &mut dyn FnMut(NetworkTrainingEvent),
    ) -> Result<(), JobError> {
        self.progress.points.push(point.clone());
        self.progress.seconds_before = self.progress.seconds;
        let last = self.progress.points.len() - 1;
        let loss = |index: usize| self.test_loss(&self.progress.points[index]);
        if self.job.patience.is_some() && self.progress.best.is_none_or(|best| loss(last) < loss(best)) {
            self.progress.best = Some(last);
            self.best = Some(self.trainer.network().clone());
        }
        self.save(since)?;
        if let Some(log) = &self.job.log {
            let mut lines = String::new();
            for point in &self.progress.points {
                lines += &serde_json::to_string(point).map_err(JobError::failed)?;
                lines.push('\n');
            }
            save(log, lines.as_bytes()).map_err(JobError::failed)?;
        }
        events(NetworkTrainingEvent::Evaluation(point));
        Ok(())
    }

    /// The loss on the test set.
    fn test_loss(&self, point: &TrainingPoint) -> f64 {
        let test = point.test.as_ref();
        let part = |weight: f32, loss: Option<f64>| f64::from(weight) * loss.unwrap_or_default();
        part(self.job.policy_weight, test.and_then(|test| test.policy_cross_entropy))
            + part(self.job.value_weight, test.and_then(|test| test.value_cross_entropy))
    }

    /// Whether the last evaluations brought no improvement.
    fn is_stalled(&self) -> bool {
        let (Some(patience), Some(best)) = (self.job.patience, self.progress.best) else { return false };
        self.progress.points.len() - 1 - best >= patience.max(1) as usize
    }

    fn save(&mut self, since: &Metrics) -> Result<(), JobError> {
        if !self.trainer.network().is_finite() {
            return Err(self.diverged());
        }
        self.progress.since = SavedMetrics::from(since);
        save_checkpoint(self.path, &self.progress, self.trainer.checkpoint(), self.best.as_ref())
    }

    fn interrupted(&mut self, since: &Metrics) -> Result<(), JobError> {
        self.save(since)?;
        let positions = self.progress.step * self.plan.sizes.batch;
        Err(JobError::Cancelled(format!(
            "interrupted after {positions} of {} positions; a checkpoint is saved, the same command continues",
            self.plan.sizes.positions()
        )))
    }

    fn diverged(&self) -> JobError {
        JobError::Failed(format!(
            "the training diverged after {} positions: remove {} if it is there, and try a smaller --lr or --clip 1",
            self.progress.step * self.plan.sizes.batch,
            self.path.display()
        ))
    }
}

/// A learning rate with nine decimals.
fn rounded_rate(rate: f32) -> f64 {
    (f64::from(rate) * 1e9).round() / 1e9
}
