//! Training and evaluation of networks on data sets of positions.

mod checkpoint;
mod evaluate;
mod job;
mod loader;
mod run;
mod settings;

#[cfg(test)]
mod tests;

pub use evaluate::{NetworkEvaluation, NetworkEvaluationJob};
pub use job::{NetworkTrainingEvent, NetworkTrainingOutcome, TrainingStart};
pub use run::TrainingPoint;
pub use settings::{FilePrecision, NetworkTrainingJob, OptimizerKind, ScheduleKind, TrainingLength};
