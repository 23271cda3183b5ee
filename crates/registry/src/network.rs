//! Training and evaluation of networks.
//!
//! The requests are the jobs of `engines`. A training continues an interrupted run; its curves are drawn beside the file
//! after every evaluation.

use std::path::Path;

use serde::{Deserialize, Serialize};
use tesuji_engines::network::training::NetworkTrainingOutcome;
pub use tesuji_engines::network::training::{
    FilePrecision, NetworkEvaluation, NetworkEvaluationJob, NetworkTrainingEvent, NetworkTrainingJob, OptimizerKind,
    ScheduleKind, TrainingLength, TrainingPoint, TrainingStart,
};
use tesuji_game::Planes;
use tesuji_learn::job::JobError;
use tesuji_learn::positions::PositionGame;
use tesuji_nn::Network;
use tesuji_report::network::{self as plots, NetworkCurve, NetworkPlot};
use tesuji_store::save;
use tesuji_task::Context;

use crate::{Error, Playable, Registration};

/// A trained network.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(tag = "event", rename = "final")]
pub struct NetworkTrainingResponse {
    /// The file.
    pub net: String,
    /// The architecture.
    pub architecture: String,
    /// Learned parameters.
    pub parameters: usize,
    /// Positions that were learned.
    pub positions: u64,
    /// The figures on the test set.
    pub test: Option<NetworkEvaluation>,
    /// Whether an earlier run of the same job had written it.
    pub existed: bool,
    /// What the user should know, but is no error.
    #[serde(skip)]
    pub warnings: Vec<String>,
}

/// Networks of a game.
///
/// # Errors
/// Bad input, failed reading or writing, and cancellation. The message says what is saved.
pub trait NetworkApi {
    /// Whether networks can be trained for the game.
    fn has_networks(&self) -> bool {
        self.encoding().is_some()
    }

    /// The encoding of positions and moves for networks.
    fn encoding(&self) -> Option<tesuji_game::Encoding>;

    /// Trains a network, or continues an interrupted run. Curves are written beside the file.
    fn train_network(
        &self,
        job: &NetworkTrainingJob,
        context: Context<'_>,
        events: &mut dyn FnMut(NetworkTrainingEvent),
    ) -> Result<NetworkTrainingResponse, Error>;

    /// Evaluates a network that was read from a file on data sets of the game.
    fn evaluate_network(
        &self,
        job: &NetworkEvaluationJob,
        network: &Network,
        context: Context<'_>,
    ) -> Result<NetworkEvaluation, Error>;
}

type TrainingRunner = fn(
    &NetworkTrainingJob,
    Context<'_>,
    &mut dyn FnMut(NetworkTrainingEvent),
) -> Result<NetworkTrainingOutcome, JobError>;

/// What a game with networks can do.
#[derive(Clone, Copy)]
pub struct NetworkCapability {
    encoding: tesuji_game::Encoding,
    train: TrainingRunner,
    evaluate: fn(&NetworkEvaluationJob, &Network, Context<'_>) -> Result<NetworkEvaluation, JobError>,
}

impl<G: Playable> Registration<G> {
    /// Networks can be trained for the game.
    pub fn networks(mut self) -> Registration<G>
    where
        G: PositionGame,
    {
        self.networks = Some(NetworkCapability {
            encoding: <G as Planes>::ENCODING,
            train: NetworkTrainingJob::run::<G>,
            evaluate: NetworkEvaluationJob::run::<G>,
        });
        self.network_benches = Some(crate::NetworkBenches::OF_GAME);
        self.network_candidate = Some(crate::improve::network_candidate::<G>);
        self
    }
}

fn without_networks<G: Playable>() -> Error {
    Error::invalid(format!("{} has no encoding for networks", G::NAME))
}

impl<G: Playable> NetworkApi for Registration<G> {
    fn encoding(&self) -> Option<tesuji_game::Encoding> {
        self.networks.map(|networks| networks.encoding)
    }

    fn train_network(
        &self,
        job: &NetworkTrainingJob,
        context: Context<'_>,
        events: &mut dyn FnMut(NetworkTrainingEvent),
    ) -> Result<NetworkTrainingResponse, Error> {
        let train = self.networks.ok_or_else(without_networks::<G>)?.train;
        let mut curves = TrainingCurves::new(job, G::NAME);
        let mut drawn = Ok(());
        let outcome = train(job, context, &mut |event| {
            if drawn.is_ok() {
                drawn = curves.add(&event);
            }
            if drawn.is_err() {
                context.cancel.cancel();
            }
            events(event);
        });
        drawn?;
        let NetworkTrainingOutcome { network, existed, positions, evaluation, figures: _, points: _, warnings } =
            outcome?;
        Ok(NetworkTrainingResponse {
            net: job.out.display().to_string(),
            architecture: network.architecture().to_string(),
            parameters: network.parameters(),
            positions,
            test: evaluation,
            existed,
            warnings,
        })
    }

    fn evaluate_network(
        &self,
        job: &NetworkEvaluationJob,
        network: &Network,
        context: Context<'_>,
    ) -> Result<NetworkEvaluation, Error> {
        let evaluate = self.networks.ok_or_else(without_networks::<G>)?.evaluate;
        Ok(evaluate(job, network, context)?)
    }
}

/// The curves beside the file of a network, drawn again after every evaluation.
struct TrainingCurves<'a> {
    out: &'a Path,
    title: String,
    text: String,
    points: Vec<TrainingPoint>,
}

impl<'a> TrainingCurves<'a> {
    fn new(job: &'a NetworkTrainingJob, game: &str) -> TrainingCurves<'a> {
        let title = format!("training of {} for {game}", job.net);
        TrainingCurves { out: &job.out, title, text: String::new(), points: Vec::new() }
    }

    fn add(&mut self, event: &NetworkTrainingEvent) -> Result<(), Error> {
        match event {
            NetworkTrainingEvent::Start(start) => {
                self.points.clone_from(&start.points);
                let TrainingStart { net, parameters, available, positions, test_positions, .. } = start;
                self.text = format!(
                    "{net}, {parameters} parameters\n{positions} positions to learn, of {available}; tested on \
                     {test_positions}"
                );
                return Ok(());
            }
            NetworkTrainingEvent::Evaluation(point) => self.points.push(point.clone()),
        }
        let plots = self.plots();
        let write = |extension: &str, text: &str| save(self.out.with_extension(extension), text.as_bytes());
        write("svg", &plots[0].svg()).map_err(Error::failed)?;
        write("html", &plots::page(&self.title, &self.text, &plots)).map_err(Error::failed)
    }

    fn plots(&self) -> [NetworkPlot; 3] {
        let curve = |name: &'static str, factor: f64, figure: &dyn Fn(&TrainingPoint) -> Option<f64>| {
            let point = |point: &TrainingPoint| Some((point.positions as f64, factor * figure(point)?));
            NetworkCurve { name, points: self.points.iter().filter_map(point).collect() }
        };
        let test =
            |figure: fn(&NetworkEvaluation) -> Option<f64>| move |point: &TrainingPoint| figure(point.test.as_ref()?);
        let plot = |what: &str, unit: &'static str, curves: Vec<NetworkCurve>| NetworkPlot {
            title: format!("{}: {what}", self.title),
            unit,
            along: "positions",
            curves,
        };
        [
            plot(
                "accuracy",
                "%",
                vec![
                    curve("policy, training", 100.0, &|point| point.policy_accuracy),
                    curve("policy, test", 100.0, &test(|test| test.policy_accuracy)),
                    curve("value, training", 100.0, &|point| point.value_accuracy),
                    curve("value, test", 100.0, &test(|test| test.value_accuracy)),
                ],
            ),
            plot(
                "cross-entropy",
                "nats",
                vec![
                    curve("policy, training", 1.0, &|point| point.policy_loss),
                    curve("policy, test", 1.0, &test(|test| test.policy_cross_entropy)),
                    curve("value, training", 1.0, &|point| point.value_loss),
                    curve("value, test", 1.0, &test(|test| test.value_cross_entropy)),
                ],
            ),
            plot("learning rate", "", vec![curve("learning rate", 1.0, &|point| Some(point.rate))]),
        ]
    }
}
