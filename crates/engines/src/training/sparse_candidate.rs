//! Weights over sparse features as what the improvement loop improves: self-play by alpha-beta, training on search values
//! and results, and alpha-beta again in the gate.

use std::marker::PhantomData;
use std::path::{Path, PathBuf};
use std::time::Duration;

use serde::{Deserialize, Serialize};
use tesuji_learn::improve::{Candidate, Figures, PlayedGames, SelfPlayTask, TrainTask, TrainedEvaluation};
use tesuji_learn::job::read_input;
use tesuji_learn::{JobError, Weights};
use tesuji_store::save;
use tesuji_task::Context;

use super::{SparseEvaluation, SparseJob, ValueSelfPlayJob};
use crate::network::{identified, remove_leftover};
use crate::{EngineConstructor, Spec};

/// How weights are improved. The two jobs are patterns: files, seeds, games and threads are filled in for every
/// generation.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct SparseImprovement {
    /// The weights to begin with; those that ship by default.
    pub init: Option<PathBuf>,
    /// The engine of both sides in the gate, without its weights; that of self-play by default.
    pub gate_engine: Option<String>,
    /// How games are played. Its engine is an `alphabeta` without weights.
    pub self_play: ValueSelfPlayJob,
    /// How the weights are trained, beginning with the best ones. Its data are learned besides those of the window.
    pub training: SparseJob,
}

/// Weights under improvement.
#[derive(Debug)]
pub struct SparseCandidate<G> {
    settings: SparseImprovement,
    engine: Spec,
    gate: Spec,
    make: EngineConstructor<G>,
    step: f64,
    game: PhantomData<fn() -> G>,
}

impl<G: SparseEvaluation> SparseCandidate<G> {
    /// What is to be improved. `step` is what one step of the engine's values counts in a data set.
    ///
    /// # Errors
    /// A setting that no generation could be played or trained with.
    pub fn new(
        settings: &SparseImprovement,
        make: EngineConstructor<G>,
        step: f64,
    ) -> Result<SparseCandidate<G>, JobError> {
        let own = [G::SETTING, "eval"];
        let engine = searcher("engine", &settings.self_play.engine, &own)?;
        let gate = settings.gate_engine.as_deref().map(|text| searcher("gate-engine", text, &own)).transpose()?;
        let gate = gate.unwrap_or_else(|| engine.clone());
        Ok(SparseCandidate { settings: settings.clone(), engine, gate, make, step, game: PhantomData })
    }
}

/// The spec of an alpha-beta engine whose evaluation is filled in later by one of the settings `own`.
pub(crate) fn searcher(field: &'static str, text: &str, own: &[&str]) -> Result<Spec, JobError> {
    let spec = Spec::parse(text).map_err(|error| JobError::field(field, error))?;
    if spec.name != "alphabeta" {
        let message = format!("{text:?}: the evaluation plays as alphabeta, such as alphabeta:nodes=2500");
        return Err(JobError::field(field, message));
    }
    if own.iter().any(|setting| spec.get(setting).is_some()) {
        let message = format!("{text:?}: every generation has its own evaluation: leave out {}", own.join(" and "));
        return Err(JobError::field(field, message));
    }
    Ok(spec)
}

impl<G: SparseEvaluation> Candidate for SparseCandidate<G> {
    fn settings(&self) -> String {
        let mut settings = self.settings.clone();
        // What every generation fills in, and what no result depends on.
        settings.self_play.out = PathBuf::new();
        settings.self_play.threads = None;
        settings.training.out = PathBuf::new();
        settings.training.threads = None;
        settings.training.settings.checkpoint = Duration::ZERO;
        settings.init = settings.init.as_deref().map(identified);
        for files in [&mut settings.training.data, &mut settings.training.test] {
            files.iter_mut().for_each(|file| *file = identified(file));
        }
        let text = serde_json::to_string(&settings).unwrap_or_else(|_| format!("{settings:?}"));
        format!("weights for {} {text}", G::NAME)
    }

    fn extension(&self) -> &str {
        "weights"
    }

    fn start(&self, out: &Path) -> Result<(), JobError> {
        let bytes = match &self.settings.init {
            None => G::shipped_weights().to_vec(),
            Some(path) => {
                let bytes = read_input(path)?;
                let weights = Weights::parse(&bytes);
                weights
                    .and_then(|weights| weights.check_name(G::MODEL, 1, G::factors().features()))
                    .map_err(|error| JobError::field("init", format!("{}: {error}", path.display())))?;
                bytes
            }
        };
        save(out, &bytes).map_err(JobError::failed)
    }

    fn self_play(&self, task: &SelfPlayTask, context: Context<'_>) -> Result<PlayedGames, JobError> {
        let job = ValueSelfPlayJob {
            games: task.games,
            out: task.out.clone(),
            engine: with_evaluation(&self.engine, G::SETTING, &task.evaluation),
            seed: task.seed,
            threads: task.threads,
            ..self.settings.self_play.clone()
        };
        let outcome = job.run::<G>(self.make, self.step, context)?;
        warn(&outcome.warnings);
        remove_leftover(&task.out, "journal");
        Ok(PlayedGames { games: task.games, positions: outcome.saved.positions })
    }

    fn train(&self, task: &TrainTask, context: Context<'_>) -> Result<TrainedEvaluation, JobError> {
        let mut job = SparseJob { out: task.out.clone(), threads: task.threads, ..self.settings.training.clone() };
        job.data.extend_from_slice(&task.data);
        job.continue_from = Some(task.best.clone());
        job.settings.seed = task.seed;
        let (mut positions, mut figures) = (0, Figures::new());
        let outcome = job.run::<G>(context, &mut |point| {
            positions = point.positions;
            let rounded = |number: f64| (number * 1e6).round() / 1e6;
            figures.insert("value_loss".to_owned(), rounded(point.train.excess()));
            if point.test.positions > 0 {
                figures.insert("test_loss".to_owned(), rounded(point.test.excess()));
            }
        })?;
        warn(&outcome.warnings);
        remove_leftover(&task.out, "checkpoint");
        if outcome.existed {
            // It was killed before the journal had its figures, which only another training, of seconds, can tell.
            std::fs::remove_file(&task.out).map_err(JobError::failed)?;
            return self.train(task, context);
        }
        Ok(TrainedEvaluation { positions, figures })
    }

    fn engine(&self, evaluation: &Path) -> String {
        with_evaluation(&self.gate, G::SETTING, evaluation)
    }
}

/// Logs what the user should know.
pub(crate) fn warn(warnings: &[String]) {
    for warning in warnings {
        tracing::warn!("{warning}");
    }
}

/// An engine with the evaluation of a file.
pub(crate) fn with_evaluation(spec: &Spec, setting: &str, file: &Path) -> String {
    let mut spec = spec.clone();
    spec.settings.push((setting.to_owned(), file.display().to_string()));
    spec.to_string()
}
