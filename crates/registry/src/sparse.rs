//! Evaluations that are sums of weights over sparse features: their training, and how they predict moves.

use std::path::Path;

use serde::{Deserialize, Serialize};
use tesuji_engines::training::SparseEvaluation;
pub use tesuji_engines::training::{PredictionCounts, PredictionJob, SparseImprovement, SparseJob};
use tesuji_engines::{EngineConstructor, training::SparseCandidate};
use tesuji_game::Symmetric;
use tesuji_learn::JobError;
use tesuji_learn::improve::Candidate;
pub use tesuji_learn::sparse::SparseSettings;
use tesuji_learn::sparse::{SparseOutcome, SparsePoint};
use tesuji_report::network::{self as plots, NetworkCurve, NetworkPlot};
use tesuji_store::save;
use tesuji_task::Context;

use crate::training::check_output;
use crate::{Error, Playable, Registration};

/// The figures after a pass over the data.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
#[serde(tag = "event", rename = "evaluation")]
pub struct SparseTrainingPoint {
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

impl From<&SparsePoint> for SparseTrainingPoint {
    fn from(point: &SparsePoint) -> SparseTrainingPoint {
        let rounded = |number: f64| (number * 1e6).round() / 1e6;
        SparseTrainingPoint {
            positions: point.positions,
            loss: rounded(point.train.excess()),
            test_loss: rounded(point.test.excess()),
            result_loss: rounded(point.test.mean_result_loss()),
            accuracy: rounded(point.test.accuracy()),
            test_positions: point.test.positions,
        }
    }
}

/// Trained weights.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(tag = "event", rename = "final")]
pub struct SparseTrainingResponse {
    /// The file.
    pub weights: String,
    /// The evaluation.
    pub model: String,
    /// Weights of features.
    pub features: usize,
    /// Those that are not zero.
    pub used: usize,
    /// Whether an earlier run of the same command had written it.
    pub existed: bool,
    /// What the user should know, but is no error.
    #[serde(skip)]
    pub warnings: Vec<String>,
}

/// How often the moves of records were predicted.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(tag = "event", rename = "final")]
pub struct PredictionResponse {
    /// The weights: a file, or `shipped`.
    pub weights: String,
    /// The share of moves that were the best of the evaluation.
    pub accuracy: f64,
    /// The share of moves among the best three.
    pub top3: f64,
    /// What a random choice would predict.
    pub random_accuracy: f64,
    /// The share of moves that were the best, or led to a mirror image of what the best leads to.
    pub image_accuracy: f64,
    /// What a random choice between positions that are no mirror images would predict.
    pub random_image_accuracy: f64,
    /// The counts behind the shares.
    #[serde(flatten)]
    pub counts: PredictionCounts,
}

/// The evaluation of a game that learns from data sets of positions. Every method but the first fails for a game without
/// one.
///
/// # Errors
/// Bad input, failed reading or writing, and cancellation. The message says what is saved.
pub trait SparseApi {
    /// Whether the game has such an evaluation.
    fn has_sparse_evaluation(&self) -> bool;

    /// Trains weights, or continues an interrupted run. Curves are written beside the file.
    fn train_sparse(
        &self,
        job: &SparseJob,
        context: Context<'_>,
        events: &mut dyn FnMut(SparseTrainingPoint),
    ) -> Result<SparseTrainingResponse, Error>;

    /// Compares the moves of records with those that the evaluation prefers one ply ahead.
    fn predict_moves(&self, job: &PredictionJob, context: Context<'_>) -> Result<PredictionResponse, Error>;
}

type SparseRunner = fn(&SparseJob, Context<'_>, &mut dyn FnMut(&SparsePoint)) -> Result<SparseOutcome, JobError>;

type SparseCandidateMaker<G> =
    fn(&SparseImprovement, EngineConstructor<G>, f64) -> Result<Box<dyn Candidate>, JobError>;

/// What a game with such an evaluation can do.
pub struct SparseCapability<G: Playable> {
    train: SparseRunner,
    predict: fn(&PredictionJob, Context<'_>) -> Result<PredictionCounts, JobError>,
    candidate: SparseCandidateMaker<G>,
}

impl<G: Playable> Registration<G> {
    /// The game has an evaluation that learns from data sets of positions.
    pub fn sparse_evaluation(mut self) -> Registration<G>
    where
        G: SparseEvaluation + Symmetric,
    {
        self.sparse = Some(SparseCapability {
            train: SparseJob::run::<G>,
            predict: PredictionJob::run::<G>,
            candidate: |settings, make, step| Ok(Box::new(SparseCandidate::<G>::new(settings, make, step)?)),
        });
        self
    }

    fn sparse_capability(&self) -> Result<&SparseCapability<G>, Error> {
        let missing =
            || Error::invalid(format!("{} has no evaluation that learns from data sets of positions", G::NAME));
        self.sparse.as_ref().ok_or_else(missing)
    }

    /// What the improvement loop improves.
    pub(crate) fn sparse_candidate(&self, settings: &SparseImprovement) -> Result<Box<dyn Candidate>, Error> {
        let step = self.value_step()?;
        Ok((self.sparse_capability()?.candidate)(settings, self.engines.make, step)?)
    }
}

impl<G: Playable> SparseApi for Registration<G> {
    fn has_sparse_evaluation(&self) -> bool {
        self.sparse.is_some()
    }

    fn train_sparse(
        &self,
        job: &SparseJob,
        context: Context<'_>,
        events: &mut dyn FnMut(SparseTrainingPoint),
    ) -> Result<SparseTrainingResponse, Error> {
        let train = self.sparse_capability()?.train;
        check_output(&job.out)?;
        let (mut points, mut drawn) = (Vec::new(), Ok(()));
        let title = format!("training of weights for {}", G::NAME);
        let outcome = train(job, context, &mut |point| {
            points.push(SparseTrainingPoint::from(point));
            if drawn.is_ok() {
                drawn = draw(&job.out, &title, &points);
            }
            if drawn.is_err() {
                context.cancel.cancel();
            }
            events(points[points.len() - 1]);
        });
        drawn?;
        let SparseOutcome { weights, existed, points: _, warnings } = outcome?;
        Ok(SparseTrainingResponse {
            weights: job.out.display().to_string(),
            model: weights.model().to_owned(),
            features: weights.weights(),
            used: weights.stage(0).iter().filter(|weight| **weight != 0).count(),
            existed,
            warnings,
        })
    }

    fn predict_moves(&self, job: &PredictionJob, context: Context<'_>) -> Result<PredictionResponse, Error> {
        let counts = (self.sparse_capability()?.predict)(job, context)?;
        let share = |count: f64| (count / counts.moves.max(1) as f64 * 1e6).round() / 1e6;
        Ok(PredictionResponse {
            weights: job.weights.as_ref().map_or("shipped".to_owned(), |path| path.display().to_string()),
            accuracy: share(counts.first),
            top3: share(counts.first_three),
            random_accuracy: share(counts.random),
            image_accuracy: share(counts.first_image),
            random_image_accuracy: share(counts.random_image),
            counts,
        })
    }
}

/// Draws the curves beside the file of weights.
fn draw(out: &Path, title: &str, points: &[SparseTrainingPoint]) -> Result<(), Error> {
    let curve = |name: &'static str, figure: fn(&SparseTrainingPoint) -> f64| NetworkCurve {
        name,
        points: points.iter().map(|point| (point.positions as f64, figure(point))).collect(),
    };
    let plot = |what: &str, unit: &'static str, curves: Vec<NetworkCurve>| NetworkPlot {
        title: format!("{title}: {what}"),
        unit,
        along: "positions",
        curves,
    };
    let plots = [
        plot("loss", "nats", vec![curve("training", |point| point.loss), curve("held out", |point| point.test_loss)]),
        plot("winners predicted", "%", vec![curve("held out", |point| 100.0 * point.accuracy)]),
    ];
    let write = |extension: &str, text: &str| save(out.with_extension(extension), text.as_bytes());
    write("svg", &plots[0].svg()).map_err(Error::failed)?;
    write("html", &plots::page(title, "", &plots)).map_err(Error::failed)
}
