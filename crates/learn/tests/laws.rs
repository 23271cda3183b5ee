//! The laws of learning: known answers are found, nothing depends on threads or interruptions, and no damaged file is
//! believed.

#[path = "laws/data.rs"]
mod data;
#[path = "laws/log.rs"]
mod log;
#[path = "laws/resumed.rs"]
mod resumed;
#[path = "laws/scratch.rs"]
mod scratch;
#[path = "laws/toy.rs"]
mod toy;
#[path = "laws/training.rs"]
mod training;
#[path = "laws/weights.rs"]
mod weights;
