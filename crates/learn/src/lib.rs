//! Training of linear evaluations: samples and data sets, the least-squares fit, and the files of both. Names no game;
//! a game describes its evaluation by implementing [`Model`].

mod data_set;
mod error_stats;
mod journal;
mod model;
mod sample;
mod train;
mod weights;

pub use data_set::{DataSet, DataSetError, DataSetHeader};
pub use error_stats::{ErrorStats, LinearRegression};
pub use journal::{JournalWithSamples, SampleJournal, SampleJournalError};
pub use model::Model;
pub use sample::{Holdout, LABEL_SCALE, Sample, Samples};
pub use train::{Checkpoints, TrainError, TrainedStage, TrainingConfig, train};
pub use weights::{Weights, WeightsError};
