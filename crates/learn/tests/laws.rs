//! The laws of learning: known answers are found, nothing depends on threads or interruptions, and no damaged file is
//! believed.

#[path = "laws/toy.rs"]
mod toy;
#[path = "laws/training.rs"]
mod training;
