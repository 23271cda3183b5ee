//! A network as what the improvement loop improves: self-play by PUCT with it, training on the visit counts and results,
//! and PUCT again in the gate.

use std::fs;
use std::marker::PhantomData;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use tesuji_game::Notation;
use tesuji_learn::JobError;
use tesuji_learn::improve::{Candidate, PlayedGames, SelfPlayTask, TrainTask, TrainedEvaluation};
use tesuji_learn::job::{file_name, read_input};
use tesuji_learn::positions::PositionGame;
use tesuji_nn::{Architecture, Network, NetworkFile, Precision};
use tesuji_store::save;
use tesuji_task::Context;

use super::training::NetworkTrainingJob;
use super::{ENCODER, NetworkSelfPlayJob, encoding_of, read_network};
use crate::{EngineConstructor, Spec};

/// How a network is improved. The two jobs are patterns: files, seeds, games and threads are filled in for every
/// generation.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct NetworkImprovement {
    /// A network to begin with; random weights by default.
    pub init: Option<PathBuf>,
    /// The engine of both sides in the gate, without its network; that of self-play by default.
    pub gate_engine: Option<String>,
    /// How games are played. Its engine is a `puct` without a network.
    pub self_play: NetworkSelfPlayJob,
    /// How the network is trained.
    pub training: NetworkTrainingJob,
}

impl NetworkImprovement {
    /// What is to be improved for a game, or what is wrong with it.
    ///
    /// # Errors
    /// A setting that no generation could be played or trained with.
    pub fn candidate<G: PositionGame + Notation>(
        &self,
        make: EngineConstructor<G>,
    ) -> Result<NetworkCandidate<G>, JobError> {
        let engine = puct("engine", &self.self_play.engine)?;
        let gate = self.gate_engine.as_deref().map(|text| puct("gate-engine", text)).transpose()?;
        let mut gate = gate.unwrap_or_else(|| engine.clone());
        gate.settings.retain(|(key, _)| key != "noise");
        let architecture = self.training.net.parse::<Architecture>();
        let architecture =
            architecture.map_err(|error| JobError::field("net", format!("{}: {error}", self.training.net)))?;
        if !architecture.policy || architecture.value.is_none() {
            let message = format!("{architecture}: the search needs policy and value, as in {DEFAULT_NET}");
            return Err(JobError::field("net", message));
        }
        Ok(NetworkCandidate { settings: self.clone(), engine, gate, architecture, make, game: PhantomData })
    }
}

/// The architecture where none is given.
pub const DEFAULT_NET: &str = "policy-value:blocks=4,channels=32";

/// The spec of an engine whose network is filled in later.
fn puct(field: &'static str, text: &str) -> Result<Spec, JobError> {
    let spec = Spec::parse(text).map_err(|error| JobError::field(field, error))?;
    if spec.name != "puct" {
        return Err(JobError::field(field, format!("{text:?}: a network plays as puct, such as puct:playouts=200")));
    }
    if spec.get("net").is_some() || spec.get("eval").is_some() {
        let message = format!("{text:?}: every generation has its own network: leave out net and eval");
        return Err(JobError::field(field, message));
    }
    Ok(spec)
}

/// A network under improvement.
#[derive(Debug)]
pub struct NetworkCandidate<G: PositionGame> {
    settings: NetworkImprovement,
    engine: Spec,
    gate: Spec,
    architecture: Architecture,
    make: EngineConstructor<G>,
    game: PhantomData<fn() -> G>,
}

impl<G: PositionGame + Notation> Candidate for NetworkCandidate<G> {
    fn settings(&self) -> String {
        let mut settings = self.settings.clone();
        // What every generation fills in, and what no result depends on.
        settings.self_play.out = PathBuf::new();
        settings.self_play.threads = None;
        settings.training.out = PathBuf::new();
        settings.training.threads = None;
        settings.training.checkpoint = std::time::Duration::ZERO;
        settings.training.log = None;
        settings.init = settings.init.as_deref().map(identified);
        settings.self_play.openings = settings.self_play.openings.as_deref().map(identified);
        let text = serde_json::to_string(&settings).unwrap_or_else(|_| format!("{settings:?}"));
        format!("network for {} {text}", G::NAME)
    }

    fn extension(&self) -> &str {
        "safetensors"
    }

    fn start(&self, out: &Path) -> Result<(), JobError> {
        let bytes = match &self.settings.init {
            Some(path) => {
                let bytes = read_input(path)?;
                let read = read_network::<G>(path, &bytes).map(|read| (read, bytes));
                let (read, bytes) =
                    read.map_err(|error| JobError::field("init", format!("{}: {error}", path.display())))?;
                if let Some(warning) = read.warning {
                    tracing::warn!(game = G::NAME, file = %path.display(), "{warning}");
                }
                let found = read.file.network.architecture();
                if found != self.architecture {
                    let message = format!("{}: it is a {found}: give --net {found}", path.display());
                    return Err(JobError::field("init", message));
                }
                bytes
            }
            None => {
                let network = Network::new(encoding_of::<G>(), self.architecture, self.settings.training.seed);
                let metadata = [(ENCODER, G::ENCODING.name), ("game", G::NAME), ("positions", "0")];
                let metadata = metadata.map(|(key, text)| (key.to_owned(), text.to_owned())).into();
                NetworkFile { network, metadata }.write(Precision::F32)
            }
        };
        save(out, &bytes).map_err(JobError::failed)
    }

    fn self_play(&self, task: &SelfPlayTask, context: Context<'_>) -> Result<PlayedGames, JobError> {
        let job = NetworkSelfPlayJob {
            games: task.games,
            out: task.out.clone(),
            engine: with_network(&self.engine, &task.evaluation),
            seed: task.seed,
            threads: task.threads,
            ..self.settings.self_play.clone()
        };
        let outcome = job.run::<G>(self.make, context)?;
        warn(&outcome.warnings);
        remove_leftover(&task.out, "journal");
        Ok(PlayedGames { games: task.games, positions: outcome.saved.positions })
    }

    fn train(&self, task: &TrainTask, context: Context<'_>) -> Result<TrainedEvaluation, JobError> {
        let job = NetworkTrainingJob {
            net: self.architecture.to_string(),
            data: task.data.clone(),
            out: task.out.clone(),
            init: Some(task.best.clone()),
            seed: task.seed,
            threads: task.threads,
            log: None,
            ..self.settings.training.clone()
        };
        let outcome = job.run::<G>(context, &mut |_| {})?;
        warn(&outcome.warnings);
        remove_leftover(&task.out, "checkpoint");
        Ok(TrainedEvaluation { positions: outcome.positions, figures: outcome.figures })
    }

    fn engine(&self, evaluation: &Path) -> String {
        with_network(&self.gate, evaluation)
    }
}

fn warn(warnings: &[String]) {
    for warning in warnings {
        tracing::warn!("{warning}");
    }
}

/// Removes what a job that was killed between its last two steps has left beside its file.
pub(crate) fn remove_leftover(out: &Path, ending: &str) {
    let mut name = out.as_os_str().to_owned();
    name.push(".");
    name.push(ending);
    // Usually there is none.
    let _ = fs::remove_file(name);
}

/// An engine with the network of a file.
fn with_network(spec: &Spec, file: &Path) -> String {
    let mut spec = spec.clone();
    spec.settings.push(("net".to_owned(), file.display().to_string()));
    spec.to_string()
}

/// A file by its name and checksum: what a result depends on, wherever the file lies.
pub(crate) fn identified(path: &Path) -> PathBuf {
    match fs::read(path) {
        Ok(bytes) => format!("{} (checksum {:08x})", file_name(path), crc32fast::hash(&bytes)).into(),
        Err(_) => path.to_owned(),
    }
}
