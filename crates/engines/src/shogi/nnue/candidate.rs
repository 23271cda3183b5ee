//! A network for the evaluation of shogi as what the improvement loop improves: self-play by alpha-beta, training on its
//! search values and results, and alpha-beta again in the gate.

use std::path::{Path, PathBuf};
use std::time::Duration;

use serde::{Deserialize, Serialize};
use tesuji_game::Game;
use tesuji_learn::JobError;
use tesuji_learn::improve::{Candidate, Figures, PlayedGames, SelfPlayTask, TrainTask, TrainedEvaluation};
use tesuji_learn::job::read_input;
use tesuji_shogi::Shogi;
use tesuji_store::save;
use tesuji_task::Context;

use super::load::{LoadedNnue, parse};
use super::training::NnueJob;
use crate::network::{identified, remove_leftover};
use crate::training::{ValueSelfPlayJob, searcher, warn, with_evaluation};
use crate::{EngineConstructor, Spec};

/// The setting of an engine that names the file of a network.
const SETTING: &str = "eval";

/// How a network is improved. The two jobs are patterns: files, seeds, games and threads are filled in for every
/// generation.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct NnueImprovement {
    /// The network that plays the first games; the one that ships by default.
    pub init: Option<PathBuf>,
    /// The engine of both sides in the gate, without its network; that of self-play by default.
    pub gate_engine: Option<String>,
    /// How games are played. Its engine is an `alphabeta` without a network.
    pub self_play: ValueSelfPlayJob,
    /// How a network is trained, from nothing, on its data and on the games of the window.
    pub training: NnueJob,
}

/// A network under improvement.
#[derive(Debug)]
pub struct NnueCandidate {
    settings: NnueImprovement,
    engine: Spec,
    gate: Spec,
    make: EngineConstructor<Shogi>,
    step: f64,
}

impl NnueCandidate {
    /// What is to be improved. `step` is what one step of the engine's values counts in a data set.
    ///
    /// # Errors
    /// A setting that no generation could be played with.
    pub fn new(
        settings: &NnueImprovement,
        make: EngineConstructor<Shogi>,
        step: f64,
    ) -> Result<NnueCandidate, JobError> {
        let engine = searcher("engine", &settings.self_play.engine, &[SETTING])?;
        let gate = settings.gate_engine.as_deref().map(|text| searcher("gate-engine", text, &[SETTING])).transpose()?;
        let gate = gate.unwrap_or_else(|| engine.clone());
        Ok(NnueCandidate { settings: settings.clone(), engine, gate, make, step })
    }
}

impl Candidate for NnueCandidate {
    fn settings(&self) -> String {
        let mut settings = self.settings.clone();
        // What every generation fills in, and what no result depends on.
        settings.self_play.out = PathBuf::new();
        settings.self_play.threads = None;
        settings.training.out = PathBuf::new();
        settings.training.settings.threads = None;
        settings.training.settings.checkpoint = Duration::ZERO;
        settings.init = settings.init.as_deref().map(identified);
        settings.self_play.openings = settings.self_play.openings.as_deref().map(identified);
        for files in [&mut settings.training.data, &mut settings.training.test] {
            files.iter_mut().for_each(|file| *file = identified(file));
        }
        let text = serde_json::to_string(&settings).unwrap_or_else(|_| format!("{settings:?}"));
        format!("nnue for {} {text}", Shogi::NAME)
    }

    fn extension(&self) -> &str {
        "nnue"
    }

    fn start(&self, out: &Path) -> Result<(), JobError> {
        let bytes = match (&self.settings.init, super::SHIPPED) {
            (None, Some(bytes)) => bytes.to_vec(),
            (None, None) => return Err(JobError::field("init", "no network ships with this program: give a file")),
            (Some(path), _) => {
                let bytes = read_input(path)?;
                match parse(&bytes) {
                    Ok(LoadedNnue::Own(_) | LoadedNnue::HalfKp(_)) => bytes,
                    Err(error) => return Err(JobError::field("init", format!("{}: {error}", path.display()))),
                }
            }
        };
        save(out, &bytes).map_err(JobError::failed)
    }

    fn self_play(&self, task: &SelfPlayTask, context: Context<'_>) -> Result<PlayedGames, JobError> {
        let job = ValueSelfPlayJob {
            games: task.games,
            out: task.out.clone(),
            engine: with_evaluation(&self.engine, SETTING, &task.evaluation),
            seed: task.seed,
            threads: task.threads,
            ..self.settings.self_play.clone()
        };
        let outcome = job.run::<Shogi>(self.make, self.step, context)?;
        warn(&outcome.warnings);
        remove_leftover(&task.out, "journal");
        Ok(PlayedGames { games: task.games, positions: outcome.saved.positions })
    }

    fn train(&self, task: &TrainTask, context: Context<'_>) -> Result<TrainedEvaluation, JobError> {
        let mut job = NnueJob { out: task.out.clone(), ..self.settings.training.clone() };
        job.data.extend_from_slice(&task.data);
        job.settings.seed = task.seed;
        job.settings.threads = task.threads;
        let (mut positions, mut figures) = (0, Figures::new());
        let outcome = job.run(context, &mut |point| {
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
            // It was killed before the journal had its figures, which only another training can tell.
            std::fs::remove_file(&task.out).map_err(JobError::failed)?;
            return self.train(task, context);
        }
        Ok(TrainedEvaluation { positions, figures })
    }

    fn engine(&self, evaluation: &Path) -> String {
        with_evaluation(&self.gate, SETTING, evaluation)
    }
}
