//! The job that trains a network: resumable, and with its provenance in the file it writes.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use tesuji_learn::JobError;
use tesuji_learn::job::{file_name, read_input};
use tesuji_learn::positions::{PositionGame, PositionSets};
use tesuji_nn::{Architecture, Checkpoint, InstructionSet, Network, NetworkFile, NetworkFileError, Trainer, sha256};
use tesuji_store::{check_target, save};
use tesuji_task::{Context, cores};

use super::checkpoint::{TrainingProgress, TrainingState, load_checkpoint};
use super::evaluate::{NetworkEvaluation, sample};
use super::run::{TrainingPoint, TrainingRun};
use super::settings::{NetworkTrainingJob, TrainingSizes};
use crate::network::{ENCODER, encoding_of};

/// The begin of a training, or its continuation.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct TrainingStart {
    /// The architecture.
    pub net: String,
    /// Learned parameters.
    pub parameters: usize,
    /// Positions of the data sets.
    pub available: u64,
    /// Positions of the test sets that are used.
    pub test_positions: u64,
    /// Positions that will be learned, all epochs together.
    pub positions: u64,
    /// Positions that an earlier run has learned.
    pub resumed: u64,
    /// What was taken over from another network.
    pub init: Option<String>,
    /// The instruction set.
    pub instructions: String,
    /// Threads.
    pub threads: usize,
    /// The evaluations of earlier runs.
    pub points: Vec<TrainingPoint>,
}

/// What happens in a training.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(tag = "event", rename_all = "lowercase")]
pub enum NetworkTrainingEvent {
    /// It begins or goes on.
    Start(TrainingStart),
    /// The network was evaluated.
    Evaluation(TrainingPoint),
}

/// The end of a training.
#[derive(Clone, PartialEq, Debug)]
pub struct NetworkTrainingOutcome {
    /// The network, as it is in the file.
    pub network: Network,
    /// Whether an earlier run of the same job had written it.
    pub existed: bool,
    /// Positions that were learned.
    pub positions: u64,
    /// The figures of the network on the test set.
    pub evaluation: Option<NetworkEvaluation>,
    /// The losses and accuracies in training before the end.
    pub figures: BTreeMap<String, f64>,
    /// All evaluations; empty if the file existed.
    pub points: Vec<TrainingPoint>,
    /// What the user should know, but is no error.
    pub warnings: Vec<String>,
}

/// The metadata that name what a network was made of.
mod key {
    pub(super) const GAME: &str = "game";
    pub(super) const COMMAND: &str = "command";
    pub(super) const DATA: &str = "data";
    pub(super) const TEST: &str = "test";
    pub(super) const INIT: &str = "init";
    pub(super) const PROGRAM: &str = "program";
    pub(super) const POSITIONS: &str = "positions";
    pub(super) const TRAINING: &str = "training";
    pub(super) const EVALUATION: &str = "evaluation";
}

/// Everything that is known before the first step.
pub(super) struct TrainingPlan<G> {
    pub(super) sets: PositionSets<G>,
    pub(super) tests: PositionSets<G>,
    /// The positions of the test sets that are used.
    pub(super) sample: Vec<usize>,
    pub(super) sizes: TrainingSizes,
    /// The network at the start.
    pub(super) network: Network,
    /// What was taken over.
    init: Option<String>,
    /// The metadata of the file that do not depend on the outcome.
    metadata: BTreeMap<String, String>,
    warnings: Vec<String>,
}

impl NetworkTrainingJob {
    /// Trains and writes the network, or continues an interrupted run of the same job.
    ///
    /// # Errors
    /// A bad setting, a file that cannot be used, or cancellation: then the state is saved.
    pub fn run<G: PositionGame>(
        &self,
        context: Context<'_>,
        events: &mut dyn FnMut(NetworkTrainingEvent),
    ) -> Result<NetworkTrainingOutcome, JobError> {
        check_target(&self.out).map_err(|error| JobError::field("out", error))?;
        if let Some(log) = &self.log {
            check_target(log).map_err(|error| JobError::field("log", error))?;
        }
        let plan = self.plan::<G>()?;
        if let Some(outcome) = self.existing(&plan.metadata)? {
            return Ok(outcome);
        }
        let task = task(&plan.metadata);
        let path = beside(&self.out, ".checkpoint");
        let options = self.options(plan.sizes.steps);
        let threads = self.threads.unwrap_or_else(cores);
        let instructions = InstructionSet::detect().to_string();
        let mut warnings = plan.warnings.clone();
        let saved = load_checkpoint(&path, &task, &plan.network)?;
        let TrainingState { mut progress, checkpoint, best } = match saved {
            Some(state) => state,
            None => {
                let trainer = Trainer::new(plan.network.clone(), options, 1).map_err(JobError::failed)?;
                let progress = TrainingProgress { task, ..TrainingProgress::default() };
                TrainingState { progress, checkpoint: trainer.checkpoint().clone(), best: None }
            }
        };
        if !progress.instructions.is_empty() && progress.instructions != instructions {
            warnings.push(format!(
                "the training began with {} and goes on with {instructions}: the network will differ by rounding",
                progress.instructions
            ));
        }
        progress.instructions.clone_from(&instructions);
        events(NetworkTrainingEvent::Start(TrainingStart {
            net: plan.network.architecture().to_string(),
            parameters: plan.network.parameters(),
            available: plan.sets.len() as u64,
            test_positions: plan.sample.len() as u64,
            positions: plan.sizes.positions(),
            resumed: progress.step * plan.sizes.batch,
            init: plan.init.clone(),
            instructions,
            threads,
            points: progress.points.clone(),
        }));
        let trainer = Trainer::resume(checkpoint, options, threads).map_err(JobError::failed)?;
        let mut run = TrainingRun { job: self, plan: &plan, path: &path, threads, trainer, progress, best, context };
        run.train(events)?;
        let TrainingRun { trainer, progress, best, .. } = run;
        let Checkpoint { step, network, .. } = trainer.checkpoint();
        let network = best.unwrap_or_else(|| network.clone());
        let index = progress.best.unwrap_or(progress.points.len().saturating_sub(1));
        let evaluation = progress.points.get(index).and_then(|point| point.test);
        let mut metadata = plan.metadata.clone();
        metadata.insert(key::POSITIONS.to_owned(), (step * plan.sizes.batch).to_string());
        let figures = progress.points.get(index).map(TrainingPoint::figures).unwrap_or_default();
        metadata.insert(key::TRAINING.to_owned(), serde_json::to_string(&figures).map_err(JobError::failed)?);
        if let Some(evaluation) = &evaluation {
            let text = serde_json::to_string(evaluation).map_err(JobError::failed)?;
            metadata.insert(key::EVALUATION.to_owned(), text);
        }
        let bytes = NetworkFile { network, metadata }.write(self.precision.into());
        // What was written is what is reported: half precision rounds.
        let network = NetworkFile::read(&bytes).map_err(JobError::failed)?.network;
        save(&self.out, &bytes).map_err(JobError::failed)?;
        if let Err(error) = fs::remove_file(&path) {
            warnings.push(format!("{} is no longer needed and cannot be removed: {error}", path.display()));
        }
        let positions = step * plan.sizes.batch;
        let points = progress.points;
        Ok(NetworkTrainingOutcome { network, existed: false, positions, evaluation, figures, points, warnings })
    }

    fn plan<G: PositionGame>(&self) -> Result<TrainingPlan<G>, JobError> {
        let architecture: Architecture =
            self.net.parse().map_err(|error| JobError::field("net", format!("{}: {error}", self.net)))?;
        if self.policy_weight == 0.0 && architecture.value.is_none() || self.value_weight == 0.0 && !architecture.policy
        {
            return Err(JobError::input("the weight of the only head of the network is 0: there is nothing to learn"));
        }
        let sets = PositionSets::<G>::open(&self.data).map_err(JobError::input)?;
        let tests = PositionSets::<G>::open(&self.test).map_err(JobError::input)?;
        if self.patience.is_some() && tests.is_empty() {
            return Err(JobError::field("patience", "an early stop needs a test set: give one with --test"));
        }
        let sizes = self.sizes(sets.len() as u64)?;
        let mut network = Network::new(encoding_of::<G>(), architecture, self.seed);
        let mut metadata = BTreeMap::from([
            (ENCODER.to_owned(), G::ENCODING.name.to_owned()),
            (key::GAME.to_owned(), G::NAME.to_owned()),
            (key::COMMAND.to_owned(), self.command(G::NAME, &architecture.to_string(), sizes)),
            (key::DATA.to_owned(), sources(&sets)),
            (key::PROGRAM.to_owned(), format!("tesuji {}", env!("CARGO_PKG_VERSION"))),
        ]);
        if !tests.is_empty() {
            metadata.insert(key::TEST.to_owned(), sources(&tests));
        }
        let (mut init, mut warnings) = (None, Vec::new());
        if let Some(path) = &self.init {
            let bytes = read_input(path)?;
            let read = NetworkFile::read_for(&bytes, Some(encoding_of::<G>()), None);
            let (file, warning) =
                read.map_err(|error| JobError::field("init", format!("{}: {error}", path.display())))?;
            check_encoder::<G>(&file.metadata)
                .map_err(|error| JobError::field("init", format!("{}: {error}", path.display())))?;
            warnings.extend(warning.map(|warning| format!("{}: {warning}", path.display())));
            init = Some(take_over(&mut network, &file.network, path)?);
            metadata.insert(key::INIT.to_owned(), format!("{}, SHA-256 {}", file_name(path), sha256(&bytes)));
        }
        let sample = sample(tests.len(), self.test_positions);
        Ok(TrainingPlan { sets, tests, sample, sizes, network, init, metadata, warnings })
    }

    /// The network of an earlier run of this job, if there is a file; another file is an error.
    fn existing(&self, metadata: &BTreeMap<String, String>) -> Result<Option<NetworkTrainingOutcome>, JobError> {
        if !self.out.exists() {
            return Ok(None);
        }
        let bytes = read_input(&self.out)?;
        match NetworkFile::read(&bytes) {
            Ok(file) if task(&file.metadata) == task(metadata) => {
                let text = |key: &str| file.metadata.get(key).map(String::as_str).unwrap_or_default();
                Ok(Some(NetworkTrainingOutcome {
                    existed: true,
                    positions: text(key::POSITIONS).parse().unwrap_or_default(),
                    evaluation: serde_json::from_str(text(key::EVALUATION)).ok(),
                    figures: serde_json::from_str(text(key::TRAINING)).unwrap_or_default(),
                    points: Vec::new(),
                    warnings: Vec::new(),
                    network: file.network,
                }))
            }
            Err(error @ NetworkFileError::Checksum { .. }) => {
                Err(JobError::Input(format!("{}: {error}: remove it to train it again", self.out.display())))
            }
            _ => Err(JobError::exists(&self.out)),
        }
    }
}

/// Refuses a network whose file names the encoding of another game, or another version.
pub(crate) fn check_encoder<G: PositionGame>(metadata: &BTreeMap<String, String>) -> Result<(), String> {
    match metadata.get(ENCODER) {
        Some(found) if found != G::ENCODING.name => {
            Err(format!("the network belongs to the encoder {found}; {} is needed", G::ENCODING.name))
        }
        _ => Ok(()),
    }
}

/// Everything that the network depends on; the first line is the command.
fn task(metadata: &BTreeMap<String, String>) -> String {
    let keys = [key::COMMAND, key::DATA, key::TEST, key::INIT, ENCODER];
    keys.map(|key| metadata.get(key).map(String::as_str).unwrap_or_default()).join("\n")
}

/// A line about each data set.
fn sources<G: PositionGame>(sets: &PositionSets<G>) -> String {
    let line = |set: &tesuji_learn::positions::PositionSet<G>| {
        let (name, positions, games) = (file_name(set.path()), set.len(), set.games());
        format!("{name}: {positions} positions of {games} games, checksum {:08x}", set.checksum())
    };
    sets.sets().iter().map(line).collect::<Vec<_>>().join("\n")
}

/// Takes over the tensors that fit; what these are, in words.
fn take_over(network: &mut Network, other: &Network, path: &Path) -> Result<String, JobError> {
    let taken = network.take_over(other);
    if !taken.iter().any(|name| name.starts_with("trunk")) {
        let (found, wanted) = (other.architecture(), network.architecture());
        let path = path.display();
        return Err(JobError::field("init", format!("{path}: no tensor of the trunk of {found} fits {wanted}")));
    }
    let of = |part: &str, names: &mut dyn Iterator<Item = &str>| names.filter(|name| name.starts_with(part)).count();
    let mut parts = Vec::new();
    for part in ["trunk", "policy", "value"] {
        let all = of(part, &mut network.tensors().iter().map(|tensor| tensor.name.as_str()));
        match of(part, &mut taken.iter().map(String::as_str)) {
            0 => {}
            found if found == all => parts.push(part.to_owned()),
            found => parts.push(format!("{found} of {all} tensors of {part}")),
        }
    }
    let count = format!("{} of {} tensors", taken.len(), network.tensors().len());
    Ok(format!("{count} taken over from {}: {}", file_name(path), parts.join(", ")))
}

/// The path of a file beside another: its name with a suffix.
fn beside(path: &Path, suffix: &str) -> PathBuf {
    let mut name = OsString::from(path);
    name.push(suffix);
    name.into()
}
