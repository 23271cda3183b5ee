//! Training of evaluations that are sums of weights: samples, the fit, and the files of both. No game is known here;
//! one that wants to be trained implements [`Model`].

pub mod data;
mod draw;
mod errors;
mod fit;
mod log;
mod model;
mod sample;
mod train;
mod weights;

pub use data::{Data, DataError};
pub use errors::Errors;
pub use fit::Fit;
pub use log::{Log, LogError, Opened};
pub use model::Model;
pub use sample::{Holdout, PER_DISC, Sample, Samples};
pub use tesuji_task::Control;
pub use train::{News, Plan, Stage, TrainError, train};
pub use weights::{Weights, WeightsError};
