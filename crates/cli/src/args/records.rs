//! Arguments of `records`: which records are kept, and how they are split.

use std::path::PathBuf;

use clap::Args;
use tesuji_registry::{RecordSetRequest, RecordSplit};

use super::Json;
use super::corpus::{FILTER, Records};
use crate::failure::Failure;

#[derive(Debug, Args)]
pub(crate) struct RecordSets {
    #[command(flatten)]
    pub(crate) records: Records,
    /// Keeps games with the same moves from the same start.
    #[arg(long, help_heading = FILTER)]
    keep_duplicates: bool,
    /// Writes PREFIX.train and PREFIX.test, which holds out this share of the games: 0.1.
    #[arg(long, value_name = "X")]
    split: Option<f64>,
    /// The seed of the split. A game falls by its moves and the seed, not by its file or place.
    #[arg(long, value_name = "N", default_value_t = 0, requires = "split")]
    seed: u64,
    /// Writes the records into one file, even where a list of files would do.
    #[arg(long)]
    compact: bool,
    /// The file to write, or with --split its name without .train and .test.
    #[arg(long, value_name = "PREFIX")]
    out: PathBuf,
    #[command(flatten)]
    pub(crate) json: Json,
}

impl RecordSets {
    /// What to filter and where to write it.
    pub(crate) fn request(&self) -> Result<RecordSetRequest, Failure> {
        Ok(RecordSetRequest {
            corpus: self.records.request()?,
            out: self.out.clone(),
            split: self.split.map(|share| RecordSplit { share, seed: self.seed }),
            compact: self.compact,
            keep_duplicates: self.keep_duplicates,
        })
    }
}
