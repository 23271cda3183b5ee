//! Training of linear evaluations: samples and data sets, the least-squares fit, and the files of both; and data sets
//! of positions for networks ([`positions`]); sums over sparse features ([`sparse`]); and the loop of self-play, training and gate for any evaluation
//! ([`improve`]). Names no game; a game describes its evaluation by implementing [`Model`].

mod collector;
mod data_set;
mod error_stats;
pub mod improve;
pub mod job;
mod journal;
mod model;
pub mod nnue;
pub mod numbered;
pub mod positions;
mod sample;
mod shuffle;
pub mod sparse;
mod train;
mod training_data;
mod training_job;
mod weights;

pub use collector::{LabeledGame, SampleCollector, SavedDataSet};
pub use data_set::{DataSet, DataSetError, DataSetHeader};
pub use error_stats::{ErrorStats, LinearRegression};
pub use job::{JobError, counted};
pub use journal::{JournalWithSamples, SampleJournal, SampleJournalError};
pub use model::Model;
pub use sample::{Holdout, LABEL_SCALE, Sample, Samples};
pub use shuffle::Shuffle;
pub use train::{Checkpoints, TrainError, TrainedStage, TrainingConfig, train};
pub use training_data::{DataSource, TrainingData, select_stages};
pub use training_job::{TrainingJob, TrainingOutcome, load_weights};
pub use weights::{Weights, WeightsError};
