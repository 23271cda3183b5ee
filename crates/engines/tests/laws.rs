//! Everything that must hold of engines, in one binary.

#![allow(clippy::unwrap_used, reason = "a test that unwraps what is not there fails, as it should")]

#[path = "laws/book/mod.rs"]
mod book;
#[path = "laws/evals.rs"]
mod evals;
#[path = "laws/network.rs"]
mod network;
#[path = "laws/othello_export.rs"]
mod othello_export;
#[path = "laws/othello_solver.rs"]
mod othello_solver;
#[path = "laws/othello_wld.rs"]
mod othello_wld;
#[path = "laws/play.rs"]
mod play;
#[path = "laws/probcut.rs"]
mod probcut;
#[path = "laws/sparse.rs"]
mod sparse;
#[path = "laws/specs.rs"]
mod specs;
#[path = "laws/tablebase/mod.rs"]
mod tablebase;
#[path = "laws/training.rs"]
mod training;
#[path = "laws/training_jobs.rs"]
mod training_jobs;
#[path = "laws/trax.rs"]
mod trax;
