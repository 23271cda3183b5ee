//! Property tests of training: known answers are found, results do not depend on threads or interruptions, and no
//! damaged file is accepted.

#![allow(clippy::unwrap_used)]

#[path = "properties/data_set.rs"]
mod data_set;
#[path = "properties/improve.rs"]
mod improve;
#[path = "properties/jobs.rs"]
mod jobs;
#[path = "properties/journal.rs"]
mod journal;
#[path = "properties/positions.rs"]
mod positions;
#[path = "properties/resume.rs"]
mod resume;
#[path = "properties/toy.rs"]
mod toy;
#[path = "properties/training.rs"]
mod training;
#[path = "properties/weights.rs"]
mod weights;
