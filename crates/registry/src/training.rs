//! Self-play, data sets, training, ProbCut parameters and export.
//!
//! The requests are the jobs of `learn` and `engines`. Self-play, labelling and training continue an interrupted run.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use tesuji_engines::Trainable;
pub use tesuji_engines::othello::ProbCutJob;
use tesuji_engines::othello::{DifferenceStats, ProbCutOutcome, load_evaluation};
pub use tesuji_engines::training::{CompareJob, LabelJob, RecordDataJob, SelfPlayJob};
use tesuji_engines::training::{EvaluationErrors, LabelOutcome, RecordDataOutcome};
pub use tesuji_learn::TrainingJob;
use tesuji_learn::job::{JobError, write_new};
use tesuji_learn::numbered::NumberedJob;
use tesuji_learn::{ErrorStats, Model, SavedDataSet, TrainedStage, TrainingOutcome, Weights};
use tesuji_report::training::{self, LearningCurve};
use tesuji_store::{check_target, save};
use tesuji_task::Context;

use crate::{Error, FileError, Playable, Registration};

/// A data set from self-play.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(tag = "event", rename = "final")]
pub struct SelfPlayResponse {
    /// The file.
    pub set: String,
    /// Number of games.
    pub games: u32,
    /// Number of positions.
    pub positions: u64,
    /// What the user should know, but is no error.
    #[serde(skip)]
    pub warnings: Vec<String>,
}

/// A data set labelled by search.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(tag = "event", rename = "final")]
pub struct LabelResponse {
    /// The file.
    pub set: String,
    /// Positions searched.
    pub searched: usize,
    /// Positions in the data set.
    pub positions: u64,
    /// What the user should know, but is no error.
    #[serde(skip)]
    pub warnings: Vec<String>,
}

/// A data set from records.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(tag = "event", rename = "final")]
pub struct RecordDataResponse {
    /// The file.
    pub set: String,
    /// Positions in the data set.
    pub positions: usize,
    /// Records used.
    pub games: usize,
    /// Records with an illegal move.
    pub faulty: usize,
    /// Records with too few moves.
    pub short: usize,
    /// Records without an end and without a score.
    pub unscored: usize,
    /// Files that cannot be read or hold no records of the game; the others are used.
    #[serde(default)]
    pub file_errors: Vec<FileError>,
    /// The counts as a sentence.
    #[serde(skip)]
    pub summary: String,
}

/// The errors of one stage on the held-out set, in points.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(tag = "event", rename = "stage")]
pub struct StageErrors {
    /// The stage.
    pub stage: usize,
    /// Positions of the held-out set.
    pub positions: u64,
    /// Mean absolute error.
    pub mean: f64,
    /// Root mean square error.
    pub rms: f64,
}

/// The end of a training: its errors over all stages.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(tag = "event", rename = "final")]
pub struct TrainingSummary {
    /// The file of weights.
    pub weights: String,
    /// The evaluation.
    pub model: String,
    /// Positions of the held-out set.
    pub positions: u64,
    /// Mean absolute error.
    pub mean: f64,
    /// Root mean square error.
    pub rms: f64,
}

/// A finished training.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct TrainingResponse {
    /// Errors of each stage.
    pub stages: Vec<StageErrors>,
    /// Errors over all stages.
    pub summary: TrainingSummary,
    /// Whether an earlier run of the same job had written the weights.
    pub existed: bool,
    /// What the user should know, but is no error.
    pub warnings: Vec<String>,
}

/// The errors of one evaluation of a comparison: of one stage, or over all.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct ComparedErrors {
    /// The evaluation.
    pub name: String,
    /// Whether it was scaled by linear regression.
    pub fitted: bool,
    /// Positions of the held-out set.
    pub positions: u64,
    /// Mean absolute error.
    pub mean: f64,
    /// Root mean square error.
    pub rms: f64,
    /// `stage` or `final`.
    pub event: String,
    /// The stage.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stage: Option<usize>,
}

/// A comparison of evaluations: for each of them the stages in order, then all together.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct CompareResponse {
    /// The rows of each evaluation.
    pub evaluations: Vec<Vec<ComparedErrors>>,
    /// What the user should know, but is no error.
    pub warnings: Vec<String>,
}

/// The difference between two search depths at one number of empty squares.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(tag = "event", rename = "gap")]
pub struct DepthDifference {
    /// Empty squares.
    pub empties: u32,
    /// The deep search. Equal to the empty squares when it reaches the end of the game.
    pub depth: u32,
    /// The shallow search.
    pub shallow: u32,
    /// Number of positions.
    pub count: u64,
    /// The measured standard deviation around 0, in discs.
    pub measured: f64,
    /// The standard deviation of the fitted model.
    pub fitted: f64,
    /// The mean difference.
    pub mean: f64,
}

/// The end of a ProbCut fit.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(tag = "event", rename = "final")]
pub struct ProbCutSummary {
    /// The file of parameters.
    pub cuts: String,
    /// Positions measured.
    pub positions: usize,
}

/// A ProbCut fit.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct ProbCutResponse {
    /// All pairs of depths, by empty squares.
    pub differences: Vec<DepthDifference>,
    /// The end.
    pub summary: ProbCutSummary,
}

/// A program that uses pattern evaluations.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ExportFormat {
    /// `eval.dat` of Edax 4.
    Edax,
    /// `eval.egev2` of Egaroucid 7.7 and later.
    Egaroucid,
}

/// Weights to be written as a file of another program.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct ExportRequest {
    /// The weights; those that ship if absent.
    pub weights: Option<PathBuf>,
    /// The program.
    pub format: ExportFormat,
    /// The file to write.
    pub out: PathBuf,
}

/// Exported weights.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(tag = "event", rename = "final")]
pub struct ExportResponse {
    /// The file.
    pub file: String,
    /// The program.
    pub format: String,
    /// Size of the file.
    pub bytes: usize,
}

/// Self-play, data sets and training. Every method fails for a game without a trainable evaluation.
///
/// # Errors
/// Bad input, failed reading or writing, and cancellation. The message says what is saved.
pub trait TrainingApi {
    /// Whether the game has an evaluation that can be trained.
    fn is_trainable(&self) -> bool;

    /// Whether the game has a selective pattern search of its own.
    fn has_pattern_search(&self) -> bool;

    /// Makes a data set by self-play.
    fn self_play(&self, job: &SelfPlayJob, context: Context<'_>) -> Result<SelfPlayResponse, Error>;

    /// Makes a data set from records.
    fn record_data(&self, job: &RecordDataJob, context: Context<'_>) -> Result<RecordDataResponse, Error>;

    /// Makes a data set by labelling positions of others.
    fn label(&self, job: &LabelJob, context: Context<'_>) -> Result<LabelResponse, Error>;

    /// Trains weights. Charts of the training are written beside them.
    fn train(&self, job: &TrainingJob, context: Context<'_>) -> Result<TrainingResponse, Error>;

    /// Compares evaluations on the held-out set.
    fn compare_evaluations(&self, job: &CompareJob) -> Result<CompareResponse, Error>;

    /// Fits the error model of Multi-ProbCut.
    fn fit_probcut(&self, job: &ProbCutJob, context: Context<'_>) -> Result<ProbCutResponse, Error>;

    /// Writes weights as a file of another program.
    fn export_weights(&self, request: &ExportRequest) -> Result<ExportResponse, Error>;
}

/// What a game with a trainable evaluation can do.
#[derive(Clone, Copy)]
pub struct TrainingCapability {
    self_play: fn(&SelfPlayJob, Context<'_>) -> Result<SavedDataSet, JobError>,
    record_data: fn(&RecordDataJob, Context<'_>) -> Result<RecordDataOutcome, JobError>,
    label: fn(&LabelJob, Context<'_>) -> Result<LabelOutcome, JobError>,
    numbered_self_play: fn(&SelfPlayJob) -> Result<NumberedJob, JobError>,
    numbered_labels: fn(&LabelJob) -> Result<NumberedJob, JobError>,
    train: fn(&TrainingJob, Context<'_>) -> Result<TrainingOutcome, JobError>,
    compare: fn(&CompareJob) -> Result<Vec<EvaluationErrors>, JobError>,
}

/// What a game with a selective pattern search of its own can do.
#[derive(Clone, Copy)]
pub struct PatternCapability {
    /// Fits the error model of Multi-ProbCut.
    pub fit_probcut: fn(&ProbCutJob, Context<'_>) -> Result<ProbCutOutcome, JobError>,
    /// The bytes of weights as a file of another program; `None` if it has no place for all of them.
    pub export: WeightsExporter,
}

/// Writes weights of a file, or those that ship, in the format of another program.
pub type WeightsExporter = fn(Option<&Path>, ExportFormat) -> Result<Option<Vec<u8>>, JobError>;

impl<G: Playable> Registration<G> {
    /// The evaluation can be trained.
    pub fn trainable(mut self) -> Registration<G>
    where
        G: Trainable,
    {
        self.training = Some(TrainingCapability {
            self_play: SelfPlayJob::run::<G>,
            record_data: RecordDataJob::run::<G>,
            label: LabelJob::run::<G>,
            numbered_self_play: SelfPlayJob::numbered::<G>,
            numbered_labels: LabelJob::numbered::<G>,
            train: |job, context| {
                let model = if job.plain { G::plain_model() } else { G::model() };
                let title = format!("training of {}", model.name());
                job.run(&model, context, |weights, trained| {
                    for (extension, chart) in charts(&title, weights, trained) {
                        save(job.out.with_extension(extension), chart.as_bytes()).map_err(JobError::failed)?;
                    }
                    Ok(())
                })
            },
            compare: CompareJob::run::<G>,
        });
        self
    }

    /// Self-play as numbered games.
    pub(crate) fn numbered_self_play(&self, job: &SelfPlayJob) -> Result<NumberedJob, Error> {
        let training = self.training.ok_or_else(untrainable::<G>)?;
        Ok((training.numbered_self_play)(job)?)
    }

    /// Labelling as numbered positions.
    pub(crate) fn numbered_labels(&self, job: &LabelJob) -> Result<NumberedJob, Error> {
        let training = self.training.ok_or_else(untrainable::<G>)?;
        Ok((training.numbered_labels)(job)?)
    }

    /// The game has a selective pattern search of its own.
    pub fn pattern_search(mut self, capability: PatternCapability) -> Registration<G> {
        self.pattern_search = Some(capability);
        self
    }
}

/// Refuses an output file that could not be written after the work.
pub(crate) fn check_output(path: &Path) -> Result<(), Error> {
    check_target(path).map_err(|error| Error::field("out", error))
}

fn untrainable<G: Playable>() -> Error {
    Error::invalid(format!(
        "{} has no evaluation that can be trained; othello has, and trax. A network is asked for by --net",
        G::NAME
    ))
}

impl<G: Playable> TrainingApi for Registration<G> {
    fn is_trainable(&self) -> bool {
        self.training.is_some()
    }

    fn has_pattern_search(&self) -> bool {
        self.pattern_search.is_some()
    }

    fn self_play(&self, job: &SelfPlayJob, context: Context<'_>) -> Result<SelfPlayResponse, Error> {
        let training = self.training.ok_or_else(untrainable::<G>)?;
        check_output(&job.out)?;
        let saved = (training.self_play)(job, context)?;
        let SavedDataSet { positions, warnings } = saved;
        Ok(SelfPlayResponse { set: job.out.display().to_string(), games: job.games, positions, warnings })
    }

    fn record_data(&self, job: &RecordDataJob, context: Context<'_>) -> Result<RecordDataResponse, Error> {
        let training = self.training.ok_or_else(untrainable::<G>)?;
        check_output(&job.out)?;
        let outcome = (training.record_data)(job, context)?;
        let (set, summary) = (job.out.display().to_string(), outcome.summary());
        let RecordDataOutcome { positions, used: games, faulty, short, unscored, file_errors } = outcome;
        Ok(RecordDataResponse { set, positions, games, faulty, short, unscored, file_errors, summary })
    }

    fn label(&self, job: &LabelJob, context: Context<'_>) -> Result<LabelResponse, Error> {
        let training = self.training.ok_or_else(untrainable::<G>)?;
        check_output(&job.out)?;
        let outcome = (training.label)(job, context)?;
        let LabelOutcome { searched, saved: SavedDataSet { positions, warnings } } = outcome;
        Ok(LabelResponse { set: job.out.display().to_string(), searched, positions, warnings })
    }

    fn train(&self, job: &TrainingJob, context: Context<'_>) -> Result<TrainingResponse, Error> {
        let training = self.training.ok_or_else(untrainable::<G>)?;
        check_output(&job.out)?;
        let outcome = (training.train)(job, context)?;
        let TrainingOutcome { weights, existed, held_out, warnings } = outcome;
        let total = ErrorStats::total(&held_out);
        let stage = |(stage, errors): (usize, &ErrorStats)| StageErrors {
            stage,
            positions: errors.count,
            mean: errors.mean(),
            rms: errors.rms(),
        };
        let summary = TrainingSummary {
            weights: job.out.display().to_string(),
            model: weights.model().to_owned(),
            positions: total.count,
            mean: total.mean(),
            rms: total.rms(),
        };
        Ok(TrainingResponse { stages: held_out.iter().enumerate().map(stage).collect(), summary, existed, warnings })
    }

    fn compare_evaluations(&self, job: &CompareJob) -> Result<CompareResponse, Error> {
        let mut response = CompareResponse { evaluations: Vec::new(), warnings: Vec::new() };
        for compared in (self.training.ok_or_else(untrainable::<G>)?.compare)(job)? {
            let EvaluationErrors { name, fitted, stages, warning } = compared;
            let row = |stage: Option<usize>, errors: &ErrorStats| ComparedErrors {
                name: name.clone(),
                fitted,
                positions: errors.count,
                mean: errors.mean(),
                rms: errors.rms(),
                event: if stage.is_some() { "stage" } else { "final" }.to_owned(),
                stage,
            };
            let total = row(None, &ErrorStats::total(&stages));
            let rows = stages.iter().enumerate().map(|(stage, errors)| row(Some(stage), errors));
            response.evaluations.push(rows.chain([total]).collect());
            response.warnings.extend(warning);
        }
        Ok(response)
    }

    fn fit_probcut(&self, job: &ProbCutJob, context: Context<'_>) -> Result<ProbCutResponse, Error> {
        let search = self.pattern_search.ok_or_else(untrainable::<G>)?;
        check_output(&job.out)?;
        let outcome = (search.fit_probcut)(job, context)?;
        let ProbCutOutcome { positions, differences, parameters } = outcome;
        let difference = |(&[empties, depth, shallow], stats): (&[u32; 3], &DifferenceStats)| DepthDifference {
            empties,
            depth,
            shallow,
            count: stats.count,
            measured: stats.deviation(),
            fitted: f64::from(parameters.deviation(empties, depth, shallow)),
            mean: stats.mean(),
        };
        Ok(ProbCutResponse {
            differences: differences.cells.iter().map(difference).collect(),
            summary: ProbCutSummary { cuts: job.out.display().to_string(), positions },
        })
    }

    fn export_weights(&self, request: &ExportRequest) -> Result<ExportResponse, Error> {
        let export = self.pattern_search.ok_or_else(untrainable::<G>)?.export;
        let format = match request.format {
            ExportFormat::Edax => "edax",
            ExportFormat::Egaroucid => "egaroucid",
        };
        let bytes = export(request.weights.as_deref(), request.format)?.ok_or_else(|| {
            let message = format!(
                "{format}: the format has no place for all of these weights; those of `train {} --plain` fit",
                G::NAME
            );
            Error::field("format", message)
        })?;
        write_new(&request.out, &bytes)?;
        let file = request.out.display().to_string();
        Ok(ExportResponse { file, format: format.to_owned(), bytes: bytes.len() })
    }
}

/// The weights of Othello as a file of another program.
pub(crate) fn export_othello(weights: Option<&Path>, format: ExportFormat) -> Result<Option<Vec<u8>>, JobError> {
    let pattern = load_evaluation(weights)?;
    Ok(match format {
        ExportFormat::Edax => pattern.edax(),
        ExportFormat::Egaroucid => pattern.egaroucid(),
    })
}

impl From<JobError> for Error {
    fn from(error: JobError) -> Error {
        match error {
            JobError::Input(message) => Error::Invalid(message),
            JobError::Field { field, message } => Error::Field { field, message },
            JobError::Failed(message) | JobError::Cancelled(message) => Error::Failed(message),
        }
    }
}

/// The charts of a training: file extensions and contents.
fn charts(title: &str, weights: &Weights, trained: &[TrainedStage]) -> [(&'static str, String); 2] {
    let mean = |errors: &ErrorStats| (errors.count > 0).then(|| errors.mean());
    let curve = |stage: &TrainedStage| LearningCurve {
        stage: stage.stage,
        errors: stage.curve.iter().map(|point| point.each_ref().map(mean)).collect(),
    };
    let curves: Vec<LearningCurve> = trained.iter().map(curve).collect();
    let stages = training::stages(&format!("{title}: mean error at the end, in discs"), &curves);
    [("svg", stages), ("html", training::page(title, weights.provenance(), &curves))]
}
