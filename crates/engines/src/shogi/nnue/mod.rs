//! The evaluation `nnue`: an efficiently updatable network.
//!
//! `features` numbers the inputs of our own networks, `halfkp` those of YaneuraOu's. `eval` keeps the accumulators, the
//! kernels compute with them. `training` makes networks from data sets of positions, `candidate` improves them by self-play.
// Loops over indices are unrolled into vectors, and read like the formulas.
#![allow(clippy::needless_range_loop)]

pub mod candidate;
mod eval;
pub(crate) mod features;
pub(crate) mod halfkp;
mod input_set;
mod kernel;
mod load;
mod network;
#[cfg(test)]
mod tests;
pub mod training;

pub(crate) use eval::Nnue;
pub(crate) use features::KingBuckets;
pub(crate) use load::{LoadedNnue, load, shipped};
pub(crate) use network::WIDTH;

/// The network that ships, as the bytes of its file. docs/nnue.md tells how it was made.
pub(crate) const SHIPPED: Option<&[u8]> = Some(include_bytes!("../../../weights/shogi.nnue"));
