//! The job that trains weights from data sets: resumable, and with its provenance in the file it writes.

use std::fmt::Write;
use std::fs;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use std::time::Duration;

use serde::{Deserialize, Serialize};
use tesuji_store::save;
use tesuji_task::{Context, cores};

use crate::job::{beside, read_input, removal_warning};
use crate::{
    Checkpoints, ErrorStats, Holdout, JobError, Model, TrainedStage, TrainingConfig, TrainingData, Weights,
    select_stages, train,
};

/// A training from data sets to a file of weights.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct TrainingJob {
    /// The data sets.
    pub data: Vec<PathBuf>,
    /// The file for the weights.
    pub out: PathBuf,
    /// Initial weights; zeros without a file.
    pub continue_from: Option<PathBuf>,
    /// See [`TrainingConfig`], also for the next three.
    pub step: f32,
    /// Iterations for each stage.
    pub iterations: u32,
    /// L2 regularisation.
    pub ridge: f32,
    /// Weight of a sample of an adjacent stage.
    pub smooth: f32,
    /// Only these stages.
    pub stages: Option<RangeInclusive<u32>>,
    /// Only features that the files of other programs have.
    pub plain: bool,
    /// Selects the held-out set.
    pub seed: u64,
    /// Threads; all cores by default.
    pub threads: Option<usize>,
    /// The interval of checkpoints.
    pub checkpoint: Duration,
}

/// The result of a training.
#[derive(Clone, Debug)]
pub struct TrainingOutcome {
    /// The weights, as they are in the file.
    pub weights: Weights,
    /// Whether an earlier run of the same job had written them.
    pub existed: bool,
    /// Errors on the held-out set, for each stage.
    pub held_out: Vec<ErrorStats>,
    /// What the user should know, but is no error.
    pub warnings: Vec<String>,
}

impl TrainingJob {
    /// Trains and writes the weights, or continues an interrupted run of the same job. `before_save` is called with the
    /// trained weights before the file is written, so that files which accompany it exist when it does.
    pub fn run<M: Model>(
        &self,
        model: &M,
        context: Context<'_>,
        before_save: impl FnOnce(&Weights, &[TrainedStage]) -> Result<(), JobError>,
    ) -> Result<TrainingOutcome, JobError> {
        let data = TrainingData::load(model, &self.data)?;
        let initial = match &self.continue_from {
            Some(path) => load_weights(model, path)?,
            None => Weights::zero(model),
        };
        let config = TrainingConfig {
            iterations: self.iterations,
            step: self.step,
            ridge: self.ridge,
            smooth: self.smooth,
            stages: select_stages(model, self.stages.as_ref())?,
            holdout: Holdout::standard(self.seed),
        };
        let provenance = self.provenance(model, &data, &initial, &config);
        let existing = self.existing(&provenance)?;
        let existed = existing.is_some();
        let (weights, warnings) = match existing {
            Some(weights) => (weights, Vec::new()),
            None => self.train(model, &data, initial, &config, provenance, context, before_save)?,
        };
        let held_out = data.held_out_errors(model, config.holdout, &weights);
        Ok(TrainingOutcome { weights, existed, held_out, warnings })
    }

    #[expect(clippy::too_many_arguments, reason = "what is trained, on what, how, and where it goes")]
    fn train<M: Model>(
        &self,
        model: &M,
        data: &TrainingData<M::Position>,
        initial: Weights,
        config: &TrainingConfig,
        mut provenance: String,
        context: Context<'_>,
        before_save: impl FnOnce(&Weights, &[TrainedStage]) -> Result<(), JobError>,
    ) -> Result<(Weights, Vec<String>), JobError> {
        let folder = beside(&self.out, ".work");
        let checkpoints = Checkpoints { folder: &folder, every: self.checkpoint };
        let threads = self.threads.unwrap_or_else(cores);
        let trained = train(model, &data.samples, &initial, config, threads, Some(checkpoints), context)
            .map_err(JobError::failed)?
            .ok_or_else(|| {
                JobError::Cancelled("interrupted; a checkpoint is saved, the same command continues".to_owned())
            })?;
        let mut weights = initial;
        for stage in &trained {
            weights.set(stage.stage, &stage.weights);
            // Writing to a string cannot fail.
            if let Some([trained, held_out]) = stage.curve.last() {
                let _ = writeln!(
                    provenance,
                    "stage {}: mean error {:.3} on {}, kept back {:.3} on {}",
                    stage.stage,
                    trained.mean(),
                    trained.count,
                    held_out.mean(),
                    held_out.count
                );
            }
        }
        weights.set_provenance(provenance);
        before_save(&weights, &trained)?;
        save(&self.out, &weights.bytes()).map_err(JobError::failed)?;
        let warning = removal_warning(&folder, fs::remove_dir_all(&folder));
        Ok((weights, warning.into_iter().collect()))
    }

    /// The weights of an earlier run of this job, if there is a file; another file is an error.
    fn existing(&self, provenance: &str) -> Result<Option<Weights>, JobError> {
        if !self.out.exists() {
            return Ok(None);
        }
        let weights = Weights::parse(&read_input(&self.out)?).ok();
        let same = weights.filter(|weights| weights.provenance().starts_with(provenance));
        same.map(Some).ok_or_else(|| JobError::exists(&self.out))
    }

    /// Everything that the weights depend on. It starts the provenance in the file and is part of its format.
    fn provenance<M: Model>(
        &self,
        model: &M,
        data: &TrainingData<M::Position>,
        initial: &Weights,
        config: &TrainingConfig,
    ) -> String {
        let TrainingJob { step, iterations, ridge, smooth, seed, plain, .. } = self;
        let plain = if *plain { " --plain" } else { "" };
        let stages = format!("{}..{}", config.stages.start, config.stages.end - 1);
        let mut text = format!(
            "{} by tesuji {}\n--step {step} --iterations {iterations} --ridge {ridge} --smooth {smooth} --seed {seed} \
             --stages {stages}{plain}, one game in {} kept back\n",
            model.name(),
            env!("CARGO_PKG_VERSION"),
            config.holdout.every
        );
        for source in &data.sources {
            let _ = writeln!(text, "{}", source.line());
        }
        let _ = writeln!(text, "all data {:016x}", data.samples.fingerprint(model));
        if self.continue_from.is_some() {
            let _ = writeln!(text, "continued from weights that were made so:");
            for line in initial.provenance().lines() {
                let _ = writeln!(text, "  {line}");
            }
            let _ = writeln!(text, "  sum {:08x}", initial.checksum());
        }
        text
    }
}

/// The weights of a file, for this model.
pub fn load_weights<M: Model>(model: &M, path: &Path) -> Result<Weights, JobError> {
    Weights::parse(&read_input(path)?)
        .and_then(|weights| weights.check_model(model))
        .map_err(|error| JobError::Input(format!("{}: {error}", path.display())))
}
