//! The improvement loop: self-play, training over a replay window, and a gate by match, generation after generation.
//!
//! The loop ([`ImproveJob::run`]) knows neither games nor networks. What is improved is a [`Candidate`]: *how to
//! self-play, how to train, what to gate*. A [`Referee`] plays the gate's matches; the application layer has one that
//! runs the matches of the arena, so a candidate only names its engine.
//!
//! A new evaluation gets the loop by implementing [`Candidate`] as a plain serialisable struct of settings:
//!
//! - [`start`](Candidate::start) writes the evaluation that the first games are played with: zeros, random weights, or
//!   a file that ships.
//! - [`self_play`](Candidate::self_play) plays [`SelfPlayTask::games`] games with the best evaluation so far and writes
//!   a data set.
//! - [`train`](Candidate::train) learns from the data sets of the replay window, beginning with the best evaluation if
//!   it likes to.
//! - [`engine`](Candidate::engine) is the spec of the engine that plays in the gate with an evaluation.
//! - [`settings`](Candidate::settings) names everything that these depend on, so that a folder is never continued with
//!   other settings.
//!
//! The first three have one duty: **they depend on their task and the settings alone, and continue where an
//! interrupted call ended**, to the same bytes. The jobs of this crate and of `engines` (`NetworkSelfPlayJob`,
//! `NetworkTrainingJob`, `SelfPlayJob`, `TrainingJob`) are made like that, so a candidate usually fills in a job and
//! runs it. The loop writes a line to its journal after every step; a step that is not in the journal is called again.
//! So a run that is killed at any moment goes on to the same evaluations, the same verdicts and the same journal.
//!
//! The folder of a run:
//!
//! | path | content |
//! |---|---|
//! | `improve.journal` | the settings, then a line per step |
//! | `self-play/0001.set` | the games of generation 1 |
//! | `evaluations/0001.EXT` | the evaluation trained in generation 1; 0000 is the start |
//! | `gates/0001/` | its match against the best before |
//! | `best.EXT` | a copy of the last accepted evaluation |

mod gate;
mod job;
mod journal;
mod run;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use tesuji_task::Context;

use crate::JobError;

pub use gate::{GateRule, GateScore, GateSprt};
pub use job::ImproveJob;
pub use journal::{ImproveJournal, ImproveStep};
pub use run::{GenerationReport, ImproveEvent, ImproveOutcome, ImproveStart, StepKind};

/// Figures by name, such as losses.
pub type Figures = BTreeMap<String, f64>;

/// What is improved; see the [module](self) for what each method has to do.
pub trait Candidate {
    /// One line with everything that the other methods depend on besides their task.
    fn settings(&self) -> String;

    /// The ending of the files of evaluations, without the dot.
    fn extension(&self) -> &str;

    /// Writes the evaluation that the first generation plays with.
    ///
    /// # Errors
    /// Bad settings, and failed reading or writing.
    fn start(&self, out: &Path) -> Result<(), JobError>;

    /// Plays games and writes them as a data set, or continues an interrupted call.
    ///
    /// # Errors
    /// Bad settings, failed reading or writing, and cancellation.
    fn self_play(&self, task: &SelfPlayTask, context: Context<'_>) -> Result<PlayedGames, JobError>;

    /// Trains an evaluation and writes it, or continues an interrupted call.
    ///
    /// # Errors
    /// Bad settings, failed reading or writing, and cancellation.
    fn train(&self, task: &TrainTask, context: Context<'_>) -> Result<TrainedEvaluation, JobError>;

    /// The spec of the engine that plays with an evaluation in the gate. It plays the same moves every time: limited by
    /// depth, nodes or playouts, on one thread.
    fn engine(&self, evaluation: &Path) -> String;
}

/// The self-play of a generation.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct SelfPlayTask {
    /// The generation, from 1.
    pub generation: u32,
    /// Games to play.
    pub games: u32,
    /// The best evaluation so far.
    pub evaluation: PathBuf,
    /// The file for the data set.
    pub out: PathBuf,
    /// The seed of this generation.
    pub seed: u64,
    /// Threads; all cores by default. The result does not depend on them.
    pub threads: Option<usize>,
}

/// The games of a generation.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct PlayedGames {
    /// Games played.
    pub games: u32,
    /// Positions in the data set.
    pub positions: u64,
}

/// The training of a generation.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct TrainTask {
    /// The generation, from 1.
    pub generation: u32,
    /// The best evaluation so far.
    pub best: PathBuf,
    /// The data sets of the replay window, the oldest first.
    pub data: Vec<PathBuf>,
    /// The file for the evaluation.
    pub out: PathBuf,
    /// The seed of this generation.
    pub seed: u64,
    /// Threads; all cores by default. The result does not depend on them.
    pub threads: Option<usize>,
}

/// A trained evaluation.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct TrainedEvaluation {
    /// Positions that were learned, each as often as it was learned.
    pub positions: u64,
    /// Losses and other figures of the training.
    pub figures: Figures,
}

/// Judges evaluations.
pub trait Referee {
    /// Plays the match of a gate, or continues it. The score is that of the candidate.
    ///
    /// # Errors
    /// An engine cannot be used, failed reading or writing, and cancellation.
    fn gate(&mut self, task: &GateTask, context: Context<'_>) -> Result<GateScore, JobError>;

    /// Figures of an evaluation that decide nothing: how near it is to a truth that is known. None by default.
    ///
    /// # Errors
    /// The truth or the evaluation cannot be read, and cancellation.
    fn measure(&mut self, _evaluation: &Path, _context: Context<'_>) -> Result<Option<Figures>, JobError> {
        Ok(None)
    }

    /// One line with everything that gates and figures depend on besides their task.
    fn settings(&self) -> String {
        String::new()
    }
}

/// The gate of a generation.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct GateTask {
    /// The generation, from 1.
    pub generation: u32,
    /// The generation of the best evaluation so far.
    pub best_generation: u32,
    /// The engine with the new evaluation.
    pub candidate: String,
    /// The engine with the best evaluation so far.
    pub best: String,
    /// When the candidate is accepted.
    pub rule: GateRule,
    /// The folder of the match.
    pub folder: PathBuf,
    /// The seed of this generation.
    pub seed: u64,
    /// Threads; all cores by default. The result does not depend on them.
    pub threads: Option<usize>,
}
