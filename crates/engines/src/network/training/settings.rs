//! What a training of a network is told to do.

use std::fmt::Write;
use std::path::PathBuf;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use tesuji_learn::JobError;
use tesuji_learn::job::file_name;
use tesuji_nn::{Optimizer, Precision, Schedule, TrainingOptions};

/// How weights follow their gradients.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum OptimizerKind {
    /// Adam with decoupled weight decay.
    AdamW,
    /// Muon for the 3×3 convolutions, AdamW for everything else.
    #[default]
    Muon,
    /// Stochastic gradient descent with Nesterov's momentum.
    Sgd,
}

impl OptimizerKind {
    /// The peak of the learning rate that suits it.
    pub fn rate(self) -> f32 {
        match self {
            OptimizerKind::AdamW => 0.003,
            OptimizerKind::Muon => 0.01,
            OptimizerKind::Sgd => 0.2,
        }
    }
}

/// The learning rate over the steps.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ScheduleKind {
    /// Up along a cosine from a 25th of the peak, down along another to nearly zero.
    #[default]
    OneCycle,
    /// Up along a line from zero, down along a cosine to zero.
    Cosine,
    /// Always the peak.
    Constant,
}

/// How numbers are stored in the file.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum FilePrecision {
    /// Single precision, without loss.
    #[default]
    F32,
    /// Half precision.
    F16,
}

impl From<FilePrecision> for Precision {
    fn from(precision: FilePrecision) -> Precision {
        match precision {
            FilePrecision::F32 => Precision::F32,
            FilePrecision::F16 => Precision::F16,
        }
    }
}

/// How long a training is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum TrainingLength {
    /// So many times over the data.
    Epochs(u32),
    /// So many positions.
    Positions(u64),
}

/// A training of a network from data sets to a file.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct NetworkTrainingJob {
    /// The architecture, such as `policy-value:blocks=6,channels=64`.
    pub net: String,
    /// The data sets to learn.
    pub data: Vec<PathBuf>,
    /// Data sets to be tested on, which must not contain games of the others.
    pub test: Vec<PathBuf>,
    /// Tests use at most so many positions.
    pub test_positions: usize,
    /// The file for the network.
    pub out: PathBuf,
    /// A network whose tensors are taken over where they fit.
    pub init: Option<PathBuf>,
    /// Positions of a batch.
    pub batch: u32,
    /// The peak of the learning rate.
    pub rate: f32,
    /// How long it is.
    pub length: TrainingLength,
    /// Positions between two evaluations; about a twentieth of all by default.
    pub eval_every: Option<u64>,
    /// How weights follow their gradients.
    pub optimizer: OptimizerKind,
    /// The momentum of SGD.
    pub momentum: f32,
    /// Decay of the weights.
    pub weight_decay: f32,
    /// The greatest norm of a gradient.
    pub clip: Option<f32>,
    /// The learning rate over the steps.
    pub schedule: ScheduleKind,
    /// The share of the steps in which the rate rises.
    pub warm_up: f32,
    /// The share of the result in the win rate to learn; the rest is that of the search value.
    pub lambda: f32,
    /// The search value in the data sets that means a win rate of 73 %.
    pub value_scale: f32,
    /// The weight of the policy in the loss.
    pub policy_weight: f32,
    /// The weight of the win rate in the loss.
    pub value_weight: f32,
    /// Seed of the first weights and of the order of the positions.
    pub seed: u64,
    /// Ends after so many evaluations without an improvement on the test set, and keeps the best network.
    pub patience: Option<u32>,
    /// How numbers are stored in the file.
    pub precision: FilePrecision,
    /// Threads; all cores by default.
    pub threads: Option<usize>,
    /// The interval of checkpoints.
    pub checkpoint: Duration,
    /// Gets a JSON line per evaluation.
    pub log: Option<PathBuf>,
}

impl NetworkTrainingJob {
    /// The search value that multiplies the odds of winning by e, as data sets of all games store it.
    pub const VALUE_SCALE: f32 = 600.0;

    /// One pass over the data with the settings that have proven themselves for shogi.
    pub fn new(net: impl Into<String>, data: Vec<PathBuf>, out: impl Into<PathBuf>) -> NetworkTrainingJob {
        NetworkTrainingJob {
            net: net.into(),
            data,
            test: Vec::new(),
            test_positions: 50_000,
            out: out.into(),
            init: None,
            batch: 256,
            rate: OptimizerKind::Muon.rate(),
            length: TrainingLength::Epochs(1),
            eval_every: None,
            optimizer: OptimizerKind::Muon,
            momentum: 0.9,
            weight_decay: 0.01,
            clip: None,
            schedule: ScheduleKind::OneCycle,
            warm_up: 0.15,
            lambda: 1.0,
            value_scale: NetworkTrainingJob::VALUE_SCALE,
            policy_weight: 1.0,
            value_weight: 1.0,
            seed: 0,
            patience: None,
            precision: FilePrecision::F32,
            threads: None,
            checkpoint: Duration::from_secs(20),
            log: None,
        }
    }

    /// Positions of all batches of a training on so many positions: a whole number of batches.
    ///
    /// The last positions of the last epoch that do not fill a batch are left out: the statistics of batch norms would
    /// suffer from a small batch at the end.
    pub(super) fn sizes(&self, available: u64) -> Result<TrainingSizes, JobError> {
        if self.batch == 0 {
            return Err(JobError::field("batch", "0 positions: a batch has at least one"));
        }
        if available == 0 {
            return Err(JobError::field("data", "there is no position in it"));
        }
        let positions = match self.length {
            TrainingLength::Epochs(epochs) => available.saturating_mul(u64::from(epochs)),
            TrainingLength::Positions(positions) => positions,
        };
        if positions == 0 {
            return Err(JobError::field("positions", "0 positions: there is nothing to do"));
        }
        let batch = u64::from(self.batch).min(positions);
        let steps = positions / batch;
        let every = self.eval_every.unwrap_or_else(|| round_below(steps * batch / 15)).max(1);
        Ok(TrainingSizes { batch, steps, every })
    }

    /// What the trainer is told.
    pub(super) fn options(&self, steps: u64) -> TrainingOptions {
        let (peak, warm_up) = (self.rate, self.warm_up);
        TrainingOptions {
            optimizer: match self.optimizer {
                OptimizerKind::AdamW => Optimizer::ADAMW,
                OptimizerKind::Muon => Optimizer::MUON,
                OptimizerKind::Sgd => Optimizer::Sgd { momentum: self.momentum, nesterov: self.momentum > 0.0 },
            },
            schedule: match self.schedule {
                ScheduleKind::OneCycle => Schedule::OneCycle { peak, steps, warm_up },
                ScheduleKind::Cosine => Schedule::Cosine { peak, steps, warm_up },
                ScheduleKind::Constant => Schedule::Constant { rate: peak },
            },
            weight_decay: self.weight_decay,
            max_norm: self.clip,
            policy_weight: self.policy_weight,
            value_weight: self.value_weight,
            ..TrainingOptions::default()
        }
    }

    /// The command that trains the same network: every setting that it depends on, files by their names. It is part of
    /// the files, which belong to equal commands only.
    pub(super) fn command(&self, game: &str, net: &str, sizes: TrainingSizes) -> String {
        let mut text = format!("tesuji train {game} --net {net}");
        let mut add = |name: &str, value: &dyn std::fmt::Display| {
            // Writing to a string cannot fail.
            let _ = write!(text, " --{name} {value}");
        };
        let names = |files: &[PathBuf]| files.iter().map(|file| file_name(file)).collect::<Vec<_>>().join(" ");
        add("data", &names(&self.data));
        if !self.test.is_empty() {
            add("test", &names(&self.test));
            add("test-positions", &self.test_positions);
        }
        if let Some(init) = &self.init {
            add("init", &file_name(init));
        }
        add("batch", &self.batch);
        add("lr", &self.rate);
        match self.length {
            TrainingLength::Epochs(epochs) => add("epochs", &epochs),
            TrainingLength::Positions(positions) => add("positions", &positions),
        }
        add("eval-every", &sizes.every);
        match self.optimizer {
            OptimizerKind::AdamW => add("optimizer", &"adamw"),
            OptimizerKind::Muon => add("optimizer", &"muon"),
            OptimizerKind::Sgd => {
                add("optimizer", &"sgd");
                add("momentum", &self.momentum);
            }
        }
        add("weight-decay", &self.weight_decay);
        if let Some(clip) = self.clip {
            add("clip", &clip);
        }
        match self.schedule {
            ScheduleKind::OneCycle => add("schedule", &"one-cycle"),
            ScheduleKind::Cosine => add("schedule", &"cosine"),
            ScheduleKind::Constant => add("schedule", &"constant"),
        }
        if self.schedule != ScheduleKind::Constant {
            add("warm-up", &self.warm_up);
        }
        add("lambda", &self.lambda);
        if self.lambda < 1.0 {
            add("value-scale", &self.value_scale);
        }
        add("policy-weight", &self.policy_weight);
        add("value-weight", &self.value_weight);
        add("seed", &self.seed);
        if let Some(patience) = self.patience {
            add("patience", &patience);
        }
        if self.precision == FilePrecision::F16 {
            add("precision", &"f16");
        }
        text
    }
}

/// How large a training is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct TrainingSizes {
    /// Positions of a batch.
    pub(super) batch: u64,
    /// Batches in all.
    pub(super) steps: u64,
    /// Positions between two evaluations.
    pub(super) every: u64,
}

impl TrainingSizes {
    /// Positions in all.
    pub(super) fn positions(&self) -> u64 {
        self.batch * self.steps
    }

    /// Whether an evaluation follows on so many steps.
    pub(super) fn is_due(&self, steps: u64) -> bool {
        let evaluations = |steps: u64| steps * self.batch / self.every;
        steps > 0 && (steps == self.steps || evaluations(steps) > evaluations(steps - 1))
    }
}

/// The greatest of 1, 2, 5, 10, 20, … that is not greater.
fn round_below(number: u64) -> u64 {
    let mut power = 1;
    while number / power >= 10 {
        power *= 10;
    }
    power * [5, 2].into_iter().find(|&step| number / power >= step).unwrap_or(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_whole_batches_and_the_end_is_evaluated() {
        let mut job = NetworkTrainingJob::new("policy:layers=1,channels=1", vec!["a.set".into()], "net");
        job.batch = 100;
        let sizes = job.sizes(1_050).unwrap();
        assert_eq!((sizes.batch, sizes.steps, sizes.every), (100, 10, 50));
        job.eval_every = Some(250);
        let sizes = job.sizes(1_050).unwrap();
        assert_eq!((0..=10).filter(|&step| sizes.is_due(step)).collect::<Vec<_>>(), [3, 5, 8, 10]);
        assert_eq!(job.sizes(30).unwrap().steps, 1);
        job.length = TrainingLength::Positions(1_000_000);
        assert_eq!(job.sizes(30).unwrap().positions(), 1_000_000);
        assert!(job.sizes(0).is_err());
        assert_eq!([0, 1, 4, 5, 19, 20, 240_000].map(round_below), [1, 1, 2, 5, 10, 20, 200_000]);
    }
}
