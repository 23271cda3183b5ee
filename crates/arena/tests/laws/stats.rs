//! Figures known to many digits, and what must hold for all results.

#![allow(clippy::unwrap_used)]

#[path = "stats/edges.rs"]
mod edges;
#[path = "stats/golden.rs"]
mod golden;
#[path = "stats/ratings.rs"]
mod ratings;
#[path = "stats/sequential.rs"]
mod sequential;
