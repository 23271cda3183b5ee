//! Training: losses, gradients and optimisers.
//!
//! A step depends on the weights, the batch, the options and the instruction set alone. The number of threads does not
//! change a bit of it, and a trainer that continues from a [`Checkpoint`] computes what it would have computed without.

mod batchnorm;
mod heads;
mod loss;
mod muon;
mod optimizer;
mod pass;

#[cfg(test)]
mod tests;

use thiserror::Error;

pub use loss::{Metrics, PolicyTargets};
pub use optimizer::{Moments, Optimizer, Schedule};

use crate::infer::Planes;
use crate::kernel::InstructionSet;
use crate::network::Network;
use optimizer::StepSize;
use pass::Pass;

/// How a network is trained.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct TrainingOptions {
    /// How weights follow their gradients.
    pub optimizer: Optimizer,
    /// The learning rate over the steps.
    pub schedule: Schedule,
    /// Decay of the weights of convolutions and fully connected layers.
    pub weight_decay: f32,
    /// The greatest norm of a gradient; longer ones are scaled down.
    pub max_norm: Option<f32>,
    /// The weight of the policy in the loss.
    pub policy_weight: f32,
    /// The weight of the win rate in the loss.
    pub value_weight: f32,
    /// Into so many groups a batch is divided. More threads than groups are of no use. Another number rounds sums
    /// differently.
    pub groups: usize,
}

impl Default for TrainingOptions {
    fn default() -> TrainingOptions {
        TrainingOptions {
            optimizer: Optimizer::ADAMW,
            schedule: Schedule::Constant { rate: 1e-3 },
            weight_decay: 0.01,
            max_norm: None,
            policy_weight: 1.0,
            value_weight: 1.0,
            groups: 8,
        }
    }
}

/// Positions and what a network is to say about them.
#[derive(Clone, Copy, Debug)]
pub struct Batch<'a> {
    /// The encoded positions.
    pub planes: Planes<'a>,
    /// The number of positions.
    pub size: usize,
    /// The moves. Needed if the network has a policy head.
    pub policy: Option<PolicyTargets<'a>>,
    /// The win rates of the sides to move, from 0 to 1; NaN where none is known. Needed if the network has a value head.
    pub value: Option<&'a [f32]>,
}

/// A batch or a checkpoint that does not fit the network.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum TrainingError {
    /// No positions.
    #[error("the batch is empty")]
    Empty,
    /// Planes, moves or win rates of another number of positions.
    #[error("the {part} of the batch are not those of {size} positions")]
    Size {
        /// Which part.
        part: &'static str,
        /// The size of the batch.
        size: usize,
    },
    /// A label that the encoding does not have.
    #[error("there is no label {label}: the encoding has {labels}")]
    Label {
        /// The label.
        label: u32,
        /// The number of labels.
        labels: usize,
    },
    /// A head without targets.
    #[error("the network has a {head} head, but the batch has no targets for it")]
    Targets {
        /// Which head.
        head: &'static str,
    },
    /// Options without a group.
    #[error("groups=0: a batch has at least one group")]
    Groups,
    /// Moments of another optimiser or network.
    #[error("the moments of the checkpoint belong to another optimiser or network")]
    Moments,
}

/// The state of a training between two steps.
#[derive(Clone, PartialEq, Debug)]
pub struct Checkpoint {
    /// Steps done.
    pub step: u64,
    /// The network.
    pub network: Network,
    /// The state of the optimiser.
    pub moments: Moments,
}

/// What a step did.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Step {
    /// Sums over the positions, with the weights before the step.
    pub metrics: Metrics,
    /// The learning rate.
    pub rate: f32,
    /// The norm of the gradient, before clipping.
    pub gradient_norm: f64,
}

/// Trains a network.
#[derive(Debug)]
pub struct Trainer {
    options: TrainingOptions,
    state: Checkpoint,
    pass: Pass,
}

impl Trainer {
    /// Begins to train a network on so many threads.
    ///
    /// # Errors
    /// The options have no groups.
    pub fn new(network: Network, options: TrainingOptions, threads: usize) -> Result<Trainer, TrainingError> {
        let moments = Moments::zeros(options.optimizer, network.tensors());
        Trainer::resume(Checkpoint { step: 0, network, moments }, options, threads)
    }

    /// Continues from a checkpoint.
    ///
    /// # Errors
    /// The checkpoint belongs to another optimiser, or the options have no groups.
    pub fn resume(state: Checkpoint, options: TrainingOptions, threads: usize) -> Result<Trainer, TrainingError> {
        Trainer::with(InstructionSet::detect(), state, options, threads)
    }

    /// Continues from a checkpoint with an instruction set. One that this machine does not have is replaced by
    /// [`InstructionSet::Portable`].
    ///
    /// # Errors
    /// The checkpoint belongs to another optimiser, or the options have no groups.
    pub fn with(
        isa: InstructionSet,
        state: Checkpoint,
        options: TrainingOptions,
        threads: usize,
    ) -> Result<Trainer, TrainingError> {
        if options.groups == 0 {
            return Err(TrainingError::Groups);
        }
        if !state.moments.fit(options.optimizer, state.network.tensors()) {
            return Err(TrainingError::Moments);
        }
        let isa = if isa.is_available() { isa } else { InstructionSet::Portable };
        let pass = Pass::new(isa, &state.network, options.groups, threads);
        Ok(Trainer { options, state, pass })
    }

    /// The network as it is now.
    pub fn network(&self) -> &Network {
        &self.state.network
    }

    /// The state to continue from.
    pub fn checkpoint(&self) -> &Checkpoint {
        &self.state
    }

    /// The gradient of each tensor in the last step, before clipping; empty for running averages.
    pub fn gradients(&self) -> &[Vec<f32>] {
        &self.pass.result
    }

    /// Trains on one batch.
    ///
    /// # Errors
    /// The batch does not fit the network. The network is unchanged then.
    pub fn step(&mut self, batch: &Batch<'_>) -> Result<Step, TrainingError> {
        self.check(batch)?;
        let options = self.options;
        let weights = (options.policy_weight, options.value_weight);
        let metrics = self.pass.run(&mut self.state.network, batch, weights);
        let gradient_norm = optimizer::norm(&self.pass.result);
        let factor = match options.max_norm {
            Some(most) if gradient_norm > f64::from(most) => (f64::from(most) / gradient_norm) as f32,
            _ => 1.0,
        };
        let rate = options.schedule.rate(self.state.step);
        let size = StepSize { rate, weight_decay: options.weight_decay, factor, step: self.state.step };
        self.pass.update(options.optimizer, size, &mut self.state);
        self.state.step += 1;
        Ok(Step { metrics, rate, gradient_norm })
    }

    fn check(&self, batch: &Batch<'_>) -> Result<(), TrainingError> {
        let (encoding, architecture) = (self.network().encoding(), self.network().architecture());
        let size = batch.size;
        let wrong = |part: &'static str| Err(TrainingError::Size { part, size });
        if size == 0 {
            return Err(TrainingError::Empty);
        }
        if !batch.planes.is_batch(&encoding, size) {
            return wrong("planes");
        }
        match batch.policy {
            None if architecture.policy => return Err(TrainingError::Targets { head: "policy" }),
            Some(targets) if targets.len() != size => return wrong("moves"),
            Some(targets) => {
                let labels = encoding.labels();
                if let Some(label) = targets.greatest().filter(|label| *label as usize >= labels) {
                    return Err(TrainingError::Label { label, labels });
                }
            }
            None => {}
        }
        match batch.value {
            None if architecture.value.is_some() => Err(TrainingError::Targets { head: "value" }),
            Some(values) if values.len() != size => wrong("win rates"),
            _ => Ok(()),
        }
    }
}
