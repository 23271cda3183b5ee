//! The comparison job: hand-written and trained evaluations on the held-out set.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use tesuji_learn::job::file_name;
use tesuji_learn::{ErrorStats, Holdout, JobError, LABEL_SCALE, LinearRegression, Model, TrainingData, load_weights};

use super::{Trainable, TrainingPosition};

/// Compares evaluations on the held-out set of data sets.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct CompareJob {
    /// The data sets.
    pub data: Vec<PathBuf>,
    /// Names of hand-written evaluations and files of weights; all hand-written ones if empty.
    pub evaluations: Vec<String>,
    /// Selects the held-out set.
    pub seed: u64,
}

/// An evaluation and its errors.
#[derive(Clone, PartialEq, Debug)]
pub struct EvaluationErrors {
    /// The name of the evaluation, or of its file.
    pub name: String,
    /// Whether it is hand-written and therefore scaled by linear regression, for each stage.
    pub fitted: bool,
    /// Errors for each stage.
    pub stages: Vec<ErrorStats>,
    /// What the user should know, but is no error.
    pub warning: Option<String>,
}

impl CompareJob {
    /// The errors of each evaluation.
    pub fn run<G: Trainable>(&self) -> Result<Vec<EvaluationErrors>, JobError> {
        let (model, holdout, names) = (G::model(), Holdout::standard(self.seed), &self.evaluations);
        let data = TrainingData::load(&model, &self.data)?;
        let mut compared = Vec::new();
        for baseline in G::BASELINES {
            if names.is_empty() || names.iter().any(|name| name == baseline) {
                compared.push(baseline_errors::<G>(&model, &data, holdout, baseline)?);
            }
        }
        for name in names.iter().filter(|name| !G::BASELINES.contains(&name.as_str())) {
            let path = Path::new(name);
            if !path.exists() {
                let known = G::BASELINES.join(", ");
                let message = format_args!("{name}: neither a file of weights nor one of {known}");
                return Err(JobError::field("eval", message));
            }
            let weights = load_weights(&model, path)?;
            let provenance = weights.provenance();
            let other = provenance.contains(" --seed ") && !provenance.contains(&format!(" --seed {} ", holdout.seed));
            let warning = other.then(|| {
                format!("{name} was trained with another held-out set (see --seed): its errors here may be too small")
            });
            let stages = data.held_out_errors(&model, holdout, &weights);
            compared.push(EvaluationErrors { name: file_name(path), fitted: false, stages, warning });
        }
        Ok(compared)
    }
}

/// The errors of a hand-written evaluation, scaled to labels by linear regression.
fn baseline_errors<G: Trainable>(
    model: &G::Model,
    data: &TrainingData<TrainingPosition<G>>,
    holdout: Holdout,
    name: &str,
) -> Result<EvaluationErrors, JobError> {
    let mut stages = Vec::new();
    for stage in 0..model.stages() {
        let mut regression = LinearRegression::default();
        for sample in data.samples.stage(stage).iter().filter(|sample| holdout.contains(sample.game)) {
            let value = G::static_eval(name, &G::from_position(&sample.position)).map_err(JobError::input)?;
            let points = |hundredths: i16| f64::from(hundredths) / f64::from(LABEL_SCALE);
            regression.add(points(value.get()), points(sample.label));
        }
        stages.push(regression.errors(regression.line()));
    }
    Ok(EvaluationErrors { name: name.to_owned(), fitted: true, stages, warning: None })
}
