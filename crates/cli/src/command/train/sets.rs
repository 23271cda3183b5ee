//! The data sets of a training, joined.

use std::path::{Path, PathBuf};

use tesuji_learn::{DataSet, DataSetError, Model, Samples};

use crate::failure::Failure;

/// Samples and where they came from.
pub(super) struct Sets<P> {
    pub(super) samples: Samples<P>,
    /// The name of each set, how many samples it has and how it came about.
    pub(super) origins: Vec<(String, u64, String)>,
}

impl<P: Copy> Sets<P> {
    pub(super) fn load<M: Model<Position = P>>(model: &M, paths: &[PathBuf]) -> Result<Sets<P>, Failure> {
        let mut sets = Sets { samples: Samples::new(model), origins: Vec::new() };
        for path in paths {
            sets.add(model, path).map_err(|error| Failure::usage(error.to_string()))?;
        }
        if sets.samples.is_empty() {
            return Err(Failure::usage("--data: there is not a single position to learn from"));
        }
        Ok(sets)
    }

    fn add<M: Model<Position = P>>(&mut self, model: &M, path: &Path) -> Result<(), DataSetError> {
        let data = DataSet::open(model, path)?;
        data.for_each(model, |sample| self.samples.push(model, sample))?;
        // The folder is nobody's business.
        let name = path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned();
        self.origins.push((name, data.header().count, data.header().provenance.clone()));
        Ok(())
    }
}
