//! The joined data sets of a job, and the stages it selects.

use std::ops::{Range, RangeInclusive};
use std::path::PathBuf;

use crate::job::file_name;
use crate::{DataSet, DataSetError, ErrorStats, Holdout, JobError, LABEL_SCALE, Model, Samples, Weights};

/// Samples and the data sets they come from.
#[derive(Clone, Debug)]
pub struct TrainingData<P> {
    /// All samples.
    pub samples: Samples<P>,
    /// The data sets in their order.
    pub sources: Vec<DataSource>,
}

/// A data set as provenance names it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DataSource {
    /// The name of the file, without its folder.
    pub name: String,
    /// Its number of samples.
    pub count: u64,
    /// How it was made.
    pub provenance: String,
}

impl DataSource {
    /// The line of provenance about this data set.
    pub fn line(&self) -> String {
        let DataSource { name, count, provenance } = self;
        format!("data {name}: {count} samples, {}", provenance.replace('\n', "; "))
    }
}

impl<P: Copy> TrainingData<P> {
    /// Reads and joins data sets.
    ///
    /// # Errors
    /// When one cannot be read, and when all are empty.
    pub fn load<M: Model<Position = P>>(model: &M, paths: &[PathBuf]) -> Result<TrainingData<P>, JobError> {
        let mut data = TrainingData { samples: Samples::new(model), sources: Vec::new() };
        for path in paths {
            let mut add = || -> Result<(), DataSetError> {
                let set = DataSet::open(model, path)?;
                set.for_each(model, |sample| data.samples.push(model, sample))?;
                let header = set.header();
                tracing::info!(file = %path.display(), samples = header.count, "data set read");
                data.sources.push(DataSource {
                    name: file_name(path),
                    count: header.count,
                    provenance: header.provenance.clone(),
                });
                Ok(())
            };
            add().map_err(JobError::input)?;
        }
        if data.samples.is_empty() {
            return Err(JobError::field("data", "the data sets hold no positions"));
        }
        Ok(data)
    }

    /// The errors of weights on the held-out set, for each stage.
    pub fn held_out_errors<M: Model<Position = P>>(
        &self,
        model: &M,
        holdout: Holdout,
        weights: &Weights,
    ) -> Vec<ErrorStats> {
        let mut features = Vec::new();
        let stage = |stage: usize| {
            let mut errors = ErrorStats::default();
            for sample in self.samples.stage(stage).iter().filter(|sample| holdout.contains(sample.game)) {
                let label = f64::from(sample.label) / f64::from(LABEL_SCALE);
                errors.add(weights.evaluate(model, &sample.position, &mut features) - label);
            }
            errors
        };
        (0..model.stages()).map(stage).collect()
    }
}

/// The requested stages, or all.
///
/// # Errors
/// When the model has fewer stages.
pub fn select_stages<M: Model>(model: &M, requested: Option<&RangeInclusive<u32>>) -> Result<Range<usize>, JobError> {
    let Some(requested) = requested else { return Ok(0..model.stages()) };
    let (from, to) = (*requested.start() as usize, *requested.end() as usize);
    if to < model.stages() && from <= to {
        return Ok(from..to + 1);
    }
    let (name, last) = (model.name(), model.stages() - 1);
    Err(JobError::field("stages", format_args!("{from}..{to}: {name} has the stages 0..{last}")))
}
