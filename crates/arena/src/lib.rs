//! Matches, tournaments and ratings: who plays whom, under which clock, judged by our own rules, written down
//! so that nothing is lost, and counted so that the figures can be believed.

pub mod player;
pub mod stats;
