//! Training of sums of weights over sparse features: logistic regression for any game.
//!
//! A position is a list of active features ([`SparseData`]). The weight of a feature is a sum of trained weights, its
//! [`Factors`]: rare features share some with common ones and learn from them. The sums are taken once, at the end, so
//! that an engine looks up one integer per feature.
//!
//! [`SparseTraining`] fits them to win rates by Adagrad (Duchi, Hazan and Singer 2011) in small batches, on one thread:
//! a step touches only what is active in its batch.

mod checkpoint;
mod data;
mod job;
mod trainer;

#[cfg(test)]
mod tests;

pub use data::{Factors, SparseData};
pub use job::{SparseOutcome, SparsePoint, SparseSettings, SparseTraining};
