//! Training of efficiently updatable networks (NNUE): the evaluation `nnue` of a game.

use serde::{Deserialize, Serialize};
use tesuji_engines::EngineConstructor;
pub use tesuji_engines::shogi::nnue::candidate::NnueImprovement;
pub use tesuji_engines::shogi::nnue::training::NnueJob;
use tesuji_learn::JobError;
use tesuji_learn::improve::Candidate;
pub use tesuji_learn::nnue::NnueSettings;
use tesuji_learn::nnue::{Metrics, NnueOutcome, NnuePoint};
use tesuji_task::Context;

use crate::{Error, Playable, Registration};

/// The figures after a pass over the data.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
#[serde(tag = "event", rename = "evaluation")]
pub struct NnueTrainingPoint {
    /// Positions so far.
    pub positions: u64,
    /// The mean loss in training above the least that is possible, since the last point.
    pub loss: f64,
    /// The same on the held-out set.
    pub test_loss: f64,
    /// The mean loss on the results of the held-out games.
    pub result_loss: f64,
    /// The share of decided held-out positions whose winner is predicted.
    pub accuracy: f64,
    /// Held-out positions.
    pub test_positions: u64,
}

impl From<&NnuePoint> for NnueTrainingPoint {
    fn from(point: &NnuePoint) -> NnueTrainingPoint {
        let rounded = |number: f64| (number * 1e6).round() / 1e6;
        let test: &Metrics = &point.test;
        NnueTrainingPoint {
            positions: point.positions,
            loss: rounded(point.train.excess()),
            test_loss: rounded(test.excess()),
            result_loss: rounded(test.mean_result_loss()),
            accuracy: rounded(test.accuracy()),
            test_positions: test.positions,
        }
    }
}

/// A trained network.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(tag = "event", rename = "final")]
pub struct NnueTrainingResponse {
    /// The file.
    pub net: String,
    /// Inputs.
    pub inputs: usize,
    /// Columns of an accumulator.
    pub width: usize,
    /// The mean difference between the integers of the file and the floats of the training, in units of value.
    pub mean_error: Option<f64>,
    /// The largest difference.
    pub largest_error: Option<f64>,
    /// Whether an earlier run of the same command had written it.
    pub existed: bool,
    /// What the user should know, but is no error.
    #[serde(skip)]
    pub warnings: Vec<String>,
}

/// Trains the network of a job.
pub type NnueTrainer = fn(&NnueJob, Context<'_>, &mut dyn FnMut(&NnuePoint)) -> Result<NnueOutcome, JobError>;

/// Makes the candidate of the improvement loop from its settings, the engines of the game, and what one step of their
/// values counts in a data set.
pub type NnueCandidateMaker<G> =
    fn(&NnueImprovement, EngineConstructor<G>, f64) -> Result<Box<dyn Candidate>, JobError>;

/// What a game with such networks can do.
pub struct NnueCapability<G: Playable> {
    /// Trains a network.
    pub train: NnueTrainer,
    /// Improves a network by self-play.
    pub candidate: NnueCandidateMaker<G>,
}

/// The evaluation `nnue` of a game.
///
/// # Errors
/// Bad input, failed reading or writing, and cancellation. The message says what is saved.
pub trait NnueApi {
    /// Whether such networks can be trained for the game.
    fn has_nnue(&self) -> bool;

    /// Trains a network, or continues an interrupted run.
    fn train_nnue(
        &self,
        job: &NnueJob,
        context: Context<'_>,
        events: &mut dyn FnMut(NnueTrainingPoint),
    ) -> Result<NnueTrainingResponse, Error>;
}

impl<G: Playable> Registration<G> {
    /// Networks for the evaluation `nnue` can be trained for the game.
    pub fn nnue(mut self, capability: NnueCapability<G>) -> Registration<G> {
        self.nnue = Some(capability);
        self
    }

    fn nnue_capability(&self) -> Result<&NnueCapability<G>, Error> {
        let missing = || Error::invalid(format!("{} has no evaluation nnue to train", G::NAME));
        self.nnue.as_ref().ok_or_else(missing)
    }

    /// What the improvement loop improves.
    pub(crate) fn nnue_candidate(&self, settings: &NnueImprovement) -> Result<Box<dyn Candidate>, Error> {
        let step = self.value_step()?;
        Ok((self.nnue_capability()?.candidate)(settings, self.engines.make, step)?)
    }
}

impl<G: Playable> NnueApi for Registration<G> {
    fn has_nnue(&self) -> bool {
        self.nnue.is_some()
    }

    fn train_nnue(
        &self,
        job: &NnueJob,
        context: Context<'_>,
        events: &mut dyn FnMut(NnueTrainingPoint),
    ) -> Result<NnueTrainingResponse, Error> {
        let train = self.nnue_capability()?.train;
        let NnueOutcome { weights, existed, error, warnings, .. } =
            train(job, context, &mut |point| events(NnueTrainingPoint::from(point)))?;
        Ok(NnueTrainingResponse {
            net: job.out.display().to_string(),
            inputs: weights.inputs(),
            width: weights.width,
            mean_error: error.map(|error| error.mean),
            largest_error: error.map(|error| error.largest),
            existed,
            warnings,
        })
    }
}
